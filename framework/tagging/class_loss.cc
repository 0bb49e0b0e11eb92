#include "framework/tagging/class_loss.h"

#include <algorithm>

namespace weft {

double class_loss(ConstView probabilities, std::span<const GoldClass> gold, double smoothing,
                  View d) {
  const std::int64_t classes = probabilities.cols();
  const auto rest =
      static_cast<float>(classes > 1 ? smoothing / static_cast<double>(classes - 1) : 0.0);
  const auto full = static_cast<float>(1.0 - smoothing);
  double loss = 0.0;
  for (std::int64_t i = 0; i < probabilities.rows(); ++i) {
    const float* p = probabilities.row<float>(i);
    float* out = d.row<float>(i);
    const GoldClass truth = gold[static_cast<std::size_t>(i)];
    if (truth.is_missing() || truth.is_negative()) {
      std::fill_n(out, classes, 0.0F);
      if (truth.is_missing()) continue;
      out[truth.number()] = p[truth.number()];
    } else {
      for (std::int64_t k = 0; k < classes; ++k) out[k] = p[k] - rest;
      out[truth.number()] = p[truth.number()] - full;
    }
    float squares = 0.0F;
    for (std::int64_t k = 0; k < classes; ++k) squares += out[k] * out[k];
    loss += double{squares};
  }
  return loss;
}

}  // namespace weft
