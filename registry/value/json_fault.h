// Where a text stops being JSON, for messages.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "registry/base/export.h"

namespace weft {

struct JsonFault {
  std::size_t byte = 0;      // from 0
  int line = 1, column = 1;  // from 1; columns count bytes
};

// The first byte that cannot stand there; the end for a text that is cut off. Nothing for JSON of
// RFC 8259, however deep.
WEFT_API std::optional<JsonFault> json_fault(std::string_view text);

}  // namespace weft
