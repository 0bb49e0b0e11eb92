// The tree of a regular expression in the syntax of Python's `re`, the one that spaCy's tokenizer
// files are written in. Read by parse_regex, turned into PCRE2 syntax by to_pcre2, and asked by
// analysis.h what a text must hold to match at all.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "framework/regex/code_point_set.h"

namespace weft {

enum class RegexKind {
  set,             // one character out of a set; a literal is a set of one
  sequence,        // children one after another; no children: the empty match
  alternation,     // the first child that leads to a match
  repeat,          // child[0], min to max times
  group,           // child[0]; captures unless `capture` is 0
  atomic,          // child[0] without backtracking into it
  look,            // child[0] seen ahead or behind, without taking it
  line_start,      // ^
  line_end,        // $
  text_start,      // \A
  text_end,        // \Z
  word_boundary,   // \b, and \B if `negative`
  back_reference,  // the text of group `capture`
};

enum class RepeatMode { greedy, lazy, possessive };

// The shorthands of a class, kept as such: PCRE2 tests a property faster than hundreds of ranges.
enum Shorthand : unsigned { kWord = 1, kNotWord = 2, kDigit = 4, kNotDigit = 8 };

struct RegexNode {
  static constexpr std::uint32_t kUnlimited = std::numeric_limits<std::uint32_t>::max();

  RegexKind kind = RegexKind::sequence;
  std::vector<RegexNode> children;
  // set
  CodePointSet set;         // without the shorthands
  unsigned shorthands = 0;  // OR of Shorthand
  bool negated = false;
  bool ignore_case = false;  // also of a back reference
  // repeat
  std::uint32_t min = 0, max = 0;
  RepeatMode mode = RepeatMode::greedy;
  // look, word_boundary
  bool behind = false, negative = false;
  // line_start, line_end
  bool multiline = false;
  // group, back_reference: number from 1, 0 = does not capture
  std::uint32_t capture = 0;
};

// Every code point that a `set` node takes, without regard to case.
CodePointSet members(const RegexNode& set_node);
// White space of Python's str.isspace, letters+digits+underscore, and decimal digits: what the
// shorthands \s, \w and \d of Python 3 stand for.
const CodePointSet& python_space();
const CodePointSet& python_word();
const CodePointSet& python_digit();

}  // namespace weft
