#include "framework/text/word_cutter.h"

#include <utility>

namespace weft {

// Entries hold attributes that the vocab gave. They are forgotten when it has changed, and when the
// table is full, which bounds the memory of a thread.
void WordCutter::begin_text(const Vocab& vocab) {
  vocab_ = &vocab;
  if (table_.full() || edition_ != vocab.edition()) table_.forget();
  edition_ = vocab.edition();
  tokens_.clear();
  spaces_.clear();
  flagged_ = false;
}

TokenWord WordCutter::word_of(std::string_view text, std::uint32_t norm) const {
  TokenWord word = token_word(text, vocab_->lexeme(text));
  if (norm == 0) return word;
  const StringId own = vocab_->strings().add(cutter_.norm(norm));
  word.own_norm = own != word.norm;
  word.norm = own;
  return word;
}

ChunkTable::Entry WordCutter::learn(std::string_view chunk, const ChunkScan& scan,
                                    const ChunkKey& key, CutWorkspace& work) {
  words_.clear();
  numbers_.clear();
  bool flagged = false;
  std::size_t begin = 0;
  for (const TokenPiece& piece : cutter_.cut_chunk(chunk, scan, work)) {
    words_.push_back(word_of(chunk.substr(begin, piece.length), piece.norm));
    numbers_.push_back(piece.word);
    flagged = flagged || cutter_.may_start_special(piece.word);
    begin += piece.length;
  }
  return table_.add(key, words_, numbers_, flagged);
}

void WordCutter::take(const ChunkTable::Entry& entry) {
  flagged_ = flagged_ || entry.flagged;
  for (std::uint32_t i = 0; i < entry.count; ++i) {
    tokens_.push_back(entry.first + i);
    spaces_.push_back(0);
  }
}

// A short chunk that ends at a space is looked up by its bytes alone, without decoding them. Only
// chunks that are not known are scanned and cut.
std::size_t WordCutter::take_chunk(std::string_view text, std::size_t begin, CutWorkspace& work) {
  ChunkKey key;
  const std::size_t end = begin + load_key(text, begin, key);
  const bool whole = end > begin && (end == text.size() || text[end] == ' ');
  if (whole) {
    if (const ChunkTable::Entry* entry = table_.find(key)) return take(*entry), end;
  }
  const ChunkScan scan = cutter_.filter().scan(text, begin);
  const std::string_view chunk = text.substr(begin, scan.end - begin);
  if (!whole) {
    key = ChunkKey::of(chunk);
    const ChunkTable::Entry* entry = key.empty() ? nullptr : table_.find(key);
    if (entry) return take(*entry), scan.end;
  }
  take(learn(chunk, scan, key, work));
  return scan.end;
}

// Special cases over several tokens are found in the numbers of the words. Texts that have one are
// cut again by the general way: they are rare.
bool WordCutter::holds_special(std::string_view text, CutWorkspace& work) const {
  if (!flagged_) return false;
  work.words.clear();
  for (const std::uint32_t token : tokens_) work.words.push_back(table_.number(token));
  std::vector<SequenceRange> found = cutter_.find_ranges(work.words);
  if (found.empty()) return false;
  std::vector<TokenSpan> places;
  std::uint32_t begin = 0;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const std::uint32_t size = table_.tokens()[tokens_[i]].size;
    places.push_back({begin, size});
    begin += size + (spaces_[i] != 0 ? 1 : 0);
  }
  return !cutter_.replacements(text, places, std::move(found)).empty();
}

TokenizedDoc WordCutter::cut_with_specials(std::string_view text, CutWorkspace& work) {
  const TokenizedText cut = cutter_.cut(text, work);
  words_.clear();
  tokens_.clear();
  spaces_.clear();
  for (const TokenSpan& token : cut.tokens) {
    tokens_.push_back(static_cast<std::uint32_t>(words_.size()));
    spaces_.push_back(token.space_after);
    words_.push_back(word_of(text.substr(token.begin, token.length), token.norm));
  }
  const std::string_view spaces(spaces_.data(), spaces_.size());
  return {table_of_text(text, words_, tokens_, spaces), cut.first_replaced};
}

TokenizedDoc WordCutter::cut(std::string_view text, const Vocab& vocab, CutWorkspace& work) {
  begin_text(vocab);
  for (std::size_t pos = 0; pos < text.size();) {
    // One space between two chunks belongs to no token.
    if (pos > 0 && text[pos] == ' ') {
      spaces_.back() = 1;
      if (++pos == text.size()) break;
    }
    pos = take_chunk(text, pos, work);
  }
  if (holds_special(text, work)) return cut_with_specials(text, work);
  const std::string_view spaces(spaces_.data(), spaces_.size());
  return {table_of_text(text, table_.tokens(), tokens_, spaces), false};
}

}  // namespace weft
