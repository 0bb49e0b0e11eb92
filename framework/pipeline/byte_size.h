// Amounts of memory as people write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "registry/base/export.h"
#include "registry/functions/field_traits.h"

namespace weft {

// "2GB", "1.5 GiB", "500MB", "64kB", "1000000B": a positive number and its unit, powers of 1000, or
// of 1024 with an "i"; letter case does not matter. Nothing for anything else.
WEFT_API std::optional<std::int64_t> parse_byte_size(std::string_view text);

// An amount in a config.
struct ByteSize {
  std::int64_t bytes = 0;
};

template <>
struct WEFT_API FieldConversion<ByteSize> {
  static Type accepts() { return Type::string(); }
  static std::string fault(const Node& text);
  static ByteSize from_node(const Node& text);
  static Node to_node(const ByteSize& size) { return std::to_string(size.bytes) + "B"; }
};

// "1.5 GB": what messages say.
WEFT_API std::string byte_size_text(double bytes);

}  // namespace weft
