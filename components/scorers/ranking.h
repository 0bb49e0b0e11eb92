// How well numbers tell positives from negatives.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "registry/base/export.h"

namespace weft {

// Gold values and predictions of one label. An evaluation has one of these for each label and adds
// each document to it, so a prediction takes four bytes, or eight in a group where some number is
// no f32.
class WEFT_API Ranking {
 public:
  void add(double gold, double predicted);
  // The share of pairs of a positive (gold 1) and another in which the positive is predicted
  // higher, ties counting half: the area under the ROC curve. Nothing unless the gold values are
  // two, and where a number is NaN.
  std::optional<double> area() const;

 private:
  // Predictions of the documents with one gold value, in one of the two.
  struct Group {
    double gold = 0.0;
    std::vector<float> narrow;
    std::vector<double> wide;
    std::size_t size() const { return narrow.size() + wide.size(); }
    void add(double predicted);
    std::vector<double> sorted() const;
  };
  void give_up();

  std::array<Group, 2> groups_;
  bool has_no_area_ = false;
};

}  // namespace weft
