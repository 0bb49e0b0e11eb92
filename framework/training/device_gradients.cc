#include "framework/training/device_gradients.h"

#include <cmath>

#include "framework/precision/unscale.h"

namespace weft {
namespace {

// Of the parameters that have a gradient.
struct Looked {
  std::vector<const NamedParameter*> parameters;
  FoundNorms found;
};

Looked look_at(Context& ctx, std::span<const NamedParameter> parameters, Gradients& gradients) {
  Looked looked;
  std::vector<NormArray> arrays;
  for (const NamedParameter& named : parameters) {
    const Tensor* array = gradients.find_array(*named.parameter);
    if (array == nullptr) continue;
    arrays.push_back(
        {.gradient = {array->data<float>(), gradients.kept_as(), 1.0F}, .count = array->size()});
    looked.parameters.push_back(&named);
  }
  looked.found = norms_on_device(ctx, arrays);
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    gradients.remember_squares(*looked.parameters[i]->parameter, looked.found.squares[i]);
  }
  return looked;
}

// Sums of squares as they are remembered; a look where one is not.
double squares_of_all(Context& ctx, std::span<const NamedParameter> parameters,
                      Gradients& gradients) {
  double sum = 0.0;
  for (const NamedParameter& named : parameters) {
    if (gradients.find_array(*named.parameter) == nullptr) continue;
    if (!gradients.squares(*named.parameter)) look_at(ctx, parameters, gradients);
    sum += *gradients.squares(*named.parameter);
  }
  return sum;
}

}  // namespace

FoundNorms norms_on_device(Context& ctx, std::span<const NormArray> arrays) {
  if (arrays.empty()) return {};
  const auto count = static_cast<std::int64_t>(arrays.size());
  Tensor squares = ctx.empty({count}, DType::f64), bad = ctx.empty({count}, DType::i32);
  ctx.run<GradientNorms>(arrays, squares.data<double>(), bad.data<std::int32_t>());
  FoundNorms found{std::vector<double>(arrays.size()), std::vector<std::int32_t>(arrays.size())};
  const auto read = [&](const Tensor& from, void* to) {
    ctx.stream().copy(to, from.cview().data, from.bytes(), CopyKind::device_to_host);
  };
  read(squares, found.squares.data());
  read(bad, found.bad.data());
  ctx.stream().synchronize();
  return found;
}

UnscaledGradients unscale_on_device(Context& ctx, std::span<const NamedParameter> parameters,
                                    Gradients& gradients, float factor) {
  const Looked looked = look_at(ctx, parameters, gradients);
  gradients.scale(factor);
  UnscaledGradients result{.any = !looked.parameters.empty(), .bad = {}};
  for (std::size_t i = 0; i < looked.parameters.size(); ++i) {
    if (looked.found.bad[i] != 0) result.bad.push_back(looked.parameters[i]->name);
  }
  return result;
}

void clip_on_device(Context& ctx, std::span<const NamedParameter> parameters, Gradients& gradients,
                    double most) {
  if (most == 0.0) return;
  const double factor = gradients.factor();
  const double norm = std::sqrt(factor * factor * squares_of_all(ctx, parameters, gradients));
  if (std::isfinite(norm)) gradients.scale(clip_coefficient(norm, most));
}

}  // namespace weft
