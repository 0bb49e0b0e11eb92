// Counts of right, wrong and missed things, and the three numbers made of them.
#pragma once

#include <cstdint>

namespace weft {

// The tiny addend keeps empty counts from dividing by zero and is lost beside any real count
// (spaCy 3.8).
struct Prf {
  std::int64_t true_positives = 0, false_positives = 0, false_negatives = 0;

  bool empty() const { return true_positives + false_positives + false_negatives == 0; }
  double precision() const { return share(false_positives); }
  double recall() const { return share(false_negatives); }
  double f_score() const {
    const double p = precision(), r = recall();
    return 2 * (p * r / (p + r + kTiny));
  }
  Prf& operator+=(const Prf& other) {
    true_positives += other.true_positives;
    false_positives += other.false_positives;
    false_negatives += other.false_negatives;
    return *this;
  }

 private:
  static constexpr double kTiny = 1e-100;
  double share(std::int64_t others) const {
    return static_cast<double>(true_positives) /
           (static_cast<double>(true_positives + others) + kTiny);
  }
};

}  // namespace weft
