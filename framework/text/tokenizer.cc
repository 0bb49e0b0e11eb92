#include "framework/text/tokenizer.h"

#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "framework/text/chunk_cache.h"
#include "framework/text/chunk_splitter.h"
#include "framework/text/span_trie.h"
#include "framework/text/unicode.h"
#include "registry/error.h"

namespace weft {
namespace {

constexpr std::size_t kMaxCodePoints = std::size_t{1} << 30;

// What one call needs; handed on from call to call.
struct Workspace {
  MatchScratch scratch;
  ChunkCache cache;
  std::vector<TokenPiece> pieces;    // of the chunk at hand
  std::vector<std::uint32_t> words;  // of the text at hand, one per token
};

void check_text(std::string_view text) {
  if (const auto bad = find_invalid_utf8(text)) {
    throw Error(ErrorKind::data, fmt::format("the text is not valid UTF-8 at byte {}", *bad));
  }
  if (text.size() >= kMaxCodePoints && count_code_points(text) >= kMaxCodePoints) {
    throw Error(ErrorKind::data, "a text may not have 2^30 characters or more (E025)");
  }
}

}  // namespace

struct Tokenizer::Impl {
  TokenizerRules rules;
  ChunkSplitter splitter;
  SpecialTable specials;
  SpanTrie trie;
  std::vector<std::string> norms = {""};
  mutable std::mutex mutex;
  mutable std::vector<std::unique_ptr<Workspace>> idle;

  explicit Impl(TokenizerRules from) : rules(std::move(from)), splitter(rules) {
    add_specials();
    Workspace work;
    for (const SpecialCase& special : rules.special_cases) add_to_trie(special.text, work);
    specials.link_words();
  }

  void add_specials() {
    std::unordered_map<std::string, std::uint32_t> indices;
    for (const SpecialCase& special : rules.special_cases) {
      std::vector<TokenPiece> pieces;
      std::string joined;
      for (const SpecialToken& token : special.tokens) {
        joined += token.orth;
        pieces.push_back({static_cast<std::uint32_t>(token.orth.size()), 0, 0});
        if (!token.norm) continue;
        const auto next = static_cast<std::uint32_t>(norms.size());
        const auto [place, added] = indices.try_emplace(*token.norm, next);
        if (added) norms.push_back(*token.norm);
        pieces.back().norm = place->second;
      }
      if (joined != special.text) {
        throw Error(ErrorKind::data,
                    fmt::format("special case \"{}\": its tokens make up \"{}\" (E997)",
                                special.text, joined));
      }
      if (!special.text.empty()) specials.add_special(special.text, std::move(pieces));
    }
  }

  // A special case that the affix rules would cut apart, or that holds a space, is looked for in
  // the tokens of a text: here as the tokens that it comes out as without special cases.
  void add_to_trie(std::string_view text, Workspace& work) {
    const bool reachable = !rules.faster_heuristics || text.find(' ') != text.npos ||
                           splitter.any_affix(work.scratch, text);
    if (!reachable || text.empty()) return;
    TokenizedText cut;
    work.words.clear();
    cut_chunks(text, nullptr, work, cut.tokens);
    work.words.clear();
    for (const TokenSpan& token : cut.tokens) {
      work.words.push_back(specials.add_word(text.substr(token.begin, token.length)));
    }
    trie.add(work.words);
  }

  void emit(std::size_t begin, std::span<const TokenPiece> pieces, Workspace& work,
            std::vector<TokenSpan>& tokens) const {
    for (const TokenPiece& piece : pieces) {
      tokens.push_back({static_cast<std::uint32_t>(begin), piece.length, piece.norm, false});
      work.words.push_back(piece.word);
      begin += piece.length;
    }
  }

  void cut_chunk(std::string_view chunk, std::size_t begin, const ChunkScan& scan,
                 const SpecialTable* table, Workspace& work, std::vector<TokenSpan>& tokens) const {
    const SpecialTable::Entry* entry = table ? table->find(chunk) : nullptr;
    if (entry && entry->special) return emit(begin, entry->pieces, work, tokens);
    if (ChunkFilter::is_plain(scan)) {
      const TokenPiece whole{static_cast<std::uint32_t>(chunk.size()), 0, entry ? entry->word : 0};
      return emit(begin, {&whole, 1}, work, tokens);
    }
    if (table) {
      if (const auto known = work.cache.find(chunk)) return emit(begin, *known, work, tokens);
    }
    work.pieces.clear();
    splitter.split(chunk, scan, table, work.scratch, work.pieces);
    if (table) work.cache.add(chunk, work.pieces);
    emit(begin, work.pieces, work, tokens);
  }

  // First pass: chunks and what becomes of each. Adds to `tokens` and to `work.words`. `table` is
  // null to leave special cases out.
  void cut_chunks(std::string_view text, const SpecialTable* table, Workspace& work,
                  std::vector<TokenSpan>& tokens) const {
    std::size_t pos = 0;
    while (pos < text.size()) {
      // One space between two chunks belongs to no token.
      if (pos > 0 && text[pos] == ' ') {
        tokens.back().space_after = true;
        if (++pos == text.size()) break;
      }
      ChunkScan scan = splitter.filter().scan(text, pos);
      cut_chunk(text.substr(pos, scan.end - pos), pos, scan, table, work, tokens);
      pos = scan.end;
    }
  }

  // Second pass: special cases over several tokens.
  void replace_ranges(std::string_view text, Workspace& work, TokenizedText& result) const {
    std::vector<TokenRange> found;
    for (std::size_t i = 0; i < work.words.size(); ++i) {
      if (trie.starts(work.words[i])) trie.match(work.words, i, found);
    }
    if (found.empty()) return;
    std::vector<TokenSpan> old = std::move(result.tokens);
    result.tokens.clear();
    result.tokens.reserve(old.size());
    std::size_t next = 0;
    for (const TokenRange range : select_ranges(std::move(found), old.size())) {
      const std::size_t begin = old[range.begin].begin;
      const TokenSpan& last = old[range.end - 1];
      const auto* special =
          specials.find_special(text.substr(begin, last.begin + last.length - begin));
      if (!special) continue;
      result.tokens.insert(result.tokens.end(), old.begin() + static_cast<std::ptrdiff_t>(next),
                           old.begin() + static_cast<std::ptrdiff_t>(range.begin));
      emit(begin, special->pieces, work, result.tokens);
      result.tokens.back().space_after = last.space_after;
      result.first_replaced |= range.begin == 0;
      next = range.end;
    }
    result.tokens.insert(result.tokens.end(), old.begin() + static_cast<std::ptrdiff_t>(next),
                         old.end());
  }

  std::unique_ptr<Workspace> take_workspace() const {
    const std::lock_guard lock(mutex);
    if (idle.empty()) return std::make_unique<Workspace>();
    auto work = std::move(idle.back());
    idle.pop_back();
    return work;
  }

  void give_back(std::unique_ptr<Workspace> work) const {
    const std::lock_guard lock(mutex);
    idle.push_back(std::move(work));
  }
};

Tokenizer::Tokenizer(TokenizerRules rules) : impl_(std::make_unique<Impl>(std::move(rules))) {}
Tokenizer::~Tokenizer() = default;
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;

const TokenizerRules& Tokenizer::rules() const {
  return impl_->rules;
}
std::string_view Tokenizer::norm(std::uint32_t index) const {
  return impl_->norms.at(index);
}

TokenizedText Tokenizer::tokenize(std::string_view text) const {
  check_text(text);
  std::unique_ptr<Workspace> work = impl_->take_workspace();
  work->words.clear();
  TokenizedText result;
  impl_->cut_chunks(text, &impl_->specials, *work, result.tokens);
  impl_->replace_ranges(text, *work, result);
  impl_->give_back(std::move(work));
  return result;
}

}  // namespace weft
