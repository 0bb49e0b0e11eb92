#include "framework/tagging/lemma_facts.h"

#include <algorithm>

#include <fmt/format.h>

namespace weft {

void LemmaFacts::add(const Doc& doc, const std::vector<std::string>&) {
  const auto lemmas = doc.column(Attr::lemma);
  std::set<StringId> different(lemmas.begin(), lemmas.end());
  const bool has_gaps = different.erase(0) > 0 || lemmas.empty();
  if (different.empty()) return;  // told of the document itself
  if (has_gaps) ++partly_;
  if (different.size() == 1 && doc.size() > 1) ++uniform_;
  for (int i = 0; i < doc.size(); ++i) {
    const StringId lemma = doc.value(Attr::lemma, i);
    if (lemma == 0 || !known_.emplace(doc.word(i), lemma).second) continue;
    of_words_.insert(trees_.str(trees_.add(doc.word(i), doc.string(lemma))));
  }
}

Object LemmaFacts::summary(const Beside& beside) const {
  Object numbers;
  numbers.set("documents_partly_lemmatized", partly_);
  numbers.set("edit_trees", std::ssize(of_words_));
  if (const auto* train = static_cast<const LemmaFacts*>(beside.train)) {
    numbers.set("edit_trees_not_in_training",
                std::ranges::count_if(
                    of_words_, [&](const auto& tree) { return !train->of_words_.contains(tree); }));
  }
  return numbers;
}

void LemmaFacts::finish(const Beside&, const DataSink& tell) const {
  if (uniform_ == 0) return;
  tell({.fault = DataFault::one_lemma,
        .corpus = {},
        .message = fmt::format("{} documents of several tokens have a single lemma", uniform_),
        .repair = "look at how they were lemmatized"});
}

}  // namespace weft
