// Names that mean the same in capital letters.
#pragma once

#include <string>
#include <string_view>

namespace weft {

// ASCII alone, in any locale; other bytes stay as they are.
constexpr char lower_case(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
constexpr char upper_case(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}
inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = lower_case(c);
  return lower;
}
inline std::string upper_case(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) c = upper_case(c);
  return upper;
}

}  // namespace weft
