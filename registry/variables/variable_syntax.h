// ${...} and $$ in raw values. Source: docs/config.md, "Variables".
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

struct Piece {
  std::string_view text;  // literal text, or the name between `${` and `}`
  bool reference = false;
};

struct VariableSplit {
  std::vector<Piece> pieces;              // a `$$` gives the literal piece `$`
  std::optional<std::size_t> bad_dollar;  // the first `$` that starts neither `$$` nor `${name}`
};

VariableSplit split_variables(std::string_view raw);

// True if `text` holds `${` + word characters, dots and colons + `}`: what marks a value as one to
// be kept as it is written.
bool holds_plain_variable(std::string_view text);

// The text of JSON that, expanded, gives the JSON back: every `$` doubled. With `keep_variables` a
// `$` before `{` stays, and so does `$$`.
std::string double_dollars(std::string_view text, bool keep_variables);

}  // namespace weft
