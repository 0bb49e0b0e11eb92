#include "framework/regex/code_point_set.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>

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

const std::shared_ptr<const CodePointSet::Ranges>& CodePointSet::no_ranges() {
  static const auto& none = *new auto(std::make_shared<const Ranges>());
  return none;
}

CodePointSet CodePointSet::of_sorted(std::vector<Range> ranges) {
  std::size_t size = 0;
  for (const Range r : ranges) size += r.last - r.first + 1;
  CodePointSet set;
  set.shared_ = std::make_shared<const Ranges>(Ranges{std::move(ranges), size});
  return set;
}

// Sorted and joined once, so that all operations below are merges of two sorted lists, linear in
// the number of ranges, and questions are binary searches.
CodePointSet::CodePointSet(std::vector<Range> ranges) {
  const auto by_first = [](Range a, Range b) { return a.first < b.first; };
  if (!std::is_sorted(ranges.begin(), ranges.end(), by_first)) {
    std::sort(ranges.begin(), ranges.end(), by_first);
  }
  std::vector<Range> joined;
  joined.reserve(ranges.size());
  for (const Range r : ranges) append(joined, r);
  *this = of_sorted(std::move(joined));
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
  std::vector<Range> ranges;
  // Runs of code points of one category, in order: each ends before the next begins.
  const auto runs = category_runs();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if ((wanted >> runs[i].category & 1) == 0) continue;
    append(ranges, {runs[i].first, i + 1 < runs.size() ? runs[i + 1].first - 1 : kLast});
  }
  return of_sorted(std::move(ranges));
}

bool CodePointSet::contains(char32_t c) const {
  auto after = std::upper_bound(ranges().begin(), ranges().end(), c,
                                [](char32_t value, Range r) { return value < r.first; });
  return after != ranges().begin() && c <= std::prev(after)->last;
}

// Ranges of a set do not touch each other, so a range lies in the set only if one range holds it.
bool CodePointSet::within(const CodePointSet& other) const {
  const auto lies_in = [&](Range r) {
    auto after = std::upper_bound(other.ranges().begin(), other.ranges().end(), r.first,
                                  [](char32_t value, Range o) { return value < o.first; });
    return after != other.ranges().begin() && r.last <= std::prev(after)->last;
  };
  return std::all_of(ranges().begin(), ranges().end(), lies_in);
}

std::size_t CodePointSet::count_in(Range span) const {
  std::size_t count = 0;
  for (const Range r : ranges()) {
    if (r.first > span.last) break;
    const char32_t first = std::max(r.first, span.first), last = std::min(r.last, span.last);
    if (first <= last) count += last - first + 1;
  }
  return count;
}

// A merge of two sorted lists; `append` joins ranges that overlap or touch. Sets that say nothing
// new are shared, not copied.
CodePointSet CodePointSet::operator|(const CodePointSet& other) const {
  if (other.empty() || is_all() || *this == other) return *this;
  if (empty() || other.is_all()) return other;
  std::vector<Range> result;
  result.reserve(ranges().size() + other.ranges().size());
  auto a = ranges().begin();
  for (const Range b : other.ranges()) {
    while (a != ranges().end() && a->first < b.first) append(result, *a++);
    append(result, b);
  }
  while (a != ranges().end()) append(result, *a++);
  return of_sorted(std::move(result));
}

// Of the two ranges at hand the one that ends first cannot meet anything further, so it is passed.
CodePointSet CodePointSet::operator&(const CodePointSet& other) const {
  std::vector<Range> result;
  auto a = ranges().begin();
  auto b = other.ranges().begin();
  while (a != ranges().end() && b != other.ranges().end()) {
    const char32_t first = std::max(a->first, b->first), last = std::min(a->last, b->last);
    if (first <= last) result.push_back({first, last});
    if (a->last < b->last) {
      ++a;
    } else {
      ++b;
    }
  }
  return of_sorted(std::move(result));
}

CodePointSet CodePointSet::operator-(const CodePointSet& other) const {
  return *this & other.complement();
}

CodePointSet CodePointSet::complement() const {
  std::vector<Range> result;
  char32_t next = 0;
  for (const Range r : ranges()) {
    if (r.first > next) result.push_back({next, r.first - 1});
    next = r.last + 1;
  }
  if (next <= kLast) result.push_back({next, kLast});
  return of_sorted(std::move(result));
}

}  // namespace weft
