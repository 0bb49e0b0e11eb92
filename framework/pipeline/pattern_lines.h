// Files of patterns: a JSON object on each line.
#pragma once

#include <filesystem>
#include <string>

#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// The objects of a file, each with file and line as its origin; empty lines are passed over. Throws
// Error(data) with file and line for a line that is no JSON object, Error(system).
WEFT_API List read_pattern_lines(const std::filesystem::path& file);

// One object a line.
WEFT_API std::string pattern_lines(const List& entries);

// Where an entry was read, "patterns.jsonl:3", or "pattern 3" for one without an origin.
WEFT_API std::string pattern_place(const Node& entry, std::size_t index);

}  // namespace weft
