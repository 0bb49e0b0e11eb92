// The strings a tokenizer knows: special cases, and the tokens that start or continue a special
// case of several tokens. One look-up answers for both.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "registry/base/seeded_hash.h"

namespace weft {

// A part of a chunk that becomes a token.
struct TokenPiece {
  std::uint32_t length = 0;  // bytes
  std::uint32_t norm = 0;    // index into the tokenizer's norms; 0 = none of its own
  std::uint32_t word = 0;    // of SpecialTable; 0 = occurs in no special case of several tokens
};

class SpecialTable {
 public:
  struct Entry {
    std::uint32_t word = 0;  // number of this text as a token, from 1; 0 = none
    bool special = false;
    std::vector<TokenPiece> pieces;  // of a special case
  };

  // Nothing if `text` is neither a special case nor a known token.
  const Entry* find(std::string_view text) const {
    if (text.size() >= has_length_.size() || !may_be_here(text)) return nullptr;
    // A long special case does not make every long text worth a look.
    if (!has_length_[text.size()]) return nullptr;
    const auto found = entries_.find(text);
    return found == entries_.end() ? nullptr : &found->second;
  }
  const Entry* find_special(std::string_view text) const {
    const Entry* entry = find(text);
    return entry && entry->special ? entry : nullptr;
  }
  std::uint32_t word(std::string_view text) const {
    const Entry* entry = find(text);
    return entry ? entry->word : 0;
  }

  void add_special(std::string_view text, std::vector<TokenPiece> pieces);
  std::uint32_t add_word(std::string_view text);  // its number, old or new
  // Sets the word numbers of all special cases' pieces; once, after the last add_word.
  void link_words();

 private:
  Entry& entry(std::string_view text);

  // Most words are no entry, and three of their bytes tell: the place in a table of bits that is
  // small enough to stay in the nearest cache.
  static constexpr std::size_t kFilterBits = std::size_t{1} << 15;
  static std::size_t filter_place(std::string_view text) {
    if (text.empty()) return 0;
    std::uint32_t mixed = static_cast<unsigned char>(text.front());
    mixed = mixed * 251 + static_cast<unsigned char>(text[text.size() / 2]);
    mixed = mixed * 251 + static_cast<unsigned char>(text.back());
    mixed = mixed * 61 + static_cast<std::uint32_t>(text.size());
    return mixed * 0x9E3779B1U >> 17;
  }
  bool may_be_here(std::string_view text) const {
    const std::size_t place = filter_place(text);
    return (filter_[place / 64] >> place % 64 & 1) != 0;
  }

  std::unordered_map<std::string, Entry, SeededHash, std::equal_to<>> entries_;
  std::vector<std::uint64_t> filter_ = std::vector<std::uint64_t>(kFilterBits / 64);
  std::vector<bool> has_length_;  // of entries' texts, in bytes
  std::uint32_t words_ = 0;
};

}  // namespace weft
