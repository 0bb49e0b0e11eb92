// A layer as the precision policy sees it: its ops know where they run, and an observer hears
// whether what goes in and out is finite.
#include "framework/nn/layer_run.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "framework/nn/gradients.h"
#include "framework/nn/missing_kernel.h"
#include "framework/ops/elementwise.h"
#include "framework/ops/pass_formats.h"
#include "framework/ops/pass_observer.h"
#include "framework/precision/element_type.h"

namespace weft {
namespace {

bool is_finite(Context& ctx, ConstView view) {
  if (!is_cast_type(view.dtype)) return true;
  const std::vector<float> numbers = ctx.numbers(view);
  return std::all_of(numbers.begin(), numbers.end(), [](float number) {
    constexpr std::uint32_t exponent = 0x7f800000;
    return (std::bit_cast<std::uint32_t>(number) & exponent) != exponent;
  });
}

bool is_finite(Context& ctx, const Value& value) {
  const TensorList arrays = arrays_of(value);
  return std::all_of(arrays.begin(), arrays.end(),
                     [&](const Tensor& tensor) { return is_finite(ctx, tensor.cview()); });
}

bool has_finite_gradients(Context& ctx, const Model& layer) {
  return std::all_of(layer.params().begin(), layer.params().end(), [&](const auto& parameter) {
    const ConstView gradient = ctx.gradients().kept(*parameter);
    return gradient.data == nullptr || is_finite(ctx, gradient);
  });
}

Tensor cast(Context& ctx, DType type, const Tensor& tensor) {
  if (tensor.dtype() == type || !is_cast_type(tensor.dtype())) return tensor;
  Tensor result = ctx.empty(tensor.shape(), type);
  ctx.run<CopyRows>(tensor, result.view());
  return result;
}

// With its floating arrays in that type.
Value cast(Context& ctx, DType type, Value value) {
  if (auto* tensor = std::get_if<Tensor>(&value)) *tensor = cast(ctx, type, *tensor);
  if (auto* ragged = std::get_if<Ragged>(&value)) ragged->data = cast(ctx, type, ragged->data);
  if (auto* list = std::get_if<TensorList>(&value)) {
    for (Tensor& tensor : *list) tensor = cast(ctx, type, tensor);
  }
  return value;
}

// The forward pass of a layer; of one that is a whole model with the casts at its ends.
Forward run_forward(Context& ctx, const Model& layer, const Model::ForwardFn& forward,
                    const Value& input) {
  PassFormats* formats = ctx.formats();
  if (formats == nullptr || !formats->casts_ends_of(layer)) return forward(ctx, layer, input);
  Forward result = forward(ctx, layer, cast(ctx, formats->low(), input));
  result.output = cast(ctx, formats->output_type(), std::move(result.output));
  return result;
}

Value run_observed_back(Context& ctx, const Model& layer, const Backward& backward,
                        const Value& dy) {
  PassObserver* observer = ctx.watch().observer();
  if (observer == nullptr || !observer->wants_layers()) return backward(ctx, dy);
  // Before it runs: a layer may reuse the memory of its gradient.
  const bool incoming = is_finite(ctx, dy);
  Value dx = backward(ctx, dy);
  observer->went_back(layer.path(), incoming,
                      is_finite(ctx, dx) && has_finite_gradients(ctx, layer));
  return dx;
}

Value run_back(Context& ctx, const Model& layer, const Backward& backward, const Value& dy) {
  const LayerScope scope(ctx.watch(), layer.path());
  try {
    return run_observed_back(ctx, layer, backward, dy);
  } catch (const Error& error) {
    throw_on_from("layer " + layer.path(), error);
  }
}

Forward run_named(Context& ctx, const Model& layer, const Model::ForwardFn& forward,
                  const Value& input) {
  try {
    return run_forward(ctx, layer, forward, input);
  } catch (const Error& error) {
    throw_on_from("layer " + layer.path(), error);
  }
}

}  // namespace

void tell_went_back(Context& ctx, const Model& layer, ConstView dy, ConstView dx) {
  PassObserver* observer = ctx.watch().observer();
  if (observer == nullptr || !observer->wants_layers()) return;
  observer->went_back(layer.path(), is_finite(ctx, dy),
                      is_finite(ctx, dx) && has_finite_gradients(ctx, layer));
}

Forward Model::run_as_layer(Context& ctx, const Value& input) const {
  const LayerScope scope(ctx.watch(), path_);
  Forward forward = run_named(ctx, *this, forward_, input);
  PassObserver* observer = ctx.watch().observer();
  if (observer != nullptr && observer->wants_layers()) {
    observer->went_forward(path_, is_finite(ctx, forward.output));
  }
  if (!forward.backward) return forward;
  return {std::move(forward.output),
          [this, backward = std::move(forward.backward)](Context& ctx, const Value& dy) {
            return run_back(ctx, *this, backward, dy);
          }};
}

}  // namespace weft
