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
  known.of_last_.resize(predicates_.size());
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
  ++known_.last_word_;
  const auto holds = [&](std::uint32_t predicate) { return holds_of_word(predicate, i); };
  for (const std::uint32_t test : tests) {
    if (passes_if(test, i, holds)) word.tests.push_back(test);
  }
  if (known_.words_.size() >= KnownAnswers::kMostWords) known_.words_.clear();
  return (known_.words_[orth] = std::move(word)).tests;
}

bool TestRunner::ask(const Predicate& predicate, StringId value, int i) {
  const std::string_view text =
      predicate.needs_text() ? values_.text(predicate.attr(), i, buffer_) : std::string_view();
  return predicate.holds(value, text, known_.scratch_);
}

// The answers for a word are kept as a whole. A predicate that stands in several tests is asked
// once for it; a table of all words for each predicate would take longer than the answers.
bool TestRunner::holds_of_word(std::uint32_t number, int i) {
  KnownAnswers::OfLast& last = known_.of_last_[number];
  if (last.word != known_.last_word_) {
    const Predicate& predicate = predicates_[number];
    last = {known_.last_word_, ask(predicate, values_.value(predicate.attr(), i), i)};
  }
  return last.answer;
}

bool TestRunner::holds(std::uint32_t number, int i) {
  const Predicate& predicate = predicates_[number];
  const StringId value = values_.value(predicate.attr(), i);
  if (!predicate.needs_text()) return ask(predicate, value, i);
  auto& answers = known_.predicates_[number];
  const auto known = answers.find(value);
  if (known != answers.end()) return known->second;
  const bool answer = ask(predicate, value, i);
  if (++known_.values_ > KnownAnswers::kMostValues) {
    for (auto& each : known_.predicates_) each.clear();
    known_.values_ = 1;
  }
  answers.emplace(value, answer);
  return answer;
}

}  // namespace weft
