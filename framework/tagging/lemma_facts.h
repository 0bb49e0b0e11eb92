// Facts about the lemmas of a corpus. Source: spaCy 3.8, `debug data`.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "framework/pipeline/annotation_facts.h"
#include "framework/tagging/edit_trees.h"

namespace weft {

class LemmaFacts final : public AnnotationFacts {
 public:
  void add(const Doc& doc, const std::vector<std::string>& labels) override;
  Object summary(const Beside& beside) const override;
  void finish(const Beside& beside, const DataSink& tell) const override;

 private:
  EditTrees trees_;  // with their parts
  std::set<std::string> of_words_;
  std::set<std::pair<std::string, StringId>> known_;  // forms and lemmas whose tree is in there
  std::int64_t partly_ = 0;                           // documents with lemmas and without
  std::int64_t uniform_ = 0;                          // documents of one lemma
};

}  // namespace weft
