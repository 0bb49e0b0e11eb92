// Names in HTTP that mean the same in capital letters: of headers, media types and codings.
#pragma once

#include <string>
#include <string_view>

namespace weft::tools {

// ASCII alone; other bytes stay as they are.
inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return lower;
}

}  // namespace weft::tools
