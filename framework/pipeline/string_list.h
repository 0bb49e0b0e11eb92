// A JSON list of strings, as `vocab/strings.json` is: read without making a tree of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "registry/base/export.h"

namespace weft {

// The strings of the list; nothing where `json` is anything else, or not quite JSON: the reader of
// JSON then says more.
WEFT_API std::optional<std::vector<std::string>> read_string_list(std::string_view json);

// Whether `read_string_list` gives strings. Much faster: it makes none.
WEFT_API bool is_string_list(std::string_view json);

}  // namespace weft
