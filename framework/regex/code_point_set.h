// A set of Unicode code points as sorted ranges: what a character class of a pattern means.
#pragma once

#include <cstddef>
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

  const std::vector<Range>& ranges() const { return ranges_; }
  bool empty() const { return ranges_.empty(); }
  std::size_t size() const;  // code points
  bool contains(char32_t c) const;
  bool within(const CodePointSet& other) const;  // every one of its code points is in `other`
  bool is_all() const { return ranges_.size() == 1 && ranges_[0] == Range{0, kLast}; }
  // Code points of `span` that are in the set.
  std::size_t count_in(Range span) const;

  CodePointSet operator|(const CodePointSet& other) const;
  CodePointSet operator&(const CodePointSet& other) const;
  CodePointSet operator-(const CodePointSet& other) const;
  CodePointSet complement() const;
  bool operator==(const CodePointSet&) const = default;

 private:
  std::vector<Range> ranges_;  // sorted, neither overlapping nor touching
};

}  // namespace weft
