#include "framework/text/chunk_filter.h"

#include <algorithm>

#include "framework/unicode/unicode.h"

namespace weft {
namespace {

bool has_ascii_letters(const CodePointSet& set) {
  return set.count_in({U'a', U'z'}) + set.count_in({U'A', U'Z'}) > 0;
}

CodePointSet required_of(const Pattern& pattern) {
  CodePointSet required;
  for (const RegexFacts& facts : pattern.alternatives()) required = required | facts.required;
  return required;
}

}  // namespace

ChunkFilter::ChunkFilter() : table_(kTable) {
  // White space is rare enough to be always looked at in full: `$` also matches before a line feed
  // that ends the text.
  for (const auto& range : python_space().ranges()) {
    for (char32_t c = range.first; c <= range.last; ++c) table_[c] = 0x3FF;
  }
}

// A table of 2^16 entries answers for one character by one load. Characters beyond it share one
// entry, which only makes the filter ask more patterns than it must.
void ChunkFilter::mark(const CodePointSet& set, std::uint16_t flag) {
  for (const auto& range : set.ranges()) {
    for (char32_t c = range.first; c <= range.last && c < kTable; ++c) table_[c] |= flag;
    if (range.last >= kTable) beyond_ |= flag;
  }
}

void ChunkFilter::set_prefix(const Pattern* pattern) {
  if (!pattern) return;
  for (const RegexFacts& facts : pattern->alternatives()) {
    mark(facts.anchored_start ? facts.first : CodePointSet::all(), kPrefixFirst);
  }
}

// A suffix that ends with a letter would make every word suspect by its last character. For it a
// character must stand in the chunk that the pattern requires.
void ChunkFilter::set_suffix(const Pattern* pattern) {
  if (!pattern) return;
  for (const RegexFacts& facts : pattern->alternatives()) {
    if (facts.anchored_end && !has_ascii_letters(facts.last)) {
      mark(facts.last, kSuffixLast);
    } else {
      mark(facts.required, kSuffixRequired);
      const bool ends = facts.anchored_end && !facts.can_be_empty;
      mark(ends ? facts.last : CodePointSet::all(), kSuffixEnd);
    }
  }
}

void ChunkFilter::set_infix(const Pattern* pattern) {
  if (pattern) mark(required_of(*pattern), kInfixRequired);
}

void ChunkFilter::set_url(const Pattern* pattern) {
  if (pattern) mark(required_of(*pattern), kUrlRequired);
}

void ChunkFilter::set_token(const Pattern* pattern) {
  if (!pattern) return;
  mark(required_of(*pattern), kTokenRequired);
  for (const RegexFacts& facts : pattern->alternatives()) {
    mark(facts.can_be_empty ? CodePointSet::all() : facts.first, kTokenFirst);
    const bool ends = facts.anchored_end && !facts.can_be_empty;
    mark(ends ? facts.last : CodePointSet::all(), kTokenLast);
  }
}

ChunkScan ChunkFilter::scan(std::string_view text, std::size_t begin) const {
  ChunkScan scan;
  std::size_t pos = begin;
  scan.first = scan.last = flags(next_code_point(text, pos));
  scan.any = scan.first;
  const std::uint16_t space = scan.first & kWhiteSpace;
  scan.end = pos;
  while (pos < text.size()) {
    const std::uint16_t next = flags(next_code_point(text, pos));
    if ((next & kWhiteSpace) != space) break;
    scan.any |= next;
    scan.last = next;
    scan.end = pos;
  }
  return scan;
}

}  // namespace weft
