// Finds the patterns that can start at a token without trying all of them: each test that may be
// the first of a pattern is found by one of its values, or is answered once for each word form.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "framework/matching/test_runner.h"
#include "framework/matching/token_test.h"
#include "registry/base/export.h"
#include "registry/base/seeded_hash.h"

namespace weft {

class WEFT_API PatternIndex {
 public:
  // Patterns are added in ascending order. The pattern starts with a token that passes one of
  // `tests`; with `always` it may start at every token.
  void add(std::uint32_t pattern, std::span<const std::uint32_t> tests, bool always,
           const TestTable& table);

  // The patterns that can start at token `i`, in ascending order.
  void find(TestRunner& runner, int i, std::vector<std::uint32_t>& patterns) const;

 private:
  using Tests = std::vector<std::uint32_t>;
  struct ByValue {
    Attr attr;
    std::unordered_map<StringId, Tests, SeededHash> tests;
  };
  void place(std::uint32_t test, const TestTable& table);
  ByValue& by_value(Attr attr);

  std::vector<Tests> patterns_of_;  // by test; empty for one that starts no pattern
  Tests always_;                    // patterns
  std::vector<ByValue> by_value_;
  Tests of_word_form_;  // tests that the word form answers
  Tests others_;        // tests to be asked at every token
};

}  // namespace weft
