#include "registry/reading/value_warnings.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include <fmt/format.h>

#include "registry/base/letter_case.h"
#include "registry/base/unicode.h"
#include "registry/value/json.h"

namespace weft {
namespace {

using Advice = std::optional<std::string>;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool has_variable(std::string_view raw) {
  return raw.find('$') != std::string_view::npos;
}

// The offset behind the closing quote of text that starts with one; npos if it never closes.
std::size_t behind_quotes(std::string_view raw) {
  for (std::size_t i = 1; i < raw.size(); ++i) {
    if (raw[i] == '\\') {
      ++i;
    } else if (raw[i] == '"') {
      return i + 1;
    }
  }
  return std::string_view::npos;
}

bool is_value(std::string_view text) {
  return text == "True" || text == "False" || text == "None" || parse_json(text).has_value();
}

// A ` #` or ` ;` behind something that could be meant as the value.
Advice comment_behind(std::string_view raw) {
  const std::size_t quoted = raw[0] == '"' ? behind_quotes(raw) : 0;
  if (quoted == std::string_view::npos) return std::nullopt;
  for (std::size_t at = std::max<std::size_t>(quoted, 1); at < raw.size(); ++at) {
    if (raw[at] != '#' && raw[at] != ';') continue;
    if (raw[at - 1] != ' ' && raw[at - 1] != '\t') continue;
    const std::string_view head = strip_right(raw.substr(0, at));
    const bool word = head.find_first_of(" \n") == std::string_view::npos;
    if (raw[at] == '#' || word || is_value(head)) return "a comment needs a line of its own";
  }
  return std::nullopt;
}

Advice trailing_comma(std::string_view raw) {
  if (raw.back() != ',') return std::nullopt;
  const std::string_view head = strip_right(raw.substr(0, raw.size() - 1));
  if (head.empty() || !is_value(head)) return std::nullopt;
  return "remove the comma at the end";
}

// Digits with at most one point and an exponent: `+1`, `.5`, `5.`, `007`, `1_000`.
bool looks_decimal(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  if (const auto e = text.find_first_of("eE"); e != std::string_view::npos && e > 0) {
    std::string_view exponent = text.substr(e + 1);
    if (exponent.starts_with('+') || exponent.starts_with('-')) exponent.remove_prefix(1);
    if (exponent.empty() || !std::all_of(exponent.begin(), exponent.end(), is_digit)) return false;
    text = text.substr(0, e);
  }
  return std::any_of(text.begin(), text.end(), is_digit) && text.front() != '_' &&
         std::count(text.begin(), text.end(), '.') <= 1 &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return is_digit(c) || c == '.' || c == '_'; });
}

bool looks_like_number(std::string_view raw) {
  if (raw.size() > 2 && raw[0] == '0' && (raw[1] == 'x' || raw[1] == 'X')) {
    return std::all_of(raw.begin() + 2, raw.end(),
                       [](unsigned char c) { return std::isxdigit(c) != 0; });
  }
  return looks_decimal(raw);
}

Advice other_number(std::string_view raw) {
  if (!looks_like_number(raw)) return std::nullopt;
  return "numbers are written like 12, -0.5 or 1e-3; put text in double quotes";
}

Advice other_spelling(std::string_view raw) {
  static constexpr std::array<std::string_view, 6> kWords = {"true", "false", "null",
                                                             "none", "nan",   "infinity"};
  const std::string lower = lower_case(raw.substr(0, 16));
  if (raw.size() > 16 || std::find(kWords.begin(), kWords.end(), lower) == kWords.end()) {
    return std::nullopt;
  }
  return "only true, false, null, NaN, Infinity, True, False and None have a meaning";
}

Advice bad_quoted_text(std::string_view raw) {
  const std::size_t end = behind_quotes(raw);
  if (end == std::string_view::npos) return "the closing quote is missing";
  if (end < raw.size()) return "there is text behind the closing quote";
  if (has_variable(raw)) return std::nullopt;
  for (std::size_t i = 1; i + 1 < raw.size(); ++i) {
    if (static_cast<unsigned char>(raw[i]) < ' ') {
      return "line breaks and tabs inside quotes are written \\n and \\t";
    }
    if (raw[i] != '\\') continue;
    const char escape = raw[++i];
    if (std::string_view("\"\\/bfnrtu").find(escape) == std::string_view::npos) {
      return fmt::format("`\\{}` is no escape; double the backslash or use `/`",
                         raw.substr(i, first_code_point(raw.substr(i)).length));
    }
  }
  return "it is no valid JSON string";
}

bool comma_before_bracket(std::string_view raw) {
  for (auto at = raw.find(','); at != std::string_view::npos; at = raw.find(',', at + 1)) {
    const auto next = raw.find_first_not_of(" \t\r\n", at + 1);
    if (next != std::string_view::npos && (raw[next] == ']' || raw[next] == '}')) return true;
  }
  return false;
}

Advice bad_list(std::string_view raw) {
  if (has_variable(raw)) return std::nullopt;
  if (comma_before_bracket(raw)) return "remove the comma before the closing bracket";
  if (raw.find('\'') != std::string_view::npos) return "text inside it needs double quotes";
  return raw[0] == '[' ? "it is no valid JSON list" : "it is no valid JSON object";
}

// Only text that was probably meant as something else is warned of: most plain text is meant so.
// The first advice that fits is given.
Advice advice_for(std::string_view raw) {
  if (Advice advice = comment_behind(raw)) return advice;
  if (Advice advice = trailing_comma(raw)) return advice;
  if (raw[0] == '"') return bad_quoted_text(raw);
  if (raw[0] == '[' || raw[0] == '{') return bad_list(raw);
  if (Advice advice = other_number(raw)) return advice;
  return other_spelling(raw);
}

// `"C:\new"` is valid JSON, but `\n` is a line break.
bool is_drive_with_escapes(std::string_view raw) {
  return raw.size() > 5 && raw[0] == '"' && std::isalpha(static_cast<unsigned char>(raw[1])) != 0 &&
         raw[2] == ':' && raw[3] == '\\' && raw[4] != '\\';
}

// The first line of the text, at most 40 bytes of it and no half code point.
std::string_view shown(std::string_view raw) {
  std::size_t end = std::min({raw.find('\n'), raw.size(), std::size_t{40}});
  while (end > 0 && end < raw.size() && (static_cast<unsigned char>(raw[end]) & 0xC0) == 0x80)
    --end;
  return raw.substr(0, end);
}

Problem warning(ProblemKind kind, std::string message) {
  Problem problem;
  problem.severity = Severity::warning;
  problem.kind = kind;
  problem.message = std::move(message);
  return problem;
}

}  // namespace

std::optional<Problem> value_warning(std::string_view raw, std::string_view value,
                                     VariableMode mode) {
  if (raw.empty()) return std::nullopt;
  if (raw != value) {  // a JSON string
    if (!is_drive_with_escapes(raw)) return std::nullopt;
    return warning(
        ProblemKind::became_string,
        fmt::format("{} holds escapes like \\n; double each backslash or use `/`", shown(raw)));
  }
  raw = strip(raw);  // the first line may be empty
  if (raw.front() == '\'' && raw.back() == '\'') {
    const bool expanded = mode == VariableMode::expanded;
    return warning(
        expanded ? ProblemKind::single_quoted : ProblemKind::became_string,
        fmt::format("the single quotes of {} are part of the text; use double quotes", shown(raw)));
  }
  const Advice advice = advice_for(raw);
  if (!advice) return std::nullopt;
  return warning(ProblemKind::became_string,
                 fmt::format("{} is taken as text: {}", shown(raw), *advice));
}

}  // namespace weft
