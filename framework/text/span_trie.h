// Sequences of tokens, and where they occur in a longer one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "registry/base/export.h"
#include "registry/base/seeded_hash.h"

namespace weft {

struct SequenceRange {
  std::size_t begin = 0, end = 0;  // tokens; `end` is past the last
  bool operator==(const SequenceRange&) const = default;
};

// Tokens are given by their numbers in a SpecialTable; 0 is a token that occurs in no sequence.
class WEFT_API SpanTrie {
 public:
  // Some 70 bytes each.
  static constexpr std::size_t kMostTokens = std::size_t{1} << 21;

  // False, and nothing is added, where the sequences would have more than kMostTokens together.
  bool add(std::span<const std::uint32_t> words);
  // Once, behind the last `add`.
  void link();

  // True if some sequence starts with `word`.
  bool starts(std::uint32_t word) const { return word < starts_.size() && starts_[word]; }
  // The longest sequence that starts at each place of `words`, in order, where one does. Takes time
  // by the length of `words`, however the sequences are nested.
  std::vector<SequenceRange> longest(std::span<const std::uint32_t> words) const;

 private:
  // A sequence from its last token on: texts are read backwards, so that all sequences that begin
  // at a place are known there.
  struct Node {
    std::uint32_t parent = 0, word = 0;
    std::uint32_t fallback = 0;  // the longest other node that the node's tokens end with
    std::uint32_t depth = 0;     // tokens
    std::uint32_t longest = 0;   // tokens of the longest sequence that ends here; 0 = none
  };
  static std::uint64_t edge(std::uint32_t node, std::uint32_t word) {
    return std::uint64_t{node} << 32 | word;
  }
  // The node for the longest tail of `node` with `word` behind it.
  std::uint32_t step(std::uint32_t node, std::uint32_t word) const;

  std::vector<bool> starts_, ends_;  // by word
  std::vector<Node> nodes_ = {{}};   // node 0 is the root
  std::unordered_map<std::uint64_t, std::uint32_t, SeededHash> edges_;
};

// Those of `found`, one for each place, that are to be replaced: longest first, then leftmost; a
// range is taken unless its first or last token lies in one that came earlier, taken or not (spaCy
// 3.8, special cases over several tokens). `tokens` is the length of the sequence. The result is
// sorted by place.
WEFT_API std::vector<SequenceRange> select_ranges(std::vector<SequenceRange> found,
                                                  std::size_t tokens);

}  // namespace weft
