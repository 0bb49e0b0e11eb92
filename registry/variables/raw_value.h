// Raw text of a value to its node, and back. Source: docs/config.md, "Values" and "Writing".
#pragma once

#include <string>
#include <string_view>

#include "registry/value/config.h"
#include "registry/value/json.h"

namespace weft {

// Whether variables will be expanded at once or stay in the tree.
enum class VariableMode { expanded, kept };

// The JSON document in `raw`, True, False or None, or else the text itself. Takes no notice of
// variables.
Node plain_value(std::string_view raw);

// As plain_value, with values that hold variables marked: kept_raw (raw text that is still to be
// expanded) or, in kept mode, kept_text.
Node read_value(std::string_view raw, VariableMode mode);

// Reads `$$` as one sign wherever no variable is kept, in all that is below.
void take_dollars(Node& node);

// True for a string, or a list with such strings in it, that `interpolate` has still to expand.
bool needs_expansion(const Node& node);

// The raw text that reads back as `node`, variables included.
std::string raw_text(const Node& node, JsonText style = JsonText::ascii);

}  // namespace weft
