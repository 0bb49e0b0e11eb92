#include "registry/variables/variable_syntax.h"

#include "registry/base/unicode.h"

namespace weft {
namespace {

bool is_name_char(char32_t c) {
  if (c >= 0x80) return !is_space(c);
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '.' || c == ':';
}

bool is_plain_name(std::string_view name) {
  if (name.empty()) return false;
  while (!name.empty()) {
    const CodePoint point = first_code_point(name);
    if (!is_name_char(point.value)) return false;
    name.remove_prefix(point.length);
  }
  return true;
}

}  // namespace

// One pass from left to right. A `$` that starts nothing is an error and not text: a typing mistake
// in a variable would else become part of a value without a word.
VariableSplit split_variables(std::string_view raw) {
  VariableSplit split;
  for (std::size_t at = 0; at < raw.size();) {
    const std::size_t dollar = std::min(raw.find('$', at), raw.size());
    if (dollar > at) split.pieces.push_back({raw.substr(at, dollar - at)});
    if (dollar == raw.size()) break;
    const std::string_view rest = raw.substr(dollar);
    const auto close = rest.starts_with("${") ? rest.find('}') : std::string_view::npos;
    if (rest.starts_with("$$")) {
      split.pieces.push_back({rest.substr(0, 1)});
      at = dollar + 2;
    } else if (close != std::string_view::npos && close > 2) {
      split.pieces.push_back({rest.substr(2, close - 2), true});
      at = dollar + close + 1;
    } else {
      split.bad_dollar = dollar;
      break;
    }
  }
  return split;
}

bool holds_plain_variable(std::string_view text) {
  for (auto at = text.find("${"); at != std::string_view::npos; at = text.find("${", at + 2)) {
    const auto close = text.find('}', at);
    if (close == std::string_view::npos) return false;
    if (is_plain_name(text.substr(at + 2, close - at - 2))) return true;
  }
  return false;
}

std::string double_dollars(std::string_view text, bool keep_variables) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] != '$') continue;
    const char next = i + 1 < text.size() ? text[i + 1] : ' ';
    if (!keep_variables || (next != '{' && next != '$')) out += '$';
    if (keep_variables && next == '$') out += text[++i];
  }
  return out;
}

}  // namespace weft
