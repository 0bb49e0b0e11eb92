// The test that a pattern makes of one token, in the form in which it is answered fast.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "framework/matching/predicate.h"
#include "framework/text/lexeme.h"
#include "registry/base/export.h"
#include "registry/base/seeded_hash.h"

namespace weft {

// Holds if the word has exactly those flags of `mask` that are in `flags`, and everything else
// holds too.
struct TokenTest {
  struct Equal {
    Attr attr = Attr::orth;
    StringId value = 0;
    bool operator==(const Equal&) const = default;
    bool operator<(const Equal& other) const {
      return std::tie(attr, value) < std::tie(other.attr, other.value);
    }
  };
  LexemeFlags mask = 0, flags = 0;
  std::vector<Equal> equals;              // sorted
  std::vector<std::uint32_t> predicates;  // by their numbers, sorted
  bool never = false;                     // two of its conditions exclude each other

  bool is_empty() const { return mask == 0 && equals.empty() && predicates.empty() && !never; }
};

// The tests and predicates of many patterns, each of them once.
class WEFT_API TestTable {
 public:
  std::uint32_t add(TokenTest test);
  // `name`: a text that tells the predicate from all others.
  std::uint32_t add(Predicate predicate, const std::string& name);
  // The number of a predicate that is there already, or -1.
  std::int64_t find(const std::string& name) const;

  std::span<const TokenTest> tests() const { return tests_; }
  std::span<const Predicate> predicates() const { return predicates_; }

 private:
  std::vector<TokenTest> tests_;
  std::vector<Predicate> predicates_;
  std::unordered_map<std::string, std::uint32_t, SeededHash> tests_by_name_, predicates_by_name_;
};

}  // namespace weft
