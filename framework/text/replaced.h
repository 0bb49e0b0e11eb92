// Texts with one piece for another.
#pragma once

#include <string>
#include <string_view>

namespace weft {

// `text` with `to` wherever it has `from`, which is not empty.
inline std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string result;
  std::size_t at = 0;
  for (std::size_t next; (next = text.find(from, at)) != text.npos; at = next + from.size()) {
    result.append(text.substr(at, next - at)).append(to);
  }
  return result.append(text.substr(at));
}

}  // namespace weft
