#include "framework/text/spacy_json_sign.h"

#include <filesystem>
#include <string_view>

#include "framework/io/file_limits.h"
#include "framework/io/input_lines.h"
#include "framework/io/text_beginning.h"

namespace weft {
namespace {

// The place behind the text that begins before `at`.
std::size_t behind_text(std::string_view json, std::size_t at) {
  for (; at < json.size() && json[at] != '"'; ++at) {
    if (json[at] == '\\') ++at;
  }
  return at + 1;
}

bool has_paragraphs(std::string_view json) {
  if (json.starts_with(kByteOrderMark)) json.remove_prefix(kByteOrderMark.size());
  const std::size_t start = json.find_first_not_of(" \t\r\n");
  if (start == json.npos) return false;
  const int own_depth = json[start] == '[' ? 2 : 1;  // of the keys of the first document
  int depth = 0;
  for (std::size_t at = start; at < json.size(); ++at) {
    const char c = json[at];
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth < own_depth) return false;
    if (c != '"') continue;
    const std::size_t end = behind_text(json, at + 1);
    if (depth == own_depth && end <= json.size() && json.substr(at, end - at) == "\"paragraphs\"") {
      return true;
    }
    at = end - 1;
  }
  return false;
}

}  // namespace

bool looks_like_spacy_json(const std::string& path) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return true;
  InputLines file(path, kLongestTextLine);
  return has_paragraphs(file.peek());
}

}  // namespace weft
