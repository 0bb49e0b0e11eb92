// Answers tests of the tokens of one document. Predicates are asked once for each value, whole
// tests of word forms once for each word; results are kept from document to document.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "framework/matching/token_test.h"
#include "framework/matching/token_values.h"
#include "framework/regex/pattern.h"
#include "registry/base/export.h"
#include "registry/base/seeded_hash.h"

namespace weft {

// Answers that hold for any document of a vocabulary; of bounded size. For one thread at a time.
class KnownAnswers {
 public:
  static constexpr std::size_t kMostWords = std::size_t{1} << 16;
  static constexpr std::size_t kMostValues = std::size_t{1} << 20;

  // Forgets everything if the words' attributes may have changed.
  void follow(const Vocab& vocab);

 private:
  friend class TestRunner;
  struct OfWord {
    LexemeFlags flags = 0;
    std::vector<std::uint32_t> tests;  // that it passes
  };
  std::uint64_t edition_ = 0;
  std::unordered_map<StringId, OfWord, SeededHash> words_;
  std::vector<std::unordered_map<StringId, bool, SeededHash>> predicates_;  // by value
  std::size_t values_ = 0;                                                  // in all of these
  MatchScratch scratch_;
};

class WEFT_API TestRunner {
 public:
  TestRunner(const TestTable& table, const TokenValues& values, KnownAnswers& known);

  const TokenValues& values() const { return values_; }
  bool passes(std::uint32_t test, int i) {
    const TokenTest& one = tests_[test];
    if ((values_.flags(i) & one.mask) != one.flags || one.never) return false;
    for (const TokenTest::Equal& equal : one.equals) {
      if (values_.value(equal.attr, i) != equal.value) return false;
    }
    for (const std::uint32_t predicate : one.predicates) {
      if (!holds(predicate, i)) return false;
    }
    return true;
  }
  // Those of `tests`, which the word form answers, that the token passes: always the same tests.
  std::span<const std::uint32_t> of_word_form(std::span<const std::uint32_t> tests, int i);

 private:
  bool holds(std::uint32_t predicate, int i);

  std::span<const TokenTest> tests_;
  std::span<const Predicate> predicates_;
  const TokenValues& values_;
  KnownAnswers& known_;
  std::string buffer_;
};

}  // namespace weft
