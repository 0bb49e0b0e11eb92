#include "framework/pipeline/rehearsal_loss.h"

#include <algorithm>
#include <cstdint>
#include <functional>

#include "registry/base/error.h"

namespace weft {
namespace {

// `share_of`: what a row of `found` is divided by.
double difference(ConstView found, ConstView wanted, double divisor,
                  const std::function<float(const float* row, std::int64_t known)>& share_of,
                  View d) {
  const std::int64_t known = wanted.cols();
  if (known > found.cols() || wanted.rows() != found.rows()) {
    throw Error(ErrorKind::internal, "a tutor knows classes that its component lacks");
  }
  double sum = 0.0;
  for (std::int64_t i = 0; i < found.rows(); ++i) {
    const float* row = found.row<float>(i);
    auto* to = d.row<float>(i);
    const float share = share_of(row, known);
    for (std::int64_t k = 0; k < known; ++k) {
      to[k] = static_cast<float>((row[k] / share - wanted.row<float>(i)[k]) / divisor);
      sum += double{to[k]} * to[k];
    }
    std::fill(to + known, to + found.cols(), 0.0F);
  }
  return sum;
}

}  // namespace

double rehearsal_difference(ConstView found, ConstView wanted, double divisor, View d) {
  return difference(
      found, wanted, divisor, [](const float*, std::int64_t) { return 1.0F; }, d);
}

double rehearsal_loss(ConstView found, ConstView wanted, double divisor, View d) {
  const std::int64_t all = found.cols();
  const auto share_of = [all](const float* row, std::int64_t known) {
    if (known == all) return 1.0F;
    float sum = 0.0F;
    for (std::int64_t k = 0; k < known; ++k) sum += row[k];
    return std::max(sum, 1e-12F);
  };
  return difference(found, wanted, divisor, share_of, d);
}

}  // namespace weft
