#include "framework/training/device_gradients.h"

#include <cmath>

#include "framework/precision/unscale.h"

namespace weft {
namespace {

void round_in_place(Context& ctx, Tensor& array, DType type) {
  Tensor narrow = ctx.empty(array.shape(), type);
  ctx.cast(array, narrow.view());
  ctx.cast(narrow, array.view());
}

}  // namespace

UnscaledGradients unscale_on_device(Context& ctx, std::span<const NamedParameter> parameters,
                                    Gradients& gradients, float factor, DType type) {
  UnscaledGradients result;
  Tensor bad = ctx.zeros({static_cast<std::int64_t>(parameters.size())}, DType::i32);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& parameter = *parameters[i].parameter;
    if (gradients.find_array(parameter) == nullptr) continue;
    result.any = true;
    Tensor& array = gradients.of(parameter);
    if (type != DType::f32) round_in_place(ctx, array, type);
    ctx.run<CheckAndUnscale>(array.view(), factor, bad.data<std::int32_t>() + i);
  }
  const Tensor found = ctx.on_host(bad);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (found.data<std::int32_t>()[i] != 0) result.bad.push_back(parameters[i].name);
  }
  return result;
}

void clip_on_device(Context& ctx, std::span<const NamedParameter> parameters, Gradients& gradients,
                    double most) {
  if (most == 0.0) return;
  Tensor squares = ctx.zeros({static_cast<std::int64_t>(parameters.size())}, DType::f64);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Tensor* array = gradients.find_array(*parameters[i].parameter);
    if (array == nullptr) continue;
    ctx.run<SquaredNorm>(*array, *array, 0.0F, squares.data<double>() + i);
  }
  const Tensor found = ctx.on_host(squares);
  double sum = 0.0;
  for (std::size_t i = 0; i < parameters.size(); ++i) sum += found.data<double>()[i];
  const double norm = std::sqrt(sum);
  if (std::isfinite(norm)) gradients.scale(clip_coefficient(norm, most));
}

}  // namespace weft
