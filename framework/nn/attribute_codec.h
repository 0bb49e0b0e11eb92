// Attributes of a layer as a model file holds them: one MessagePack value each.
#pragma once

#include <string>
#include <string_view>

#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// Null, booleans, integers, floats, strings, and lists and objects of them.
WEFT_API std::string attribute_to_bytes(const Node& value);
// Throws Error(data) naming `source` for bytes that are no such value.
WEFT_API Node attribute_from_bytes(std::string_view bytes, const std::string& source);

}  // namespace weft
