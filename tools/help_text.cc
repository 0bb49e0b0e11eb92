#include "tools/help_text.h"

namespace weft::tools {

std::string wrapped(std::string_view text, std::size_t width) {
  std::string lines;
  std::size_t length = 0;  // of the last line
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size() < text.size() ? word.size() + 1 : text.size());
    const bool fits = length + 1 + word.size() <= width;
    if (!lines.empty()) lines += fits ? ' ' : '\n';
    length = fits && !lines.empty() ? length + 1 + word.size() : word.size();
    lines += word;
  }
  return lines;
}

std::string without_trailing_blanks(std::string_view text) {
  std::string kept;
  for (const char character : text) {
    if (character == '\n') kept.erase(kept.find_last_not_of(' ') + 1);
    kept += character;
  }
  return kept;
}

}  // namespace weft::tools
