#include "framework/text/text_cutter.h"

#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "framework/unicode/unicode.h"
#include "registry/base/error.h"
#include "registry/base/seeded_hash.h"

namespace weft {
namespace {

// Pieces have lengths only, since they are cached for a chunk wherever it stands; places are added
// up here.
void emit(std::size_t begin, std::span<const TokenPiece> pieces, CutWorkspace& work,
          std::vector<TokenSpan>& tokens) {
  for (const TokenPiece& piece : pieces) {
    tokens.push_back({static_cast<std::uint32_t>(begin), piece.length, piece.norm, false});
    work.words.push_back(piece.word);
    begin += piece.length;
  }
}

// Bytes of all patterns together: some 200 are needed for each while they are read.
constexpr std::size_t kLongestPatterns = std::size_t{2} << 20;

TokenizerRules within_limits(TokenizerRules rules) {
  std::size_t bytes = 0;
  for (const auto* source : {&rules.prefix_search, &rules.suffix_search, &rules.infix_finditer,
                             &rules.token_match, &rules.url_match}) {
    if (*source) bytes += (*source)->size();
  }
  if (bytes <= kLongestPatterns) return rules;
  throw Error(ErrorKind::data, fmt::format("the tokenizer's patterns have {} bytes together, more "
                                           "than {} (docs/limits.md)",
                                           bytes, kLongestPatterns));
}

}  // namespace

TextCutter::TextCutter(TokenizerRules rules)
    : rules_(within_limits(std::move(rules))), splitter_(rules_) {
  add_specials();
  CutWorkspace work;
  std::size_t bytes = 0;
  for (const SpecialCase& special : rules_.special_cases) bytes += special.text.size();
  work.scratch.begin_text(bytes);
  for (const SpecialCase& special : rules_.special_cases) add_to_trie(special.text, work);
  specials_.link_words();
  trie_.link();
}

void TextCutter::add_specials() {
  std::unordered_map<std::string, std::uint32_t, SeededHash> indices;
  for (const SpecialCase& special : rules_.special_cases) {
    std::vector<TokenPiece> pieces;
    std::string joined;
    for (const SpecialToken& token : special.tokens) {
      if (token.orth.empty()) {
        throw Error(ErrorKind::data,
                    fmt::format("special case \"{}\": a token without text", special.text));
      }
      joined += token.orth;
      pieces.push_back({static_cast<std::uint32_t>(token.orth.size()), 0, 0});
      if (!token.norm || token.norm->empty()) continue;  // an empty one is that of the word
      const auto next = static_cast<std::uint32_t>(norms_.size());
      const auto [place, added] = indices.try_emplace(*token.norm, next);
      if (added) norms_.push_back(*token.norm);
      pieces.back().norm = place->second;
    }
    if (joined != special.text) {
      throw Error(ErrorKind::data,
                  fmt::format("special case \"{}\": its tokens make up \"{}\" (E997)", special.text,
                              joined));
    }
    if (!special.text.empty()) specials_.add_special(special.text, std::move(pieces));
  }
}

// A special case that the affix rules would cut apart, or that holds a space, is looked for in the
// tokens of a text: here as the tokens that it comes out as without special cases.
void TextCutter::add_to_trie(std::string_view text, CutWorkspace& work) {
  const bool reachable = !rules_.faster_heuristics || text.find(' ') != text.npos ||
                         splitter_.any_affix(work.scratch, text);
  if (!reachable || text.empty()) return;
  std::vector<TokenSpan> tokens;
  cut_chunks(text, nullptr, work, tokens);
  work.words.clear();
  for (const TokenSpan& token : tokens) {
    work.words.push_back(specials_.add_word(text.substr(token.begin, token.length)));
  }
  if (!trie_.add(work.words)) {
    throw Error(
        ErrorKind::data,
        fmt::format("special case \"{}\": with it, the special cases that affixes or spaces "
                    "can cut have more than {} tokens (docs/limits.md)",
                    text.substr(0, byte_offset(text, 40)), SpanTrie::kMostTokens));
  }
  work.words.clear();
}

std::span<const TokenPiece> TextCutter::split_chunk(std::string_view chunk, const ChunkScan& scan,
                                                    const SpecialTable* table,
                                                    CutWorkspace& work) const {
  // The order of questions is that of spaCy's: a chunk that is a special case is never cut. A chunk
  // in which no affix or infix can match is one token without asking any pattern.
  const SpecialTable::Entry* entry = table ? table->find(chunk) : nullptr;
  if (entry && entry->special) return entry->pieces;
  work.pieces.clear();
  if (ChunkFilter::is_plain(scan)) {
    work.pieces.push_back({static_cast<std::uint32_t>(chunk.size()), 0, entry ? entry->word : 0});
    return work.pieces;
  }
  if (table) {
    if (const auto known = work.cache.find(chunk)) return *known;
  }
  splitter_.split(chunk, scan, table, work.scratch, work.pieces);
  if (table) work.cache.add(chunk, work.pieces);
  return work.pieces;
}

std::span<const TokenPiece> TextCutter::cut_chunk(std::string_view chunk, const ChunkScan& scan,
                                                  CutWorkspace& work) const {
  return split_chunk(chunk, scan, &specials_, work);
}

void TextCutter::cut_chunks(std::string_view text, const SpecialTable* table, CutWorkspace& work,
                            std::vector<TokenSpan>& tokens) const {
  std::size_t pos = 0;
  while (pos < text.size()) {
    // One space between two chunks belongs to no token.
    if (pos > 0 && text[pos] == ' ') {
      tokens.back().space_after = true;
      if (++pos == text.size()) break;
    }
    const ChunkScan scan = filter().scan(text, pos);
    const std::string_view chunk = text.substr(pos, scan.end - pos);
    emit(pos, split_chunk(chunk, scan, table, work), work, tokens);
    pos = scan.end;
  }
}

std::vector<SequenceRange> TextCutter::find_ranges(std::span<const std::uint32_t> words) const {
  return trie_.longest(words);
}

// Ranges that overlap are chosen between as spaCy does (`select_ranges`), and a range counts only
// if its text is a special case letter by letter, spaces included.
std::vector<TextCutter::Replacement> TextCutter::replacements(
    std::string_view text, std::span<const TokenSpan> tokens,
    std::vector<SequenceRange> found) const {
  std::vector<Replacement> taken;
  for (const SequenceRange range : select_ranges(std::move(found), tokens.size())) {
    const std::size_t begin = tokens[range.begin].begin;
    const TokenSpan& last = tokens[range.end - 1];
    const auto* special =
        specials_.find_special(text.substr(begin, last.begin + last.length - begin));
    if (special) taken.push_back({range, special->pieces});
  }
  return taken;
}

void TextCutter::replace_ranges(std::string_view text, CutWorkspace& work,
                                TokenizedText& result) const {
  std::vector<SequenceRange> found = find_ranges(work.words);
  if (found.empty()) return;
  const std::vector<TokenSpan> old = std::move(result.tokens);
  result.tokens.clear();
  result.tokens.reserve(old.size());
  auto next = old.begin();
  for (const Replacement& replacement : replacements(text, old, std::move(found))) {
    const auto [begin, end] = replacement.range;
    result.tokens.insert(result.tokens.end(), next,
                         old.begin() + static_cast<std::ptrdiff_t>(begin));
    emit(old[begin].begin, replacement.pieces, work, result.tokens);
    result.tokens.back().space_after = old[end - 1].space_after;
    result.first_replaced |= begin == 0;
    next = old.begin() + static_cast<std::ptrdiff_t>(end);
  }
  result.tokens.insert(result.tokens.end(), next, old.end());
}

TokenizedText TextCutter::cut(std::string_view text, CutWorkspace& work) const {
  work.words.clear();
  TokenizedText result;
  cut_chunks(text, &specials_, work, result.tokens);
  replace_ranges(text, work, result);
  return result;
}

}  // namespace weft
