#include "framework/text/plain_word.h"

namespace weft {
namespace {

constexpr std::size_t kLongest = 99;
constexpr int kLongestRun = 4;

}  // namespace

std::optional<PlainWord> plain_word_of(std::string_view word) {
  if (word.empty() || word.size() > kLongest) return std::nullopt;
  PlainWord plain;
  plain.lower = word;
  std::size_t capitals = 0;
  char last = 0;
  int run = 0;
  for (char& c : plain.lower) {
    const bool capital = c >= 'A' && c <= 'Z';
    if (!capital && !(c >= 'a' && c <= 'z')) return std::nullopt;
    capitals += capital;
    if (capital) c = static_cast<char>(c + ('a' - 'A'));
    const char kind = capital ? 'X' : 'x';
    run = kind == last ? run + 1 : 1;
    last = kind;
    if (run <= kLongestRun) plain.shape += kind;
  }
  plain.flags = flag_bit(Attr::is_alpha) | flag_bit(Attr::is_ascii);
  const bool first_capital = word.front() <= 'Z';
  if (capitals == 0) plain.flags |= flag_bit(Attr::is_lower);
  if (capitals == word.size()) plain.flags |= flag_bit(Attr::is_upper);
  if (capitals == 1 && first_capital) plain.flags |= flag_bit(Attr::is_title);
  return plain;
}

}  // namespace weft
