// A pattern compiled by PCRE2, interpreted at first and run as machine code later. The only place
// that knows PCRE2's calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "framework/regex/match_budget.h"

namespace weft {

// Memory that matching needs; for one thread at a time.
class MatchMemory {
 public:
  MatchMemory();
  ~MatchMemory();
  MatchMemory(const MatchMemory&) = delete;
  MatchMemory& operator=(const MatchMemory&) = delete;

  struct Impl;
  Impl& impl() { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

// The subject of a match: `text` from byte `from` on; look-behind sees what stands before.
struct MatchSubject {
  std::string_view text;
  std::size_t from = 0;
  bool not_empty_here = false;  // an empty match at `from` does not count

  std::size_t bytes() const { return text.size() - from; }
};

// Bounds of the work of a match: where it is tried, and steps at each place, without repetitions
// that have no end.
struct MatchEffort {
  std::size_t places = 1;           // of the text, at most
  std::uint64_t steps_at_each = 0;  // of the budget
};

struct PieceMatch {
  enum class End { found, none, limit, failed } end = End::none;
  std::size_t begin = 0, stop = 0;  // bytes of the text, where it was found
  int code = 0;                     // of PCRE2, where it failed: for message_of
};

struct PieceTraits {
  bool at_start_only = false;
  bool has_atomic = false;  // a group or repetition that gives nothing back
  std::size_t items = 0;    // of the pattern, which say what a step can take
  std::size_t width = 1;    // most items that a character counts for (items_of_class)
};

// Any number of threads may use one at once, each with memory of its own.
class Pcre2Piece {
 public:
  // Compiles a pattern in PCRE2's syntax. Null if it is too large for one piece; throws Error(data)
  // with PCRE2's words if it is not valid.
  static std::unique_ptr<Pcre2Piece> compile(std::string text, const PieceTraits& traits);
  ~Pcre2Piece();

  // Ends with `limit` after some hundred backtracking steps at one place, fewer if the pattern is
  // large: takes time by that and by the length of the text, unless a repetition walks far.
  PieceMatch quick(MatchMemory& memory, const MatchSubject& subject) const;
  // Counts every step and spends it; ends with `limit` where the budget does not suffice.
  PieceMatch counted(MatchMemory& memory, const MatchSubject& subject, const MatchEffort& effort,
                     MatchBudget& budget) const;

  static std::string message_of(int code);

 private:
  struct Impl;
  explicit Pcre2Piece(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft
