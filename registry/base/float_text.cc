#include "registry/base/float_text.h"

#include <charconv>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace weft {
namespace {

// `digits` with the point after the first `whole` of them, which may lie outside of them.
std::string place_point(std::string digits, int whole) {
  const int count = static_cast<int>(digits.size());
  if (whole <= 0) return "0." + std::string(static_cast<std::size_t>(-whole), '0') + digits;
  if (whole >= count)
    return digits + std::string(static_cast<std::size_t>(whole - count), '0') + ".0";
  return digits.insert(static_cast<std::size_t>(whole), ".");
}

std::string finite_text(double magnitude) {
  char buffer[32];  // 17 digits, point, exponent
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, magnitude, std::chars_format::scientific).ptr;
  const std::string_view text(buffer, static_cast<std::size_t>(end - buffer));
  const auto e = text.find('e');
  int exponent = 0;
  const std::size_t sign = text[e + 1] == '+' ? 2 : 1;  // from_chars takes no '+'
  std::from_chars(text.data() + e + sign, text.data() + text.size(), exponent);
  if (exponent < -4 || exponent >= 16) {
    return fmt::format("{}e{}{:02}", text.substr(0, e), exponent < 0 ? '-' : '+',
                       std::abs(exponent));
  }
  std::string digits(text.substr(0, e));
  if (digits.size() > 1) digits.erase(1, 1);
  return place_point(std::move(digits), exponent + 1);
}

}  // namespace

std::string float_text(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  return (std::signbit(value) ? "-" : "") + finite_text(std::abs(value));
}

}  // namespace weft
