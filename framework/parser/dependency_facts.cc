#include "framework/parser/dependency_facts.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "framework/text/projective.h"
#include "registry/base/error.h"

namespace weft {
namespace {

Object table_of(const std::map<std::string, std::int64_t>& counts) {
  Object table;
  for (const auto& [label, count] : counts) table.set(label, count);
  return table;
}

}  // namespace

void DependencyFacts::add(const Doc& doc, const std::vector<std::string>&) {
  const DependencyTree tree = labelled_tree(doc);
  if (std::ranges::all_of(tree.labels, [](const std::string& label) { return label.empty(); })) {
    return;
  }
  ++documents_;
  words_ += doc.size();
  for (std::size_t i = 0; i < tree.heads.size(); ++i) {
    if (std::cmp_not_equal(tree.heads[i], i)) continue;
    ++sentences_;
    if (!tree.labels[i].empty()) ++roots_[tree.labels[i]];
  }
  try {
    if (!has_crossing_arcs(tree.heads)) return;
    ++crossing_;
    for (const std::string& label : projectivized(tree).labels) {
      if (label.find(kLiftedMark) != label.npos) ++lifted_[label];
    }
  } catch (const Error&) {
    return;  // told of the document itself: a cycle, or too many arcs that cross
  }
}

double DependencyFacts::sentences_of_a_document() const {
  return static_cast<double>(sentences_) / static_cast<double>(documents_);
}

Object DependencyFacts::summary(const Beside&) const {
  Object numbers;
  numbers.set("sentences", sentences_);
  if (sentences_ > 0) {
    const double words = static_cast<double>(words_) / static_cast<double>(sentences_);
    numbers.set("words_per_sentence", std::round(words * 10) / 10);
  }
  numbers.set("documents_with_crossing_arcs", crossing_);
  numbers.set("labels_of_roots", table_of(roots_));
  numbers.set("labels_of_lifted_arcs", table_of(lifted_));
  return numbers;
}

void DependencyFacts::finish(const Beside& beside, const DataSink& tell) const {
  if (beside.train != nullptr || documents_ == 0) return;
  constexpr double kFewSentences = 1.1;
  if (sentences_of_a_document() < kFewSentences) {
    tell({.fault = DataFault::few_sentences,
          .corpus = {},
          .message = fmt::format("{:.2f} sentences for each document: where sentences begin in a "
                                 "longer text is hardly learnt",
                                 sentences_of_a_document()),
          .repair = "put several sentences into a document (`convert --n-sents 10`), or let a "
                    "senter or sentencizer find them"});
  }
  if (roots_.size() > 1) {
    std::vector<std::string> labels;
    for (const auto& [label, _] : roots_) labels.push_back(label);
    tell({.fault = DataFault::several_root_labels,
          .corpus = {},
          .message = fmt::format("roots have the labels {}: a parser calls all of them ROOT",
                                 first_ten(labels)),
          .repair = "none is needed where the difference does not matter"});
  }
  for (const auto& [label, count] : lifted_) {
    if (count >= beside.rare) continue;
    tell({.fault = DataFault::rare_label,
          .corpus = {},
          .label = label,
          .message =
              fmt::format("the label of arcs that are lifted, as they cross others, is learnt "
                          "from {} of the dependencies",
                          count),
          .repair = "annotate more of them, or let arcs of this label not cross others"});
  }
}

}  // namespace weft
