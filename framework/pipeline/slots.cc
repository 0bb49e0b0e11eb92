#include "framework/pipeline/slots.h"

#include <algorithm>
#include <utility>

#include "framework/ops/context.h"
#include "framework/ops/elementwise.h"
#include "framework/precision/element_type.h"
#include "registry/base/error.h"

namespace weft {
namespace {

// The value with `change` made of each of its arrays.
template <class Change>
Value changed(const Value& value, Change change) {
  Value copy = value;
  if (auto* tensor = std::get_if<Tensor>(&copy)) *tensor = change(*tensor);
  if (auto* ragged = std::get_if<Ragged>(&copy)) ragged->data = change(ragged->data);
  if (auto* list = std::get_if<TensorList>(&copy)) {
    for (Tensor& tensor : *list) tensor = change(tensor);
  }
  return copy;
}

// A copy of that type in memory of its own.
Tensor copied(Context& ctx, DType type, const Tensor& tensor) {
  Tensor copy = ctx.empty(tensor.shape(), type);
  ctx.cast(tensor, copy.view());
  return copy;
}

void add_to(Context& ctx, Tensor& sum, const Tensor& term) {
  const Tensor wide = term.dtype() == DType::f32 ? term : copied(ctx, DType::f32, term);
  ctx.run_plain<AddInPlace>(sum.view(), wide.cview());
}

// A sum of gradients in the format of what they are the gradient of: it is rounded once.
Value in_format_of(Context& ctx, const Value& output, const Value& sum) {
  const TensorList arrays = arrays_of(output);
  if (arrays.empty() || !is_low(arrays.front().dtype())) return sum;
  return changed(sum, [&ctx, type = arrays.front().dtype()](const Tensor& tensor) {
    return tensor.dtype() == DType::f32 ? copied(ctx, type, tensor) : tensor;
  });
}

// The sum, in memory of its own: what listeners handed over may be shared with their other layers.
Value sum_of(Context& ctx, const Value& left, const Value& right) {
  Value sum =
      changed(left, [&ctx](const Tensor& tensor) { return copied(ctx, DType::f32, tensor); });
  TensorList into = arrays_of(sum);
  const TensorList terms = arrays_of(right);
  if (into.size() != terms.size()) {
    throw Error(ErrorKind::internal, "listeners gave gradients of different shapes");
  }
  for (std::size_t i = 0; i < into.size(); ++i) {
    if (into[i].shape() != terms[i].shape()) {
      throw Error(ErrorKind::internal, "listeners gave gradients of different shapes");
    }
    add_to(ctx, into[i], terms[i]);
  }
  return sum;
}

}  // namespace

void Slots::publish(std::string name, Output output, Backward backward, Hear hear) {
  std::erase_if(slots_, [&](const Slot& slot) { return slot.name == name; });
  slots_.push_back(
      {std::move(name), std::move(output), std::move(backward), std::move(hear), std::nullopt});
}

Slots::Slot* Slots::find(std::string_view name) {
  if (name == "*") return slots_.empty() ? nullptr : &slots_.back();
  const auto found = std::find_if(slots_.begin(), slots_.end(),
                                  [&](const Slot& slot) { return slot.name == name; });
  return found == slots_.end() ? nullptr : &*found;
}

const Slots::Output* Slots::output(std::string_view name) const {
  const Slot* there = trained_ == nullptr ? nullptr : trained_->find(name);
  const Slot* here = find(there == nullptr ? name : there->name);
  const Slot* slot = here == nullptr ? there : here;
  return slot == nullptr ? nullptr : &slot->output;
}

void Slots::add_gradient(std::string_view name, const Value& gradient) {
  Slot* slot = find(name);
  if (slot == nullptr || !slot->backward) return;
  if (slot->hear) slot->hear(in_format_of(ctx_, slot->output.rows, gradient));
  slot->gradient = slot->gradient ? sum_of(ctx_, *slot->gradient, gradient) : gradient;
}

void Slots::run_backward() {
  for (auto slot = slots_.rbegin(); slot != slots_.rend(); ++slot) {
    if (slot->gradient) slot->backward(in_format_of(ctx_, slot->output.rows, *slot->gradient));
  }
}

}  // namespace weft
