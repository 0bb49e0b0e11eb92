#include "framework/regex/code_point_set.h"

#include <algorithm>
#include <array>
#include <string>

#include <utf8proc.h>

#include "registry/error.h"

namespace weft {
namespace {

// Code points that all have one category and keep it: Unicode takes no assigned character back, and
// those without any were so in Unicode 14, by which texts are cut. To pass them over spares asking
// for a million.
constexpr CodePointSet::Range kUniform[] = {
    {0x3400, 0x4DB5},   {0x4E00, 0x9FA5},   {0xAC00, 0xD7A3},   {0xD800, 0xDFFF},
    {0xE000, 0xF8FF},   {0x17000, 0x187EC}, {0x20000, 0x2A6D6}, {0x2A700, 0x2B734},
    {0x2B740, 0x2B81D}, {0x2B820, 0x2CEA1}, {0x2CEB0, 0x2EBE0}, {0x30000, 0x3134A},
    {0x323B0, 0xDFFFF}, {0xE01F0, 0xEFFFF}, {0xF0000, 0xFFFFD}, {0x100000, 0x10FFFD}};

// Calls `add(first, last)` for each run of code points of one general category.
template <class Add>
void for_each_category_run(Add add) {
  char32_t start = 0;
  int current = utf8proc_category(0);
  auto uniform = std::begin(kUniform);
  for (char32_t c = 1; c <= CodePointSet::kLast + 1; ++c) {
    if (uniform != std::end(kUniform) && c == uniform->first + 1) c = (uniform++)->last + 1;
    const int next = c > CodePointSet::kLast ? -1 : utf8proc_category(static_cast<int>(c));
    if (next == current) continue;
    add(current, CodePointSet::Range{start, c - 1});
    start = c;
    current = next;
  }
}

using CategoryTable = std::array<std::vector<CodePointSet::Range>, 32>;

// Ranges by category, made once per process.
const CategoryTable& category_table() {
  static const CategoryTable table = [] {
    CategoryTable made;
    for_each_category_run([&](int category, CodePointSet::Range run) {
      made[static_cast<std::size_t>(category)].push_back(run);
    });
    return made;
  }();
  return table;
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
  for (const Range r : ranges) {
    if (!ranges_.empty() && r.first <= ranges_.back().last + 1) {
      ranges_.back().last = std::max(ranges_.back().last, r.last);
    } else {
      ranges_.push_back(r);
    }
  }
}

CodePointSet CodePointSet::of_category(std::string_view category) {
  CodePointSet set;
  bool known = false;
  for (std::size_t i = 0; i < kCategories.size(); ++i) {
    if (category.empty() || !kCategories[i].starts_with(category)) continue;
    known = true;
    set = set | CodePointSet(category_table()[i]);
  }
  if (!known) {
    throw Error(ErrorKind::config, "no Unicode category is called " + std::string(category));
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
  std::vector<Range> both(ranges_.size() + other.ranges_.size());
  std::merge(ranges_.begin(), ranges_.end(), other.ranges_.begin(), other.ranges_.end(),
             both.begin(), [](Range a, Range b) { return a.first < b.first; });
  return CodePointSet(std::move(both));
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
