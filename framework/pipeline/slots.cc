#include "framework/pipeline/slots.h"

#include <algorithm>
#include <utility>

#include "framework/ops/context.h"
#include "framework/ops/elementwise.h"
#include "framework/precision/element_type.h"
#include "registry/base/error.h"

namespace weft {
namespace {

std::vector<Tensor> arrays_of(const Value& value) {
  if (const auto* tensor = std::get_if<Tensor>(&value)) return {*tensor};
  if (const auto* ragged = std::get_if<Ragged>(&value)) return {ragged->data};
  if (const auto* list = std::get_if<TensorList>(&value)) return *list;
  throw Error(ErrorKind::internal, "a gradient that is no array");
}

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
Tensor copied(Context* ctx, DType type, const Tensor& tensor) {
  if (ctx == nullptr) return tensor.dtype() == type ? tensor.clone() : cast_to(type, tensor);
  Tensor copy = ctx->empty(tensor.shape(), type);
  ctx->cast(tensor, copy.view());
  return copy;
}

Value clone_of(Context* ctx, const Value& value) {
  return changed(value, [ctx](const Tensor& tensor) { return copied(ctx, DType::f32, tensor); });
}

void add_to(Context* ctx, Tensor& sum, const Tensor& term) {
  if (ctx != nullptr) {
    const Tensor wide = term.dtype() == DType::f32 ? term : copied(ctx, DType::f32, term);
    kernel_of<AddInPlace>(ctx->device().kind)(ctx->stream(), sum.view(), wide.cview());
    return;
  }
  float* out = sum.data<float>();
  const Tensor wide = cast_to(DType::f32, term);
  const float* from = wide.data<float>();
  for (std::int64_t i = 0; i < sum.size(); ++i) out[i] += from[i];
}

// A sum of gradients in the format of what they are the gradient of: it is rounded once.
Value in_format_of(Context* ctx, const Value& output, const Value& sum) {
  const std::vector<Tensor> arrays = arrays_of(output);
  if (arrays.empty() || !is_low(arrays.front().dtype())) return sum;
  return changed(sum, [ctx, type = arrays.front().dtype()](const Tensor& tensor) {
    return tensor.dtype() == DType::f32 ? copied(ctx, type, tensor) : tensor;
  });
}

// The sum, in memory of its own: what listeners handed over may be shared with their other layers.
Value sum_of(Context* ctx, const Value& left, const Value& right) {
  Value sum = clone_of(ctx, left);
  std::vector<Tensor> into = arrays_of(sum);
  const std::vector<Tensor> terms = arrays_of(right);
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

Slots::Slots(Context& ctx) : ctx_(ctx.on_cpu() ? nullptr : &ctx) {}

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
  slot->gradient = slot->gradient ? sum_of(ctx_, *slot->gradient, gradient) : gradient;
}

void Slots::run_backward() {
  for (auto slot = slots_.rbegin(); slot != slots_.rend(); ++slot) {
    if (slot->gradient) slot->backward(in_format_of(ctx_, slot->output, *slot->gradient));
  }
}

}  // namespace weft
