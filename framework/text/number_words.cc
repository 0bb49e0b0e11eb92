#include "framework/text/number_words.h"

#include "framework/unicode/unicode.h"

namespace weft {
namespace {

using Language = std::unordered_set<std::string>;

bool has(const Language& language, std::string_view rule, std::string_view character = {}) {
  return language.contains(std::string(rule).append(character));
}

std::string_view without_sign(std::string_view word) {
  for (const std::string_view sign : {"+", "-", "±", "~"}) {
    if (word.starts_with(sign)) return word.substr(sign.size());
  }
  return word;
}

std::string_view without_last(std::string_view word, const Language& language) {
  if (word.empty()) return word;
  std::size_t last = word.size();
  previous_code_point(word, last);
  return has(language, "<last>", word.substr(last)) ? word.substr(0, last) : word;
}

std::string without_dropped(std::string_view word, const Language& language) {
  std::string kept;
  for (std::size_t pos = 0, start = 0; pos < word.size(); start = pos) {
    next_code_point(word, pos);
    const std::string_view character = word.substr(start, pos - start);
    if (character == "," || character == "." || has(language, "<drop>", character)) continue;
    kept += character;
  }
  return kept;
}

std::string bare_number(std::string_view word, const Language& language) {
  if (language.empty()) return without_dropped(without_sign(word), language);
  if (!has(language, "<+>")) word = without_sign(word);
  return without_dropped(without_last(word, language), language);
}

// How many bytes at the start are digits.
std::size_t digits_of(std::string_view word) {
  std::size_t digits = 0;
  for (std::size_t pos = 0; pos < word.size(); digits = pos) {
    if (!is_digit(next_code_point(word, pos))) break;
  }
  return digits;
}

bool is_fraction(std::string_view word, char between) {
  const std::size_t first = digits_of(word);
  if (first == 0 || first >= word.size() || word[first] != between) return false;
  const std::string_view rest = word.substr(first + 1);
  return !rest.empty() && digits_of(rest) == rest.size();
}

bool is_ordinal(std::string_view word, const Language& language) {
  const std::size_t digits = digits_of(word);
  if (digits == 0 || digits == word.size()) return false;
  if (has(language, "#", word.substr(digits))) return true;
  std::size_t behind = digits;
  next_code_point(word, behind);
  return has(language, "#?", word.substr(behind));
}

bool is_compound(std::string_view word, const Language& language) {
  bool unit_next = false;
  std::size_t units = 0;
  for (std::size_t pos = 0, start = 0; pos < word.size(); start = pos) {
    next_code_point(word, pos);
    const std::string_view rule = unit_next ? "<unit>" : "<count>";
    if (!has(language, rule, word.substr(start, pos - start))) return false;
    if (unit_next) ++units;
    unit_next = !unit_next;
  }
  return units > 0;
}

}  // namespace

bool is_number(std::string_view word, const Language& language) {
  std::string bare = bare_number(word, language);
  if (!bare.empty() && digits_of(bare) == bare.size()) return true;
  if (is_fraction(bare, '/')) return true;
  if (language.empty()) return false;
  if (has(language, "#^#") && is_fraction(bare, '^')) return true;
  if (!has(language, "<Aa>")) bare = lower(bare);
  const bool is_rule = bare.starts_with('#') || bare.starts_with('<');
  if (!is_rule && language.contains(bare)) return true;
  if (has(language, "<1>") && !is_rule && language.contains(bare.substr(0, bare.find(' ')))) {
    return true;
  }
  return is_ordinal(bare, language) || is_compound(bare, language);
}

}  // namespace weft
