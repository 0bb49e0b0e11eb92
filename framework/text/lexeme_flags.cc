// The yes/no attributes of word forms.
#include <algorithm>
#include <initializer_list>

#include "framework/text/lexeme.h"
#include "framework/text/like_url.h"
#include "framework/unicode/unicode.h"

namespace weft {
namespace {

using Words = std::initializer_list<std::string_view>;

bool is_one_of(std::string_view word, Words words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

template <typename Test>
bool all_of(std::string_view word, Test test) {
  for (std::size_t pos = 0; pos < word.size();) {
    if (!test(next_code_point(word, pos))) return false;
  }
  return true;
}

bool all_digits(std::string_view word) {
  return !word.empty() && all_of(word, [](char32_t c) { return is_digit(c); });
}

// Case as Python's islower, isupper and istitle see it.
LexemeFlags case_flags(std::string_view word) {
  bool lower = true;
  bool upper = true;
  bool title = true;
  bool any_cased = false;
  bool after_cased = false;
  for (std::size_t pos = 0; pos < word.size();) {
    const char32_t c = next_code_point(word, pos);
    const bool capital = is_upper(c) || is_title(c);
    const bool cased = capital || is_lower(c);
    lower = lower && !capital;
    upper = upper && (!cased || is_upper(c));
    if (cased && capital == after_cased) title = false;
    any_cased = any_cased || cased;
    after_cased = cased;
  }
  if (!any_cased) return 0;
  return (lower ? flag_bit(Attr::is_lower) : 0) | (upper ? flag_bit(Attr::is_upper) : 0) |
         (title ? flag_bit(Attr::is_title) : 0);
}

// A number with an optional sign and any commas and points, or a fraction of two such.
bool like_number(std::string_view word) {
  for (const std::string_view sign : {"+", "-", "±", "~"}) {
    if (!word.starts_with(sign)) continue;
    word.remove_prefix(sign.size());
    break;
  }
  std::string digits;
  for (const char c : word) {
    if (c != ',' && c != '.') digits += c;
  }
  const std::size_t slash = digits.find('/');
  if (slash == std::string::npos) return all_digits(digits);
  const std::string_view view = digits;
  return all_digits(view.substr(0, slash)) && all_digits(view.substr(slash + 1));
}

bool is_ascii_alnum(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// name@host.rest at the start of the word; the name and the rest have at least one character.
bool like_email(std::string_view word) {
  std::size_t at = 0;
  while (at < word.size() &&
         (is_ascii_alnum(word[at]) || std::string_view("_.+-").find(word[at]) != word.npos)) {
    ++at;
  }
  if (at == 0 || at >= word.size() || word[at] != '@') return false;
  std::size_t dot = at + 1;
  while (dot < word.size() && (is_ascii_alnum(word[dot]) || word[dot] == '-')) ++dot;
  if (dot == at + 1 || dot + 1 >= word.size() || word[dot] != '.') return false;
  const char next = word[dot + 1];
  return is_ascii_alnum(next) || next == '-' || next == '.';
}

LexemeFlags mark_flags(std::string_view word) {
  LexemeFlags flags = 0;
  if (word.size() > 3) return flags;  // every mark below is at most three bytes long
  const auto set = [&](Attr attr, Words words) {
    if (is_one_of(word, words)) flags |= flag_bit(attr);
  };
  set(Attr::is_bracket, {"(", ")", "[", "]", "{", "}", "<", ">"});
  set(Attr::is_quote, {"\"", "'", "`", "«", "»", "‘", "’", "‚", "‛", "“", "”", "„", "‟", "‹", "›",
                       "❮", "❯", "''", "``"});
  set(Attr::is_left_punct,
      {"(", "[", "{", "<", "\"", "'", "«", "‘", "‚", "‛", "“", "„", "‟", "‹", "❮", "``"});
  set(Attr::is_right_punct, {")", "]", "}", ">", "\"", "'", "»", "’", "”", "›", "❯", "''"});
  return flags;
}

}  // namespace

LexemeFlags flags_of(std::string_view word) {
  LexemeFlags flags = case_flags(word) | mark_flags(word);
  const auto set = [&](Attr attr, bool value) {
    if (value) flags |= flag_bit(attr);
  };
  set(Attr::is_alpha, !word.empty() && all_of(word, [](char32_t c) { return is_alpha(c); }));
  set(Attr::is_ascii, is_ascii(word));
  set(Attr::is_digit, all_digits(word));
  set(Attr::is_punct, all_of(word, is_punctuation));
  set(Attr::is_space, is_space(word));
  set(Attr::is_currency, all_of(word, is_currency_sign));
  set(Attr::like_num, like_number(word));
  set(Attr::like_email, like_email(word));
  set(Attr::like_url, like_url(word));
  return flags;
}

}  // namespace weft
