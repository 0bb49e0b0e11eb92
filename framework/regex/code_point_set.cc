#include "framework/regex/code_point_set.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "framework/regex/category_runs.h"
#include "registry/base/error.h"

namespace weft {
namespace {

// Adds a range that starts nowhere before those in `ranges`.
void append(std::vector<CodePointSet::Range>& ranges, CodePointSet::Range next) {
  if (!ranges.empty() && next.first <= ranges.back().last + 1) {
    ranges.back().last = std::max(ranges.back().last, next.last);
  } else {
    ranges.push_back(next);
  }
}

constexpr std::array<std::string_view, 30> kCategories = {
    "Cn", "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps",
    "Pe", "Pi", "Pf", "Po", "Sm", "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Cs", "Co"};

}  // namespace

CodePointSet::CodePointSet(std::vector<Range> ranges) {
  const auto by_first = [](Range a, Range b) { return a.first < b.first; };
  if (!std::is_sorted(ranges.begin(), ranges.end(), by_first)) {
    std::sort(ranges.begin(), ranges.end(), by_first);
  }
  ranges_.reserve(ranges.size());
  for (const Range r : ranges) append(ranges_, r);
}

CodePointSet CodePointSet::of_category(std::string_view category) {
  std::uint32_t wanted = 0;  // a bit for each category
  for (std::size_t i = 0; i < kCategories.size(); ++i) {
    const bool named = !category.empty() && kCategories[i].starts_with(category);
    wanted |= std::uint32_t{named} << i;
  }
  if (wanted == 0) {
    throw Error(ErrorKind::config, "no Unicode category is called " + std::string(category));
  }
  CodePointSet set;
  const auto runs = category_runs();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if ((wanted >> runs[i].category & 1) == 0) continue;
    append(set.ranges_, {runs[i].first, i + 1 < runs.size() ? runs[i + 1].first - 1 : kLast});
  }
  return set;
}

std::size_t CodePointSet::size() const {
  return count_in({0, kLast});
}

bool CodePointSet::contains(char32_t c) const {
  auto after = std::upper_bound(ranges_.begin(), ranges_.end(), c,
                                [](char32_t value, Range r) { return value < r.first; });
  return after != ranges_.begin() && c <= std::prev(after)->last;
}

bool CodePointSet::within(const CodePointSet& other) const {
  const auto lies_in = [&](Range r) {
    auto after = std::upper_bound(other.ranges_.begin(), other.ranges_.end(), r.first,
                                  [](char32_t value, Range o) { return value < o.first; });
    return after != other.ranges_.begin() && r.last <= std::prev(after)->last;
  };
  return std::all_of(ranges_.begin(), ranges_.end(), lies_in);
}

std::size_t CodePointSet::count_in(Range span) const {
  std::size_t count = 0;
  for (const Range r : ranges_) {
    if (r.first > span.last) break;
    const char32_t first = std::max(r.first, span.first), last = std::min(r.last, span.last);
    if (first <= last) count += last - first + 1;
  }
  return count;
}

CodePointSet CodePointSet::operator|(const CodePointSet& other) const {
  if (other.empty() || is_all() || ranges_ == other.ranges_) return *this;
  if (empty() || other.is_all()) return other;
  CodePointSet result;
  result.ranges_.reserve(ranges_.size() + other.ranges_.size());
  auto a = ranges_.begin();
  for (const Range b : other.ranges_) {
    while (a != ranges_.end() && a->first < b.first) append(result.ranges_, *a++);
    append(result.ranges_, b);
  }
  while (a != ranges_.end()) append(result.ranges_, *a++);
  return result;
}

CodePointSet CodePointSet::operator&(const CodePointSet& other) const {
  CodePointSet result;
  auto a = ranges_.begin();
  auto b = other.ranges_.begin();
  while (a != ranges_.end() && b != other.ranges_.end()) {
    const char32_t first = std::max(a->first, b->first), last = std::min(a->last, b->last);
    if (first <= last) result.ranges_.push_back({first, last});
    if (a->last < b->last) {
      ++a;
    } else {
      ++b;
    }
  }
  return result;
}

CodePointSet CodePointSet::operator-(const CodePointSet& other) const {
  return *this & other.complement();
}

CodePointSet CodePointSet::complement() const {
  CodePointSet result;
  char32_t next = 0;
  for (const Range r : ranges_) {
    if (r.first > next) result.ranges_.push_back({next, r.first - 1});
    next = r.last + 1;
  }
  if (next <= kLast) result.ranges_.push_back({next, kLast});
  return result;
}

}  // namespace weft
