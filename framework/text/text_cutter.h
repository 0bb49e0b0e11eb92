// Cuts a text by a tokenizer's rules: chunks at white space, tokens out of chunks, special cases
// over several tokens (docs/tokenizer.md). Knows nothing of words' attributes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/text/chunk_cache.h"
#include "framework/text/chunk_splitter.h"
#include "framework/text/span_trie.h"
#include "framework/text/tokenizer.h"
#include "registry/base/export.h"

namespace weft {

// Scratch of one call; handed on from call to call.
struct CutWorkspace {
  MatchScratch scratch;
  ChunkCache cache;
  std::vector<TokenPiece> pieces;    // of the chunk at hand
  std::vector<std::uint32_t> words;  // of the text at hand, one per token
};

class WEFT_API TextCutter {
 public:
  // Throws Error(data) that names the pattern or the special case that is wrong.
  explicit TextCutter(TokenizerRules rules);

  const TokenizerRules& rules() const { return rules_; }
  const ChunkFilter& filter() const { return splitter_.filter(); }
  // By TokenPiece::norm.
  const std::string& norm(std::uint32_t index) const { return norms_.at(index); }

  // The whole text, valid UTF-8.
  TokenizedText cut(std::string_view text, CutWorkspace& work) const;

  // The tokens of one chunk, which `scan` is of; valid until the next call with the workspace.
  std::span<const TokenPiece> cut_chunk(std::string_view chunk, const ChunkScan& scan,
                                        CutWorkspace& work) const;

  // Special cases over several tokens are looked for in the tokens of a text by TokenPiece::word
  // ...
  bool may_start_special(std::uint32_t word) const { return trie_.starts(word); }
  std::vector<SequenceRange> find_ranges(std::span<const std::uint32_t> words) const;
  // ... and found, in order, where the text agrees: some have a space where others have none.
  struct Replacement {
    SequenceRange range;
    std::span<const TokenPiece> pieces;  // that stand for these tokens
  };
  std::vector<Replacement> replacements(std::string_view text, std::span<const TokenSpan> tokens,
                                        std::vector<SequenceRange> found) const;

 private:
  void add_specials();
  void add_to_trie(std::string_view text, CutWorkspace& work);
  std::span<const TokenPiece> split_chunk(std::string_view chunk, const ChunkScan& scan,
                                          const SpecialTable* table, CutWorkspace& work) const;
  // Adds to `tokens` and to `work.words`. `table` is null to leave special cases out.
  void cut_chunks(std::string_view text, const SpecialTable* table, CutWorkspace& work,
                  std::vector<TokenSpan>& tokens) const;
  void replace_ranges(std::string_view text, CutWorkspace& work, TokenizedText& result) const;

  TokenizerRules rules_;
  ChunkSplitter splitter_;
  SpecialTable specials_;
  SpanTrie trie_;
  std::vector<std::string> norms_ = {""};
};

}  // namespace weft
