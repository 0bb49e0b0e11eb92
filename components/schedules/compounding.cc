// Grows or falls by a constant factor up to a limit. Thinc's compounding.v1.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "framework/training/schedule.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct Compounding {
  double start = 0.0;
  double stop = 0.0;
  double compound = 1.0;
  double t = 0.0;
};

template <class V>
void fields(V& v, Compounding& c) {
  v.required("start", c.start, "the value at step 0", at_least(0.0));
  v.required("stop", c.stop, "the limit, above or below the start", at_least(0.0));
  v.required("compound", c.compound, "the factor of one step", more_than(0.0));
  v("t", c.t, "accepted for spaCy's configs; has no effect there either", at_least(0.0));
}

// The values as the reference makes them, each from the one before: a power rounds otherwise, and a
// batch of 195.99999999999997 has an example less than one of 196. Every kStride-th is kept, up to
// the first that the limit cuts off; a run that is longer than the table goes on by powers.
class Products {
 public:
  explicit Products(const Compounding& c) : c_(c) {
    double value = c.start;
    while (values_.size() < kMost) {
      values_.push_back(value);
      for (int i = 0; i < kStride; ++i) value *= c.compound;
      if (value == values_.back() || is_beyond(values_.back())) return;
    }
  }

  double at(std::int64_t step) const {
    const auto place = static_cast<std::uint64_t>(std::max<std::int64_t>(step, 0)) / kStride;
    const std::uint64_t last = values_.size() - 1;
    if (place > last && values_.size() == kMost) {
      return c_.start * std::pow(c_.compound, static_cast<double>(step));
    }
    double value = values_[std::min(place, last)];
    const std::int64_t left = place > last ? kStride : step % kStride;
    for (std::int64_t i = 0; i < left; ++i) value *= c_.compound;
    return value;
  }

 private:
  static constexpr std::int64_t kStride = 256;
  static constexpr std::size_t kMost = 1 << 14;  // four million steps

  // Towards the limit, which the next ones do not come back from.
  bool is_beyond(double value) const {
    return c_.start > c_.stop ? value <= c_.stop && c_.compound <= 1.0
                              : value >= c_.stop && c_.compound >= 1.0;
  }

  Compounding c_;
  std::vector<double> values_;
};

// start·compound^k, limited to stop
Schedule compounding(const Compounding& c) {
  return Schedule([c, products = Products(c)](std::int64_t step) {
    const double value = products.at(step);
    return c.start > c.stop ? std::max(value, c.stop) : std::min(value, c.stop);
  });
}

const Registration registered{"compounding.v1", compounding,
                              "start·compound^step, limited to stop"};

}  // namespace
}  // namespace weft
