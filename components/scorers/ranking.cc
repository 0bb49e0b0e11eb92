#include "components/scorers/ranking.h"

#include <algorithm>
#include <set>

namespace weft {

// The area as the statistic of Mann and Whitney: walks the predictions in ascending order and
// counts, for each positive, the negatives below it, and half of those that are equal. Takes n log
// n steps for n pairs. More than two different gold values are no yes and no, and have no area.
std::optional<double> Ranking::area() const {
  std::set<double> values;
  for (const auto& [_, gold] : pairs_) {
    values.insert(gold);
    if (values.size() > 2) return std::nullopt;
  }
  if (values.size() < 2) return std::nullopt;
  std::vector<std::pair<double, double>> sorted = pairs_;
  std::sort(sorted.begin(), sorted.end());
  double positives = 0, below = 0, pairs = 0;  // negatives below; won pairs
  for (std::size_t begin = 0, end = 0; begin < sorted.size(); begin = end) {
    double equal_positives = 0, equal = 0;
    for (; end < sorted.size() && sorted[end].first == sorted[begin].first; ++end) {
      ++(sorted[end].second == 1.0 ? equal_positives : equal);
    }
    pairs += equal_positives * (below + equal / 2);
    positives += equal_positives;
    below += equal;
  }
  if (positives == 0 || below == 0) return std::nullopt;
  return pairs / (positives * below);
}

}  // namespace weft
