// Which patterns of a tokenizer can match a piece of text at all, told from its characters. Derived
// from the patterns, so it holds for any tokenizer file: a pattern that may match anything simply
// gets no shortcut.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "framework/regex/pattern.h"
#include "registry/base/export.h"

namespace weft {

// The bits of one character; OR-ed over a piece, those of the piece.
enum ChunkFlag : std::uint16_t {
  kPrefixFirst = 1,     // a prefix can start with it
  kSuffixLast = 2,      // a suffix can end with it …
  kSuffixRequired = 4,  // … or contain or see it and end with a …
  kInfixRequired = 8,
  kTokenRequired = 16,
  kTokenFirst = 32,
  kTokenLast = 64,
  kUrlRequired = 128,
  kWhiteSpace = 256,
  kSuffixEnd = 512,  // … character like this
};

struct ChunkScan {
  std::size_t end = 0;      // byte behind the run
  std::uint16_t first = 0;  // flags of the first character
  std::uint16_t last = 0;
  std::uint16_t any = 0;  // of all characters together
};

class WEFT_API ChunkFilter {
 public:
  ChunkFilter();
  // A null pattern never matches.
  void set_prefix(const Pattern* pattern);
  void set_suffix(const Pattern* pattern);
  void set_infix(const Pattern* pattern);
  void set_token(const Pattern* pattern);
  void set_url(const Pattern* pattern);

  std::uint16_t flags(char32_t c) const { return c < kTable ? table_[c] : beyond_; }

  // The run of characters from byte `begin` on that are all white space, or all not. `begin` must
  // lie inside the text.
  ChunkScan scan(std::string_view text, std::size_t begin) const;

  // True if a chunk that is no special case stays one token: no affix and no infix can match.
  static bool is_plain(const ChunkScan& scan) {
    return !(scan.first & kPrefixFirst) && !may_end_in_suffix(scan.last, scan.any) &&
           !(scan.any & kInfixRequired);
  }

  // Whether a suffix can match in a text by the flags of its last character and of all.
  static bool may_end_in_suffix(std::uint16_t last, std::uint16_t any) {
    return (last & kSuffixLast) || ((last & kSuffixEnd) && (any & kSuffixRequired));
  }

 private:
  static constexpr char32_t kTable = 0x10000;
  void mark(const CodePointSet& set, std::uint16_t flag);

  std::vector<std::uint16_t> table_;
  std::uint16_t beyond_ = 0;  // all characters from U+10000 on together
};

}  // namespace weft
