// Numbers of strangers: an integer may have any length.
#pragma once

#include <cstdlib>
#include <optional>

#include "registry/value/config.h"

namespace weft {

// The value of a float, or of an integer, rounded where it has more than 53 bits: an infinity for
// one with hundreds of digits. Nothing for other values.
inline std::optional<double> number_in(const Node& node) {
  if (node.is_float()) return node.as_float();
  if (const auto* big = std::get_if<BigInteger>(&node.value())) {
    return std::strtod(big->digits.c_str(), nullptr);
  }
  if (const auto* count = std::get_if<std::int64_t>(&node.value())) {
    return static_cast<double>(*count);
  }
  return std::nullopt;
}

}  // namespace weft
