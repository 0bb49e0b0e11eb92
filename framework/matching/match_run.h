// The search for all matches of token patterns in one document, token by token.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

#include "framework/matching/pattern_index.h"
#include "framework/matching/place_set.h"
#include "framework/matching/test_runner.h"
#include "framework/matching/token_pattern.h"
#include "registry/base/export.h"
#include "registry/base/seeded_hash.h"

namespace weft {

// Tokens [start, end) that a pattern of the key matches.
struct TokenMatch {
  std::uint32_t key = 0;  // number of the key, in the order of first adding
  int start = 0, end = 0;
  // For each token of the match the token of the pattern that took it, where it was asked for.
  std::vector<std::uint32_t> alignment = {};
  bool operator==(const TokenMatch&) const = default;
};

// Matches of one document at most, of token patterns or of phrases: each takes up to 200 bytes
// until it is a span.
inline constexpr std::size_t kMostMatches = std::size_t{1} << 22;

// Walks all started matches at once. There are never two in the same place of a pattern that
// started at the same token, so that a token takes time by the number of places, whatever the ways
// in which a match can come about. The order of results is that of spaCy 3.8.
class MatchRun {
 public:
  MatchRun(std::span<const TokenPattern> patterns, const PatternIndex& index, TestRunner& runner,
           bool with_alignments);

  // The different matches of tokens [begin, end), in the order in which they are found; starts and
  // ends count from `begin`.
  std::vector<TokenMatch> find(int begin, int end);
  // The key whose pattern used up the steps or the matches that a document may have; the search
  // ended there.
  std::optional<std::uint32_t> gave_up_on() const { return gave_up_on_; }

  // A step is an item that is tried at a token: some five nanoseconds.
  static constexpr std::int64_t kSteps = 25'000'000;     // for any document ...
  static constexpr std::int64_t kStepsPerToken = 1'000;  // ... and for each of its tokens ...
  static constexpr std::int64_t kStepsPerPattern = 100;  // ... and at each of them for each pattern
  static constexpr std::int64_t kStepsPerMatch = 40;     // for the memory that it takes
  // So many items are tried again sooner than looked up.
  static constexpr std::size_t kFewItems = 16;

 private:
  struct State {
    std::uint32_t pattern = 0;
    std::uint32_t item = 0;
    int start = 0;
    std::int32_t trail = -1;  // the last of its steps
  };
  // An item was tried when the match had this length.
  struct Step {
    std::uint32_t token = 0;
    int length = 0;
    std::int32_t before = -1;
  };
  bool spend(const State& state, std::int64_t steps);
  void start_at(int i);
  void walk(State state, int i);
  void finish(State state, int end);
  void keep(std::vector<State>& to, const State& state);
  bool was_passed_to(const State& state);
  void note(State& state, int length);
  void emit(const State& state, int end);
  std::vector<std::uint32_t> alignment_of(const State& state, int length) const;

  std::span<const TokenPattern> patterns_;
  const PatternIndex& index_;
  TestRunner& runner_;
  const bool with_alignments_;
  int begin_ = 0;
  std::int64_t steps_left_ = 0;
  std::optional<std::uint32_t> gave_up_on_;
  std::vector<State> live_, next_, aside_;
  std::vector<Step> steps_;
  // Where a match can come about in several ways: the places of next_, and those that were reached
  // at this token by leaving items out.
  PlaceSet places_, passed_to_;
  struct Found {
    std::uint32_t key;
    int start, end;
    bool operator==(const Found&) const = default;
  };
  struct FoundHash {
    std::size_t operator()(const Found& found) const {
      return seeded_hash(
          seeded_hash(std::uint64_t{found.key} << 32 | static_cast<std::uint32_t>(found.start)) ^
          static_cast<std::uint64_t>(found.end));
    }
  };
  std::unordered_set<Found, FoundHash> seen_;
  std::vector<TokenMatch> matches_;
  std::vector<std::uint32_t> candidates_;
};

}  // namespace weft
