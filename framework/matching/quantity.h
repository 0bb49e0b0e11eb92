// How often a token of a pattern may come: the text of its OP. Source: spaCy 3.8,
// https://spacy.io/api/matcher#patterns.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "registry/base/export.h"

namespace weft {

struct Quantity {
  std::uint32_t min = 1;
  std::optional<std::uint32_t> max = 1;  // nothing: any number
  bool negated = false;                  // one token that does not fit
};

// "1", "!", "?", "*", "+", "{n}", "{n,m}", "{n,}" or "{,m}", with blanks around n or m; nothing for
// another text, for n > m and for numbers of ten digits and more.
WEFT_API std::optional<Quantity> parse_quantity(std::string_view op);

// Whether a checked pattern may have it: not "1", and no blanks.
WEFT_API bool is_checked_quantity(std::string_view op);

}  // namespace weft
