// Bounds of JSON texts for readers that make a tree of them.
#pragma once

#include <string_view>

#include "registry/base/export.h"

namespace weft {

// The fault of a JSON text that may have more than 2097152 values or is nested more than 512 deep,
// else null: a tree takes up to a hundred bytes for each byte of its text. Texts below 64 KiB are
// not looked at. Invalid JSON is not found here.
WEFT_API const char* beyond_json_bounds(std::string_view text);

}  // namespace weft
