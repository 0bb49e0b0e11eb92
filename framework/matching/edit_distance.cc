#include "framework/matching/edit_distance.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace weft {
namespace {

constexpr std::size_t kRows = 64;  // of the table, in the bits of one word

// For each character of a row block the rows that have it.
class RowsOf {
 public:
  explicit RowsOf(std::u32string_view characters) {
    for (std::size_t i = 0; i < characters.size(); ++i) {
      if (characters[i] < ascii_.size()) {
        ascii_[characters[i]] |= std::uint64_t{1} << i;
      } else {
        others_[found(characters[i])].second |= std::uint64_t{1} << i;
      }
    }
  }
  std::uint64_t of(char32_t character) const {
    if (character < ascii_.size()) return ascii_[character];
    const auto at = std::find_if(others_.begin(), others_.end(),
                                 [&](const auto& other) { return other.first == character; });
    return at == others_.end() ? 0 : at->second;
  }

 private:
  std::size_t found(char32_t character) {
    std::size_t at = 0;
    while (at < others_.size() && others_[at].first != character) ++at;
    if (at == others_.size()) others_.emplace_back(character, 0);
    return at;
  }

  std::array<std::uint64_t, 128> ascii_{};
  std::vector<std::pair<char32_t, std::uint64_t>> others_;  // 64 at most
};

// A block of 64 rows of the table, from column to column. Neighbouring cells differ by one at most,
// so that the block is two words: where the cell below is greater by one, and where it is less.
class RowBlock {
 public:
  explicit RowBlock(std::u32string_view characters)
      : rows_(characters), last_(std::uint64_t{1} << (characters.size() - 1)) {}

  // `above`: by how much the row above the block grew at this column; gives that of its last row.
  int next(char32_t character, int above) {
    std::uint64_t equal = rows_.of(character);
    const std::uint64_t vertical = equal | less_;
    if (above < 0) equal |= 1;
    const std::uint64_t horizontal = (((equal & greater_) + greater_) ^ greater_) | equal;
    std::uint64_t grown = less_ | ~(horizontal | greater_);
    std::uint64_t shrunk = greater_ & horizontal;
    const int below = (grown & last_) != 0 ? 1 : (shrunk & last_) != 0 ? -1 : 0;
    grown = grown << 1 | (above > 0 ? 1 : 0);
    shrunk = shrunk << 1 | (above < 0 ? 1 : 0);
    greater_ = shrunk | ~(vertical | grown);
    less_ = grown & vertical;
    return below;
  }

 private:
  RowsOf rows_;
  std::uint64_t last_;
  std::uint64_t greater_ = ~std::uint64_t{0}, less_ = 0;
};

}  // namespace

// G. Myers, "A fast bit-vector algorithm for approximate string matching based on dynamic
// programming", 1999, in the form for any length of H. Hyyroe, "A bit-vector algorithm for
// computing Levenshtein and Damerau edit distances", 2003. Block after block, so that a few words
// are enough for the characters of one.
bool within_edits(std::u32string_view a, std::u32string_view b, std::size_t most) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > most) return false;
  while (!a.empty() && a.front() == b.front()) a.remove_prefix(1), b.remove_prefix(1);
  while (!a.empty() && a.back() == b.back()) a.remove_suffix(1), b.remove_suffix(1);
  if (a.empty()) return true;  // only insertions are left, and not too many
  if (most == 0) return false;
  std::vector<signed char> grows(b.size(), 1);  // of the row above, by column: it counts them
  for (std::size_t first = 0; first < a.size(); first += kRows) {
    RowBlock block(a.substr(first, kRows));
    for (std::size_t j = 0; j < b.size(); ++j) {
      grows[j] = static_cast<signed char>(block.next(b[j], grows[j]));
    }
  }
  auto distance = static_cast<std::int64_t>(a.size());
  for (const signed char grown : grows) distance += grown;
  return distance <= static_cast<std::int64_t>(most);
}

std::uint64_t edit_steps(std::size_t a, std::size_t b) {
  constexpr std::uint64_t kColumnsPerStep = 4;  // 64 rows each
  const std::uint64_t blocks = std::min(a, b) / kRows + 1;
  return blocks * std::max(a, b) / kColumnsPerStep;
}

}  // namespace weft
