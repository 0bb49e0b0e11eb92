#include "framework/matching/pattern_index.h"

#include <algorithm>
#include <array>
#include <optional>

#include "framework/matching/pattern_attribute.h"

namespace weft {
namespace {

// From the attribute whose values say most about a token to the one that says least. Flags and
// small numbers are left to the word form.
constexpr std::array kSelective = {Attr::orth,      Attr::lower,   Attr::norm,   Attr::lemma,
                                   Attr::ent_kb_id, Attr::ent_id,  Attr::suffix, Attr::prefix,
                                   Attr::shape,     Attr::dep,     Attr::morph,  Attr::tag,
                                   Attr::pos,       Attr::ent_type};
// A list that is longer is not taken apart.
constexpr std::size_t kMostValues = 10'000;

struct Key {
  Attr attr = Attr::orth;
  std::vector<StringId> values;
};

// The key by which the test is found.
std::optional<Key> key_of(const TestTable& table, const TokenTest& test) {
  for (const Attr attr : kSelective) {
    for (const TokenTest::Equal& equal : test.equals) {
      if (equal.attr == attr) return Key{attr, {equal.value}};
    }
    for (const std::uint32_t number : test.predicates) {
      const Predicate& predicate = table.predicates()[number];
      const Predicate::Values* values = predicate.only_values();
      if (predicate.attr() != attr || values == nullptr || values->size() > kMostValues) continue;
      return Key{attr, {values->begin(), values->end()}};
    }
  }
  return std::nullopt;
}

bool word_form_answers(const TestTable& table, const TokenTest& test) {
  const auto equal = [](const TokenTest::Equal& one) { return is_of_word_form(one.attr); };
  const auto predicate = [&](std::uint32_t number) {
    return is_of_word_form(table.predicates()[number].attr());
  };
  return std::all_of(test.equals.begin(), test.equals.end(), equal) &&
         std::all_of(test.predicates.begin(), test.predicates.end(), predicate);
}

}  // namespace

void PatternIndex::add(std::uint32_t pattern, std::span<const std::uint32_t> tests, bool always,
                       const TestTable& table) {
  if (always) {
    always_.push_back(pattern);
    return;
  }
  for (const std::uint32_t test : tests) {
    if (test >= patterns_of_.size()) patterns_of_.resize(table.tests().size());
    Tests& patterns = patterns_of_[test];
    if (patterns.empty()) place(test, table);
    if (patterns.empty() || patterns.back() != pattern) patterns.push_back(pattern);
  }
}

void PatternIndex::place(std::uint32_t number, const TestTable& table) {
  const TokenTest& test = table.tests()[number];
  if (test.never) return;
  if (const auto key = key_of(table, test)) {
    ByValue& index = by_value(key->attr);
    for (const StringId value : key->values) index.tests[value].push_back(number);
  } else {
    (word_form_answers(table, test) ? of_word_form_ : others_).push_back(number);
  }
}

PatternIndex::ByValue& PatternIndex::by_value(Attr attr) {
  for (ByValue& index : by_value_) {
    if (index.attr == attr) return index;
  }
  return by_value_.emplace_back(ByValue{attr, {}});
}

void PatternIndex::find(TestRunner& runner, int i, std::vector<std::uint32_t>& patterns) const {
  patterns.assign(always_.begin(), always_.end());
  std::size_t sources = always_.empty() ? 0 : 1;
  const auto take = [&](std::uint32_t test) {
    const Tests& found = patterns_of_[test];
    patterns.insert(patterns.end(), found.begin(), found.end());
    ++sources;
  };
  for (const ByValue& index : by_value_) {
    const auto found = index.tests.find(runner.values().value(index.attr, i));
    if (found == index.tests.end()) continue;
    for (const std::uint32_t test : found->second) {
      if (runner.passes(test, i)) take(test);
    }
  }
  for (const std::uint32_t test : runner.of_word_form(of_word_form_, i)) take(test);
  for (const std::uint32_t test : others_) {
    if (runner.passes(test, i)) take(test);
  }
  if (sources < 2) return;
  std::sort(patterns.begin(), patterns.end());
  patterns.erase(std::unique(patterns.begin(), patterns.end()), patterns.end());
}

}  // namespace weft
