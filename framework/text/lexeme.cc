#include "framework/text/lexeme.h"

#include "framework/unicode/unicode.h"

namespace weft {
namespace {

struct BaseNorm {
  std::string_view word;
  std::string_view norm;
};

constexpr BaseNorm kBaseNorms[] = {
    {"'s", "'s"},  {"'S", "'s"}, {"’s", "'s"}, {"’S", "'s"}, {"’", "'"},   {"‘", "'"},
    {"´", "'"},    {"`", "'"},   {"”", "\""},  {"“", "\""},  {"''", "\""}, {"``", "\""},
    {"´´", "\""},  {"„", "\""},  {"»", "\""},  {"«", "\""},  {"‘‘", "\""}, {"’’", "\""},
    {"？", "?"},   {"！", "!"},  {"，", ","},  {"；", ";"},  {"：", ":"},  {"。", "."},
    {"।", "."},    {"…", "..."}, {"—", "-"},   {"–", "-"},   {"--", "-"},  {"---", "-"},
    {"——", "-"},   {"€", "$"},   {"£", "$"},   {"¥", "$"},   {"฿", "$"},   {"US$", "$"},
    {"C$", "$"},   {"A$", "$"},  {"₺", "$"},   {"₹", "$"},   {"৳", "$"},   {"₩", "$"},
    {"Mex$", "$"}, {"₣", "$"},   {"E£", "$"}};

constexpr std::size_t kLongestBaseNorm = 8;  // bytes

char32_t shape_character(char32_t c) {
  if (is_alpha(c)) return is_upper(c) ? 'X' : 'x';
  return is_digit(c) ? 'd' : c;
}

}  // namespace

std::string_view prefix_of(std::string_view word) {
  if (word.empty()) return word;
  std::size_t end = 0;
  next_code_point(word, end);
  return word.substr(0, end);
}

std::string_view suffix_of(std::string_view word) {
  std::size_t start = word.size();
  for (int i = 0; i < 3 && start > 0; ++i) previous_code_point(word, start);
  return word.substr(start);
}

std::string shape_of(std::string_view word) {
  constexpr std::size_t kLongest = 99;  // code points of which a shape is made
  constexpr int kLongestRun = 4;
  if (word.size() > kLongest && count_code_points(word) > kLongest) return "LONG";
  std::string shape;
  char32_t last = 0;
  int run = 0;
  for (std::size_t pos = 0; pos < word.size();) {
    const char32_t c = shape_character(next_code_point(word, pos));
    run = c == last && run > 0 ? run + 1 : 1;
    last = c;
    if (run <= kLongestRun) append_utf8(shape, c);
  }
  return shape;
}

std::optional<std::string_view> find_base_norm(std::string_view word) {
  if (word.size() > kLongestBaseNorm) return std::nullopt;
  for (const BaseNorm& entry : kBaseNorms) {
    if (entry.word == word) return entry.norm;
  }
  return std::nullopt;
}

std::string base_norm_of(std::string_view word) {
  const auto base = find_base_norm(word);
  return base ? std::string(*base) : lower(word);
}

}  // namespace weft
