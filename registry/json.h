// JSON as Python's json module reads and writes it: NaN and infinities, integers of any size, 1 and
// 1.0 kept apart. Source: docs/config.md, "Values".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "registry/config.h"
#include "registry/export.h"

namespace weft {

// The one JSON document in `text`, or nothing if it is not valid JSON (the caller then takes the
// text itself). Nesting deeper than 512 levels counts as invalid.
WEFT_API std::optional<Node> parse_json(std::string_view text);

// `, ` and `: ` as separators, strings ASCII-escaped, floats as the shortest text that reads back.
WEFT_API std::string to_json(const Node& node);

}  // namespace weft
