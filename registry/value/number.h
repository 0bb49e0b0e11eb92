// Numbers of strangers: an integer may have any length.
#pragma once

#include <optional>
#include <string>

#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// The double next to the decimal number that `text` begins with, in any locale of the program: an
// infinity, or 0, where none is near.
WEFT_API double double_of(const std::string& text);

// The value of a float, or of an integer, rounded where it has more than 53 bits: an infinity for
// one with hundreds of digits. Nothing for other values.
inline std::optional<double> number_in(const Node& node) {
  if (node.is_float()) return node.as_float();
  if (const auto* big = std::get_if<BigInteger>(&node.value())) {
    return double_of(big->digits);
  }
  if (const auto* count = std::get_if<std::int64_t>(&node.value())) {
    return static_cast<double>(*count);
  }
  return std::nullopt;
}

}  // namespace weft
