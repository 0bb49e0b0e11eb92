// A pattern in Python's syntax, compiled for PCRE2's JIT. Nothing in a Pattern changes after it is
// made, except that a very large one is compiled when it is first used; any number of threads may
// match with it at once, each with its own MatchScratch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/regex/analysis.h"
#include "registry/base/export.h"

namespace weft {

// Memory that matching needs, and the steps that it may still take (match_budget.h): those of one
// text of no bytes unless it is told of a text. For one thread at a time.
class WEFT_API MatchScratch {
 public:
  MatchScratch();
  ~MatchScratch();
  MatchScratch(MatchScratch&&) noexcept;
  MatchScratch& operator=(MatchScratch&&) noexcept;

  // Announces that the next matches belong to a text of so many bytes.
  void begin_text(std::size_t bytes);
  // Takes steps of the text for matching of another kind. False where it has not so many left.
  bool spend(std::uint64_t steps);

 private:
  friend class Pattern;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

struct MatchSpan {
  std::size_t begin = 0, end = 0;  // bytes
};

class WEFT_API Pattern {
 public:
  enum class Use { search, match };  // anywhere in the text, or at its start only

  // Throws Error(data) naming `name` if the pattern is not valid. `name` is how messages call it.
  Pattern(std::string name, std::string source, Use use);
  ~Pattern();
  Pattern(Pattern&&) noexcept;
  Pattern& operator=(Pattern&&) noexcept;

  const std::string& name() const;
  const std::string& source() const;  // as given
  const std::vector<RegexFacts>& alternatives() const;

  // The first match in `text` (valid UTF-8) that starts at byte `from` or later; look-behind sees
  // what stands before `from`. With `not_empty_here` an empty match at `from` does not count.
  // Throws Error(data) naming the pattern when the text's steps are used up.
  std::optional<MatchSpan> find(MatchScratch& scratch, std::string_view text, std::size_t from = 0,
                                bool not_empty_here = false) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft
