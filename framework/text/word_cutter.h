// From a text straight to the table of its tokens. The answers of TextCutter and Vocab for a chunk
// are cached.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "framework/text/chunk_table.h"
#include "framework/text/text_cutter.h"
#include "framework/text/vocab.h"
#include "registry/base/export.h"

namespace weft {

// Belongs to one TextCutter; for one thread at a time.
class WEFT_API WordCutter {
 public:
  explicit WordCutter(const TextCutter& cutter) : cutter_(cutter) {}

  // The tokens of `text`, valid UTF-8, with the attributes that `vocab` gives them; the norms of
  // special cases are added to its strings. The same tokens as TextCutter::cut gives.
  TokenizedDoc cut(std::string_view text, const Vocab& vocab, CutWorkspace& work);

 private:
  void begin_text(const Vocab& vocab);
  // Takes the chunk that starts at byte `begin` over; gives where it ends.
  std::size_t take_chunk(std::string_view text, std::size_t begin, CutWorkspace& work);
  ChunkTable::Entry learn(std::string_view chunk, const ChunkScan& scan, const ChunkKey& key,
                          CutWorkspace& work);
  void take(const ChunkTable::Entry& entry);
  // A special case over several tokens is in the text.
  bool holds_special(std::string_view text, CutWorkspace& work) const;
  TokenizedDoc cut_with_specials(std::string_view text, CutWorkspace& work);
  TokenWord word_of(std::string_view text, std::uint32_t norm) const;

  const TextCutter& cutter_;
  const Vocab* vocab_ = nullptr;
  std::uint64_t edition_ = 0;  // of the vocab that the table was made with
  ChunkTable table_;
  // Of the chunk at hand.
  std::vector<TokenWord> words_;
  std::vector<std::uint32_t> numbers_;
  // Of the text at hand.
  std::vector<std::uint32_t> tokens_;  // in the table
  std::vector<char> spaces_;
  bool flagged_ = false;  // a token may start a special case over several tokens
};

}  // namespace weft
