#include "framework/pipeline/slots.h"

#include <algorithm>
#include <utility>

#include "registry/error.h"

namespace weft {
namespace {

std::vector<Tensor> arrays_of(const Value& value) {
  if (const auto* tensor = std::get_if<Tensor>(&value)) return {*tensor};
  if (const auto* ragged = std::get_if<Ragged>(&value)) return {ragged->data};
  if (const auto* list = std::get_if<TensorList>(&value)) return *list;
  throw Error(ErrorKind::internal, "a gradient that is no array");
}

Value clone_of(const Value& value) {
  Value copy = value;
  if (auto* tensor = std::get_if<Tensor>(&copy)) *tensor = tensor->clone();
  if (auto* ragged = std::get_if<Ragged>(&copy)) ragged->data = ragged->data.clone();
  if (auto* list = std::get_if<TensorList>(&copy)) {
    for (Tensor& tensor : *list) tensor = tensor.clone();
  }
  return copy;
}

// The sum, in memory of its own: what listeners handed over may be shared with their other layers.
Value sum_of(const Value& left, const Value& right) {
  Value sum = clone_of(left);
  std::vector<Tensor> into = arrays_of(sum);
  const std::vector<Tensor> terms = arrays_of(right);
  if (into.size() != terms.size()) {
    throw Error(ErrorKind::internal, "listeners gave gradients of different shapes");
  }
  for (std::size_t i = 0; i < into.size(); ++i) {
    if (into[i].shape() != terms[i].shape()) {
      throw Error(ErrorKind::internal, "listeners gave gradients of different shapes");
    }
    float* out = into[i].data<float>();
    const float* term = terms[i].data<float>();
    for (std::int64_t j = 0; j < into[i].size(); ++j) out[j] += term[j];
  }
  return sum;
}

}  // namespace

void Slots::publish(std::string name, Value output, Backward backward) {
  std::erase_if(slots_, [&](const Slot& slot) { return slot.name == name; });
  slots_.push_back({std::move(name), std::move(output), std::move(backward), std::nullopt});
}

Slots::Slot* Slots::find(std::string_view name) {
  if (name == "*") return slots_.empty() ? nullptr : &slots_.back();
  const auto found = std::find_if(slots_.begin(), slots_.end(),
                                  [&](const Slot& slot) { return slot.name == name; });
  return found == slots_.end() ? nullptr : &*found;
}

const Value* Slots::output(std::string_view name) const {
  Slot* slot = const_cast<Slots*>(this)->find(name);
  return slot == nullptr ? nullptr : &slot->output;
}

void Slots::add_gradient(std::string_view name, const Value& gradient) {
  Slot* slot = find(name);
  if (slot == nullptr || !slot->backward) return;
  slot->gradient = slot->gradient ? sum_of(*slot->gradient, gradient) : gradient;
}

void Slots::run_backward() {
  for (auto slot = slots_.rbegin(); slot != slots_.rend(); ++slot) {
    if (slot->gradient) slot->backward(*slot->gradient);
  }
}

}  // namespace weft
