#include "framework/matching/test_runner.h"

#include <utility>

namespace weft {

void KnownAnswers::follow(const Vocab& vocab) {
  if (edition_ == vocab.edition()) return;
  words_.clear();
  predicates_.clear();
  values_ = 0;
  edition_ = vocab.edition();
}

TestRunner::TestRunner(const TestTable& table, const TokenValues& values, KnownAnswers& known)
    : tests_(table.tests()), predicates_(table.predicates()), values_(values), known_(known) {
  known.follow(*values.doc().vocab());
  known.predicates_.resize(predicates_.size());
  known.scratch_.begin_text(values.doc().text().size());
}

std::span<const std::uint32_t> TestRunner::of_word_form(std::span<const std::uint32_t> tests,
                                                        int i) {
  if (tests.empty()) return {};
  const StringId orth = values_.doc().attr_ids(Attr::orth)[i];
  const auto known = known_.words_.find(orth);
  if (known != known_.words_.end() && known->second.flags == values_.flags(i)) {
    return known->second.tests;
  }
  KnownAnswers::OfWord word{values_.flags(i), {}};
  for (const std::uint32_t test : tests) {
    if (passes(test, i)) word.tests.push_back(test);
  }
  if (known_.words_.size() >= KnownAnswers::kMostWords) known_.words_.clear();
  return (known_.words_[orth] = std::move(word)).tests;
}

bool TestRunner::holds(std::uint32_t number, int i) {
  const Predicate& predicate = predicates_[number];
  const StringId value = values_.value(predicate.attr(), i);
  if (!predicate.needs_text()) return predicate.holds(value, {}, known_.scratch_);
  auto& answers = known_.predicates_[number];
  const auto known = answers.find(value);
  if (known != answers.end()) return known->second;
  const bool answer =
      predicate.holds(value, values_.text(predicate.attr(), i, buffer_), known_.scratch_);
  if (++known_.values_ > KnownAnswers::kMostValues) {
    for (auto& each : known_.predicates_) each.clear();
    known_.values_ = 1;
  }
  answers.emplace(value, answer);
  return answer;
}

}  // namespace weft
