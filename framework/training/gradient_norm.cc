#include "framework/training/gradient_norm.h"

#include <cmath>
#include <vector>

#include "framework/precision/element_type.h"
#include "framework/precision/unscale.h"

namespace weft {
namespace {

double sum_of_squares(const float* numbers, std::int64_t count) {
  double sum = 0.0;
  for (std::int64_t i = 0; i < count; ++i) sum += static_cast<double>(numbers[i]) * numbers[i];
  return sum;
}

}  // namespace

double global_norm(std::span<const NamedParameter> parameters, const Gradients& gradients) {
  double squares = 0.0;
  std::vector<float> wide;
  for (const NamedParameter& named : parameters) {
    const ConstView kept = gradients.kept(*named.parameter);
    if (kept.size() == 0) continue;
    if (kept.dtype == DType::f32) {
      squares += sum_of_squares(kept.as<float>(), kept.size());
      continue;
    }
    wide.resize(static_cast<std::size_t>(kept.size()));
    cast_rows(kept, View(wide.data(), DType::f32, kept.shape));
    const auto factor = static_cast<double>(gradients.factor());
    squares += factor * factor * sum_of_squares(wide.data(), kept.size());
  }
  return std::sqrt(squares);
}

void clip_globally(std::span<const NamedParameter> parameters, Gradients& gradients, double most) {
  if (most == 0.0) return;
  const double norm = global_norm(parameters, gradients);
  if (std::isfinite(norm)) gradients.scale(clip_coefficient(norm, most));
}

}  // namespace weft
