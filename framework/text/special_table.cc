#include "framework/text/special_table.h"

#include <utility>

namespace weft {

SpecialTable::Entry& SpecialTable::entry(std::string_view text) {
  if (has_length_.size() <= text.size()) has_length_.resize(text.size() + 1);
  has_length_[text.size()] = true;
  const std::size_t place = filter_place(text);
  filter_[place / 64] |= std::uint64_t{1} << place % 64;
  return entries_[std::string(text)];
}

void SpecialTable::add_special(std::string_view text, std::vector<TokenPiece> pieces) {
  Entry& target = entry(text);
  target.special = true;
  target.pieces = std::move(pieces);
}

std::uint32_t SpecialTable::add_word(std::string_view text) {
  Entry& target = entry(text);
  if (target.word == 0) target.word = ++words_;
  return target.word;
}

void SpecialTable::link_words() {
  for (auto& [text, target] : entries_) {
    std::size_t start = 0;
    for (TokenPiece& piece : target.pieces) {
      piece.word = word(std::string_view(text).substr(start, piece.length));
      start += piece.length;
    }
  }
}

}  // namespace weft
