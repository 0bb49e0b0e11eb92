// Files of patterns: a JSON object on each line.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>

#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// Calls `use` with the objects of a file, each with file and line as its origin, and its number
// from 0 on; empty lines are passed over. Throws Error(data) with file and line for a line that is
// no JSON object, Error(system).
using UsePattern = std::function<void(const Node& entry, std::size_t index)>;
WEFT_API void read_pattern_lines(const std::filesystem::path& file, const UsePattern& use);

// Where an entry was read, "patterns.jsonl:3", or "pattern 3" for one without an origin.
WEFT_API std::string pattern_place(const Node& entry, std::size_t index);

}  // namespace weft
