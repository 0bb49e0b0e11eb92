#include "framework/matching/edit_distance.h"

#include <algorithm>
#include <vector>

namespace weft {

bool within_edits(std::u32string_view a, std::u32string_view b, std::size_t most) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > most) return false;
  while (!a.empty() && a.front() == b.front()) a.remove_prefix(1), b.remove_prefix(1);
  while (!a.empty() && a.back() == b.back()) a.remove_suffix(1), b.remove_suffix(1);
  if (a.empty()) return true;  // only insertions are left, and not too many
  if (most == 0) return false;
  // One row of the table for each character of `b`; only cells near the diagonal can matter.
  const std::size_t beyond = most + 1;
  std::vector<std::size_t> row(a.size() + 1);
  for (std::size_t i = 0; i <= a.size(); ++i) row[i] = std::min(i, beyond);
  for (std::size_t j = 1; j <= b.size(); ++j) {
    const std::size_t first = j > most ? j - most : 1;
    const std::size_t last = std::min(a.size(), j + most);
    if (first > last) return false;
    std::size_t diagonal = row[first - 1];
    row[first - 1] = first == 1 ? std::min(j, beyond) : beyond;
    std::size_t nearest = row[first - 1];
    for (std::size_t i = first; i <= last; ++i) {
      const std::size_t above = i < j + most ? row[i] : beyond;
      const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[i];
      row[i] = std::min({changed, above + 1, row[i - 1] + 1, beyond});
      nearest = std::min(nearest, row[i]);
    }
    if (nearest > most) return false;
  }
  return row[a.size()] <= most;
}

}  // namespace weft
