// Cuts a chunk (a run without white space, or of white space only) into tokens: affixes off both
// ends, then special cases, whole tokens, URLs and infixes. Source: docs/tokenizer.md, "How a text
// is cut".
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "framework/regex/pattern.h"
#include "framework/text/chunk_filter.h"
#include "framework/text/special_table.h"
#include "framework/text/tokenizer_rules.h"

namespace weft {

class ChunkSplitter {
 public:
  // Compiles the patterns. Throws Error(data) naming the pattern that is wrong.
  explicit ChunkSplitter(const TokenizerRules& rules);

  const ChunkFilter& filter() const { return filter_; }

  // The tokens of `chunk`, whose flags are `scan`, are added to `pieces`; the chunk as a whole is
  // not looked up. `specials` may be null: then nothing is special. Throws Error(data) naming a
  // pattern that takes too long.
  void split(std::string_view chunk, const ChunkScan& scan, const SpecialTable* specials,
             MatchScratch& scratch, std::vector<TokenPiece>& pieces) const;

  // Whether any affix or infix pattern matches somewhere in `text`.
  bool any_affix(MatchScratch& scratch, std::string_view text) const;

 private:
  struct Ends {
    std::string_view middle;
    std::vector<std::string_view> prefixes, suffixes;
  };
  class Round;

  // Bytes that the prefix takes from the start, or the suffix from the end, of `text`; 0 = none.
  std::size_t prefix_size(MatchScratch& scratch, std::string_view text) const;
  std::size_t suffix_size(MatchScratch& scratch, std::string_view text, std::uint16_t any) const;
  std::size_t suffix_window(std::string_view text) const;
  bool is_token(MatchScratch& scratch, std::string_view text, std::uint16_t any) const;
  bool is_url(MatchScratch& scratch, std::string_view text, std::uint16_t any) const;
  void split_middle(std::string_view middle, std::uint16_t any, const SpecialTable* specials,
                    MatchScratch& scratch, std::vector<TokenPiece>& pieces) const;
  void split_infixes(std::string_view middle, const SpecialTable* specials, MatchScratch& scratch,
                     std::vector<TokenPiece>& pieces) const;
  void measure_suffixes();

  std::optional<Pattern> prefix_, suffix_, infix_, token_, url_;
  ChunkFilter filter_;
  // Suffix matches start at most this many code points before the end, or within the last run of
  // characters out of `suffix_run_`; nothing = anywhere.
  std::optional<std::size_t> suffix_reach_ = 0;
  CodePointSet suffix_run_;
};

}  // namespace weft
