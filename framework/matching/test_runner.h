// Answers tests of the tokens of one document. Tests that the word form answers are looked at once
// for each word, predicates of the others once for each value; results are kept from document to
// document.
#pragma once

#include <algorithm>
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
  // Of the word form that was looked at last: of each predicate the answer, and the number of the
  // word that it is for.
  struct OfLast {
    std::uint64_t word = 0;
    bool answer = false;
  };
  std::vector<OfLast> of_last_;
  std::uint64_t last_word_ = 0;
  MatchScratch scratch_;
};

class WEFT_API TestRunner {
 public:
  TestRunner(const TestTable& table, const TokenValues& values, KnownAnswers& known);

  const TokenValues& values() const { return values_; }
  bool passes(std::uint32_t test, int i) {
    return passes_if(test, i, [&](std::uint32_t predicate) { return holds(predicate, i); });
  }
  // Those of `tests`, which the word form answers, that the token passes: always the same tests.
  std::span<const std::uint32_t> of_word_form(std::span<const std::uint32_t> tests, int i);

 private:
  // `holds` answers for a predicate of the test.
  template <class Holds>
  bool passes_if(std::uint32_t test, int i, const Holds& holds) {
    const TokenTest& one = tests_[test];
    if ((values_.flags(i) & one.mask) != one.flags || one.never) return false;
    for (const TokenTest::Equal& equal : one.equals) {
      if (values_.value(equal.attr, i) != equal.value) return false;
    }
    return std::all_of(one.predicates.begin(), one.predicates.end(), holds);
  }
  bool holds(std::uint32_t predicate, int i);
  bool holds_of_word(std::uint32_t predicate, int i);
  bool ask(const Predicate& predicate, StringId value, int i);

  std::span<const TokenTest> tests_;
  std::span<const Predicate> predicates_;
  const TokenValues& values_;
  KnownAnswers& known_;
  std::string buffer_;
};

}  // namespace weft
