// JSON as Python's json module reads and writes it: NaN and infinities, integers of any size, 1 and
// 1.0 kept apart. Source: docs/config.md, "Values".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// The one JSON document in `text`, or nothing if it is not valid JSON (the caller then takes the
// text itself). Nesting deeper than 512 levels and documents of more than two million values
// count as invalid.
WEFT_API std::optional<Node> parse_json(std::string_view text);

enum class JsonText {
  ascii,  // everything beyond ASCII as \u escapes: what config files hold
  utf8,   // as it is, but for what would steer a terminal: C1 controls, bidirectional marks
};

// `, ` and `: ` as separators, floats as the shortest text that reads back. Bytes that are not
// UTF-8 are written as U+FFFD.
WEFT_API std::string to_json(const Node& node, JsonText kind = JsonText::ascii);

// The same as RFC 8259 has it, for files and output that other programs read: NaN and infinities,
// which JSON has no words for, become null.
WEFT_API std::string to_standard_json(const Node& node, JsonText kind = JsonText::ascii);

// The JSON text of one string, quotes included.
WEFT_API std::string to_json_string(std::string_view text, JsonText kind = JsonText::ascii);

}  // namespace weft
