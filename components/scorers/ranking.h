// How well numbers tell positives from negatives.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "registry/base/export.h"

namespace weft {

// Gold values and predictions of one label.
class WEFT_API Ranking {
 public:
  void add(double gold, double predicted) { pairs_.emplace_back(predicted, gold); }
  // The share of pairs of a positive (gold 1) and another in which the positive is predicted
  // higher, ties counting half: the area under the ROC curve. Nothing unless the gold values are
  // two.
  std::optional<double> area() const;

 private:
  std::vector<std::pair<double, double>> pairs_;
};

}  // namespace weft
