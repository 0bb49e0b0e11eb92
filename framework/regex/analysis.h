// Necessary conditions on a text for a pattern to match in it. The tokenizer computes them once,
// when it is built, and then calls the regular expression only where it can match.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "framework/regex/syntax.h"
#include "registry/base/export.h"

namespace weft {

// Sets are upper bounds: a character outside of them is a proof, one inside is none.
struct RegexFacts {
  // Numbers of characters from here on are not told apart: no text is so long.
  static constexpr std::size_t kMany = std::size_t{1} << 40;

  CodePointSet first;  // a match that takes something starts with one of these …
  CodePointSet last;   // … ends with one of these …
  CodePointSet taken;  // … and consists of these
  CodePointSet
      required;  // at least one of these stands in any text that matches (look-around included)
  std::optional<std::size_t> max_width;  // code points that a match can take; nothing = any number
  // Characters that one attempt looks at, each part of the pattern once, or as often as it is
  // counted: of a repetition without end, the least. A wide class counts for more (below).
  std::size_t items = 1;
  bool can_be_empty = false;
  std::size_t look_behind = 0;  // code points that look-behinds see before the match at most
  bool anchored_start = false;  // matches only at the start of the text
  bool anchored_end = false;    // … only up to its end, or up to a line feed that ends it
  bool can_fail = true;         // there are places where it does not match
  // Trying it at every place of a text takes steps by the length of the text, not by its square.
  bool linear = true;
};

WEFT_API RegexFacts facts_of(const RegexNode& node);

// The `items` that a class of so many ranges counts for: 1, but for those that take far longer.
std::size_t items_of_class(std::size_t ranges);

// The facts of each alternative at the top of the pattern, `(?:a|b)c` being two; of some together
// where there are more than 512.
WEFT_API std::vector<RegexFacts> facts_of_alternatives(const RegexNode& root);

}  // namespace weft
