// Sequences of tokens, and where they occur in a longer one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace weft {

struct TokenRange {
  std::size_t begin = 0, end = 0;  // tokens; `end` is past the last
};

// Tokens are given by their numbers in a SpecialTable; 0 is a token that occurs in no sequence.
class SpanTrie {
 public:
  void add(std::span<const std::uint32_t> words);
  // True if some sequence starts with `word`.
  bool starts(std::uint32_t word) const { return word < starts_.size() && starts_[word]; }
  // Every place in `words` that starts at `begin` and is one of the sequences is added to `found`.
  void match(std::span<const std::uint32_t> words, std::size_t begin,
             std::vector<TokenRange>& found) const;

 private:
  static std::uint64_t edge(std::uint32_t node, std::uint32_t word) {
    return std::uint64_t{node} << 32 | word;
  }
  std::vector<bool> starts_;
  std::vector<bool> complete_ = {false};  // by node; node 0 is the root
  std::unordered_map<std::uint64_t, std::uint32_t> edges_;
};

// Those of `found` that are to be replaced: longest first, then leftmost; a range is taken unless
// its first or last token lies in one that came earlier, taken or not (spaCy 3.8, special cases
// over several tokens). `tokens` is the length of the sequence. The result is sorted by place.
std::vector<TokenRange> select_ranges(std::vector<TokenRange> found, std::size_t tokens);

}  // namespace weft
