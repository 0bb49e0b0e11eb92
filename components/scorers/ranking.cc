#include "components/scorers/ranking.h"

#include <algorithm>
#include <cmath>

namespace weft {

void Ranking::Group::add(double predicted) {
  const auto rounded = static_cast<float>(predicted);
  if (wide.empty() && static_cast<double>(rounded) == predicted) {
    narrow.push_back(rounded);
    return;
  }
  if (!narrow.empty()) {
    wide.assign(narrow.begin(), narrow.end());
    narrow = {};
  }
  wide.push_back(predicted);
}

std::vector<double> Ranking::Group::sorted() const {
  std::vector<double> values(wide);
  values.insert(values.end(), narrow.begin(), narrow.end());
  std::sort(values.begin(), values.end());
  return values;
}

// More than two different gold values are no yes and no, and NaN has no place in an order. The
// numbers so far need no memory any more.
void Ranking::give_up() {
  groups_ = {};
  has_no_area_ = true;
}

void Ranking::add(double gold, double predicted) {
  if (has_no_area_) return;
  if (std::isnan(gold) || std::isnan(predicted)) return give_up();
  for (Group& group : groups_) {
    if (group.size() == 0) group.gold = gold;
    if (group.gold == gold) return group.add(predicted);
  }
  give_up();
}

// The area as the statistic of Mann and Whitney: walks the positives in ascending order and counts
// for each the negatives below it, and half of those that are equal. Takes n log n steps for n
// numbers.
std::optional<double> Ranking::area() const {
  const bool first_is_positive = groups_[0].gold == 1.0;
  const Group& positive = groups_[first_is_positive ? 0 : 1];
  const Group& negative = groups_[first_is_positive ? 1 : 0];
  if (positive.size() == 0 || negative.size() == 0 || positive.gold != 1.0) return std::nullopt;
  const std::vector<double> others = negative.sorted();
  double won = 0;  // pairs
  auto below = others.begin();
  for (const double value : positive.sorted()) {
    below = std::lower_bound(below, others.end(), value);
    const auto behind = std::upper_bound(below, others.end(), value);
    won += static_cast<double>(below - others.begin()) + static_cast<double>(behind - below) / 2;
  }
  return won / (static_cast<double>(positive.size()) * static_cast<double>(negative.size()));
}

}  // namespace weft
