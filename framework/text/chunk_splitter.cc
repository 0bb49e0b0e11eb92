#include "framework/text/chunk_splitter.h"

#include <algorithm>

#include "framework/unicode/unicode.h"

namespace weft {
namespace {

std::optional<Pattern> compiled(std::string_view name, const std::optional<std::string>& source,
                                Pattern::Use use) {
  if (!source) return std::nullopt;
  return Pattern(std::string(name), *source, use);
}

const Pattern* pointer(const std::optional<Pattern>& pattern) {
  return pattern ? &*pattern : nullptr;
}

char32_t first_of(std::string_view text) {
  std::size_t pos = 0;
  return next_code_point(text, pos);
}

char32_t last_of(std::string_view text) {
  std::size_t pos = text.size();
  return previous_code_point(text, pos);
}

void add_piece(std::string_view text, const SpecialTable* specials,
               std::vector<TokenPiece>& pieces) {
  if (text.empty()) return;
  pieces.push_back(
      {static_cast<std::uint32_t>(text.size()), 0, specials ? specials->word(text) : 0});
}

const SpecialTable::Entry* special_of(const SpecialTable* specials, std::string_view text) {
  return specials ? specials->find_special(text) : nullptr;
}

}  // namespace

ChunkSplitter::ChunkSplitter(const TokenizerRules& rules)
    : prefix_(compiled("the prefix_search pattern", rules.prefix_search, Pattern::Use::search)),
      suffix_(compiled("the suffix_search pattern", rules.suffix_search, Pattern::Use::search)),
      infix_(compiled("the infix_finditer pattern", rules.infix_finditer, Pattern::Use::search)),
      token_(compiled("the token_match pattern", rules.token_match, Pattern::Use::match)),
      url_(compiled("the url_match pattern", rules.url_match, Pattern::Use::match)) {
  filter_.set_prefix(pointer(prefix_));
  filter_.set_suffix(pointer(suffix_));
  filter_.set_infix(pointer(infix_));
  filter_.set_token(pointer(token_));
  filter_.set_url(pointer(url_));
  if (suffix_) measure_suffixes();
}

// Searching a suffix from the start of a chunk would try every place of it, and take time by the
// square of its length over the rounds of the loop. From the pattern's facts it is known how far
// from the end a match can start; only that window is searched.
void ChunkSplitter::measure_suffixes() {
  for (const RegexFacts& facts : suffix_->alternatives()) {
    if (!facts.anchored_end) return suffix_reach_.reset();
    if (facts.max_width) {
      // One more for a line feed that ends the text.
      suffix_reach_ = std::max(*suffix_reach_, *facts.max_width + 1);
    } else {
      suffix_run_ = suffix_run_ | facts.taken;
    }
  }
}

std::size_t ChunkSplitter::suffix_window(std::string_view text) const {
  if (!suffix_reach_) return 0;
  std::size_t start = text.size();
  for (std::size_t i = 0; i < *suffix_reach_ && start > 0; ++i) previous_code_point(text, start);
  if (suffix_run_.empty()) return start;
  std::size_t run = text.size();
  while (run > 0) {
    std::size_t before = run;
    const char32_t c = previous_code_point(text, before);
    if (!suffix_run_.contains(c) && !(c == U'\n' && run == text.size())) break;
    run = before;
  }
  return std::min(start, run);
}

std::size_t ChunkSplitter::prefix_size(MatchScratch& scratch, std::string_view text) const {
  if (!prefix_ || text.empty() || !(filter_.flags(first_of(text)) & kPrefixFirst)) return 0;
  const auto found = prefix_->find(scratch, text);
  if (!found) return 0;
  if (found->begin == 0) return found->end;
  // Only the length of the match counts; it is taken from the start wherever it was found.
  const auto match = text.substr(found->begin, found->end - found->begin);
  return byte_offset(text, count_code_points(match));
}

std::size_t ChunkSplitter::suffix_size(MatchScratch& scratch, std::string_view text,
                                       std::uint16_t any) const {
  if (!suffix_ || text.empty()) return 0;
  if (!ChunkFilter::may_end_in_suffix(filter_.flags(last_of(text)), any)) return 0;
  const auto found = suffix_->find(scratch, text, suffix_window(text));
  if (!found) return 0;
  // As in spaCy, only the length of the match counts, and is taken from the end wherever it was
  // found.
  if (found->end == text.size()) return found->end - found->begin;
  std::size_t start = text.size();
  const auto match = text.substr(found->begin, found->end - found->begin);
  for (std::size_t n = count_code_points(match); n > 0; --n) previous_code_point(text, start);
  return text.size() - start;
}

bool ChunkSplitter::is_token(MatchScratch& scratch, std::string_view text,
                             std::uint16_t any) const {
  if (!token_) return false;
  if (!(any & kTokenRequired) || !(filter_.flags(first_of(text)) & kTokenFirst)) return false;
  if (!(filter_.flags(last_of(text)) & kTokenLast)) return false;
  return token_->find(scratch, text).has_value();
}

bool ChunkSplitter::is_url(MatchScratch& scratch, std::string_view text, std::uint16_t any) const {
  return url_ && (any & kUrlRequired) && url_->find(scratch, text).has_value();
}

// The affix loop over one chunk, spaCy's `_split_affixes`: in each round a prefix and a suffix are
// taken off the middle, until it is a special case, a whole token by token_match, or has neither.
class ChunkSplitter::Round {
 public:
  Round(const ChunkSplitter& splitter, const SpecialTable* specials, MatchScratch& scratch,
        std::uint16_t any)
      : splitter_(splitter), specials_(specials), scratch_(scratch), any_(any) {}

  // Takes affixes off `ends.middle`. False when there is nothing more to do.
  bool run(Ends& ends) {
    const std::string_view text = ends.middle;
    if (text.empty() || splitter_.is_token(scratch_, text, any_)) return false;
    if (special_of(specials_, text)) return false;
    const std::size_t prefix = splitter_.prefix_size(scratch_, text);
    if (prefix > 0 && special_of(specials_, text.substr(prefix))) {
      take(ends, prefix, 0);
      return false;
    }
    // Look-behind of a suffix must not see into the prefix, but the special case may.
    const std::size_t suffix = splitter_.suffix_size(scratch_, text.substr(prefix), any_);
    if (suffix > 0 && special_of(specials_, text.substr(0, text.size() - suffix))) {
      take(ends, 0, suffix);
      return false;
    }
    take(ends, prefix, suffix);
    return prefix + suffix > 0;
  }

 private:
  static void take(Ends& ends, std::size_t prefix, std::size_t suffix) {
    const std::string_view text = ends.middle;
    if (prefix > 0) ends.prefixes.push_back(text.substr(0, prefix));
    if (suffix > 0) ends.suffixes.push_back(text.substr(text.size() - suffix));
    ends.middle = text.substr(prefix, text.size() - prefix - suffix);
  }

  const ChunkSplitter& splitter_;
  const SpecialTable* specials_;
  MatchScratch& scratch_;
  std::uint16_t any_;
};

void ChunkSplitter::split(std::string_view chunk, const ChunkScan& scan,
                          const SpecialTable* specials, MatchScratch& scratch,
                          std::vector<TokenPiece>& pieces) const {
  Ends ends{chunk, {}, {}};
  Round round(*this, specials, scratch, scan.any);
  while (round.run(ends)) continue;
  for (const std::string_view prefix : ends.prefixes) add_piece(prefix, specials, pieces);
  if (!ends.middle.empty()) split_middle(ends.middle, scan.any, specials, scratch, pieces);
  for (auto suffix = ends.suffixes.rbegin(); suffix != ends.suffixes.rend(); ++suffix) {
    add_piece(*suffix, specials, pieces);
  }
}

void ChunkSplitter::split_middle(std::string_view middle, std::uint16_t any,
                                 const SpecialTable* specials, MatchScratch& scratch,
                                 std::vector<TokenPiece>& pieces) const {
  if (const auto* special = special_of(specials, middle)) {
    pieces.insert(pieces.end(), special->pieces.begin(), special->pieces.end());
  } else if (!infix_ || !(any & kInfixRequired) || is_token(scratch, middle, any) ||
             is_url(scratch, middle, any)) {
    add_piece(middle, specials, pieces);
  } else {
    split_infixes(middle, specials, scratch, pieces);
  }
}

void ChunkSplitter::split_infixes(std::string_view middle, const SpecialTable* specials,
                                  MatchScratch& scratch, std::vector<TokenPiece>& pieces) const {
  // Python's finditer: matches do not overlap, and behind an empty match the next one must not be
  // empty at the same place.
  std::size_t start = 0, from = 0;
  bool after_empty = false;
  while (const auto match = infix_->find(scratch, middle, from, after_empty)) {
    from = match->end;
    after_empty = match->begin == match->end;
    // A match at the start stays in the piece that follows, whatever it took.
    if (match->begin == 0) continue;
    add_piece(middle.substr(start, match->begin - start), specials, pieces);
    add_piece(middle.substr(match->begin, match->end - match->begin), specials, pieces);
    start = match->end;
  }
  add_piece(middle.substr(start), specials, pieces);
}

bool ChunkSplitter::any_affix(MatchScratch& scratch, std::string_view text) const {
  if (text.empty()) return false;
  const ChunkScan scan = filter_.scan(text, 0);
  const bool one_chunk = scan.end == text.size();
  if (one_chunk && ChunkFilter::is_plain(scan)) return false;
  // A text with white space is no chunk, so no shortcut holds for it.
  const std::uint16_t any = one_chunk ? scan.any : 0xFFFF;
  return prefix_size(scratch, text) > 0 || suffix_size(scratch, text, any) > 0 ||
         (infix_ && (any & kInfixRequired) && infix_->find(scratch, text).has_value());
}

}  // namespace weft
