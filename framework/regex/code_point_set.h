// A set of Unicode code points as sorted ranges: what a character class of a pattern means.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "registry/base/export.h"

namespace weft {

class WEFT_API CodePointSet {
 public:
  struct Range {
    char32_t first, last;  // both included
    bool operator==(const Range&) const = default;
  };
  static constexpr char32_t kLast = 0x10FFFF;

  CodePointSet() = default;
  explicit CodePointSet(std::vector<Range> ranges);  // in any order, overlaps allowed
  static CodePointSet of(char32_t c) { return CodePointSet({{c, c}}); }
  static CodePointSet all() { return CodePointSet({{0, kLast}}); }
  // Every code point whose general category starts with `category`: "Ll", "L", "So" …
  // Throws Error(config) if there is no such category.
  static CodePointSet of_category(std::string_view category);

  const std::vector<Range>& ranges() const { return shared_->ranges; }
  bool empty() const { return ranges().empty(); }
  std::size_t size() const { return shared_->size; }  // code points
  bool contains(char32_t c) const;
  bool within(const CodePointSet& other) const;  // every one of its code points is in `other`
  bool is_all() const { return size() == std::size_t{kLast} + 1; }
  // Code points of `span` that are in the set.
  std::size_t count_in(Range span) const;

  CodePointSet operator|(const CodePointSet& other) const;
  CodePointSet operator&(const CodePointSet& other) const;
  CodePointSet operator-(const CodePointSet& other) const;
  CodePointSet complement() const;
  bool operator==(const CodePointSet& other) const {
    return shared_ == other.shared_ || ranges() == other.ranges();
  }

 private:
  // Never changed once it is made. A pattern may hold the set of all words a million times, each of
  // its seven hundred ranges, and analysis hands sets around: copies are the same ranges.
  struct Ranges {
    std::vector<Range> ranges;  // sorted, neither overlapping nor touching
    std::size_t size = 0;       // code points
  };
  static const std::shared_ptr<const Ranges>& no_ranges();
  static CodePointSet of_sorted(std::vector<Range> ranges);

  std::shared_ptr<const Ranges> shared_ = no_ranges();
};

}  // namespace weft
