#include "framework/unicode/code_points.h"

#include "framework/unicode/unicode.h"

namespace weft {

std::u32string code_points_of(std::string_view text) {
  std::u32string result;
  result.reserve(text.size());
  for (std::size_t pos = 0; pos < text.size();) result += next_code_point(text, pos);
  return result;
}

std::string utf8_of(std::u32string_view text) {
  std::string result;
  for (const char32_t code_point : text) append_utf8(result, code_point);
  return result;
}

}  // namespace weft
