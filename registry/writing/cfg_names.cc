#include "registry/writing/cfg_names.h"

#include <algorithm>

#include "registry/base/unicode.h"

namespace weft {
namespace {

bool holds_line_break(std::string_view text) {
  return text.find_first_of("\n\r") != std::string_view::npos;
}

}  // namespace

std::string section_name_fault(std::string_view name, std::string_view part) {
  if (name.empty()) return "a section needs a name";
  if (part.find('.') != part.npos) return "a section's name cannot hold a dot";
  if (name == "DEFAULT") return "the name DEFAULT is reserved";
  if (holds_line_break(name)) return "a section's name cannot hold a line break";
  if (find_invalid_utf8(name)) return "a section's name must be UTF-8";
  return {};
}

std::string key_fault(std::string_view key, std::string_view line) {
  if (key.empty()) return "a key cannot be empty";
  if (key.find_first_of("=:") != std::string_view::npos) return "a key cannot hold `=` or `:`";
  if (holds_line_break(key)) return "a key cannot hold a line break";
  if (strip(key) != key) return "a key cannot start or end with a blank";
  if (key.starts_with('#') || key.starts_with(';')) return "a key cannot start with `#` or `;`";
  const std::string_view first_line = line.substr(0, line.find('\n'));
  if (key.starts_with('[') && first_line.rfind(']') != std::string_view::npos) {
    return "a key that starts with `[` would read as a section";
  }
  if (find_invalid_utf8(key)) return "a key must be UTF-8";
  return {};
}

std::string comment_line(std::string_view text, std::string_view signs) {
  std::string line(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  std::replace(line.begin(), line.end(), '\r', ' ');
  if (line.empty()) return std::string(signs.substr(0, 1));
  if (signs.find(line[0]) != std::string_view::npos) return line;
  if (line[0] == ';' || line[0] == '#') {
    line[0] = signs[0];
    return line;
  }
  return std::string(signs.substr(0, 1)) + ' ' + line;
}

}  // namespace weft
