#include "components/scorers/dependency_scores.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "framework/pipeline/prf_row.h"
#include "framework/text/example.h"
#include "framework/unicode/unicode.h"

namespace weft {

namespace {

using Arc = std::tuple<int, int, std::string>;  // token, head, label; of the reference
using Arcs = std::set<Arc>;

// Labels are compared in lower case, as in spaCy.
std::string label_of(const Doc& doc, int token) {
  return lower(doc.string(doc.value(Attr::dep, token)));
}

// Punctuation is left out by convention: its place in a tree differs between treebanks and says
// little about a parser.
bool is_ignored(const std::string& label) {
  return label == "p" || label == "punct";
}

// A token without a label has no head, whatever is stored: it counts as its own.
int head_of(const Doc& doc, int token) {
  if (doc.value(Attr::dep, token) == 0) return token;
  return token + (doc.heads().empty() ? 0 : doc.heads()[static_cast<std::size_t>(token)]);
}

// The reference token that a predicted one is aligned with, if there is just one; else -1.
int one_reference(const Example& example, int token) {
  const auto tokens = example.alignment().to_reference(token);
  return tokens.size() == 1 ? tokens[0] : -1;
}

// Counts of two sets: an element of both is right, one of `found` alone is a false positive and one
// of `gold` alone is a false negative.
template <class Thing>
void count(const std::set<Thing>& found, const std::set<Thing>& gold, Prf& prf) {
  std::int64_t right = 0;
  for (const Thing& one : found) right += gold.contains(one) ? 1 : 0;
  prf.true_positives += right;
  prf.false_positives += static_cast<std::int64_t>(found.size()) - right;
  prf.false_negatives += static_cast<std::int64_t>(gold.size()) - right;
}

std::set<std::pair<int, int>> without_labels(const Arcs& arcs) {
  std::set<std::pair<int, int>> heads;
  for (const auto& [token, head, label] : arcs) heads.emplace(token, head);
  return heads;
}

std::map<std::string, Arcs> by_label(const Arcs& arcs) {
  std::map<std::string, Arcs> labels;
  for (const Arc& arc : arcs) labels[std::get<2>(arc)].insert(arc);
  return labels;
}

class DependencyScoreSession : public ScoreSession {
 public:
  void add(std::span<const Example> examples) override {
    for (const Example& example : examples) add_one(example);
  }

  Scores finish() override {
    const auto value = [&](Node score) { return heads_.empty() ? Node() : std::move(score); };
    Object per_type;
    for (const auto& [label, prf] : by_type_) {
      per_type.set(label, row_of(prf));
    }
    Scores scores;
    scores.set("dep_uas", value(heads_.f_score()));
    scores.set("dep_las", value(labelled_.f_score()));
    scores.set("dep_las_per_type", value(std::move(per_type)));
    return scores;
  }

 private:
  void add_one(const Example& example) {
    const Arcs gold = gold_arcs(example.reference());
    const Arcs found = found_arcs(example);
    count(without_labels(found), without_labels(gold), heads_);
    count(found, gold, labelled_);
    auto found_labels = by_label(found), gold_labels = by_label(gold);
    for (const auto& [label, arcs] : found_labels) gold_labels.try_emplace(label);
    for (const auto& [label, arcs] : gold_labels) count(found_labels[label], arcs, by_type_[label]);
  }

  // Arcs of the reference by its own token numbers. The numbers of tokens without a label are noted
  // for all documents to come: spaCy keeps that set over the whole corpus, and equal scores need
  // the same.
  Arcs gold_arcs(const Doc& reference) {
    Arcs arcs;
    for (int i = 0; i < reference.size(); ++i) {
      const std::string label = label_of(reference, i);
      if (label.empty()) {
        unlabelled_.insert(i);
      } else if (!is_ignored(label)) {
        arcs.emplace(i, head_of(reference, i), label);
      }
    }
    return arcs;
  }

  // Tokens that are not aligned, or whose head is not, count as wrong at once.
  Arcs found_arcs(const Example& example) {
    const Doc& predicted = example.predicted();
    Arcs arcs;
    for (int i = 0; i < predicted.size(); ++i) {
      if (predicted.is_space(i)) continue;
      const int token = one_reference(example, i);
      const std::string label = label_of(predicted, i);
      if (unlabelled_.contains(token) || is_ignored(label)) continue;
      const int head = one_reference(example, head_of(predicted, i));
      if (token < 0 || head < 0) {
        ++heads_.false_positives;
        ++labelled_.false_positives;
      } else {
        arcs.emplace(token, head, label);
      }
    }
    return arcs;
  }

  Prf heads_, labelled_;
  std::map<std::string, Prf> by_type_;
  std::set<int> unlabelled_;  // token numbers, of all documents so far
};

}  // namespace

ScoreSessionPtr dependency_score_session() {
  return std::make_unique<DependencyScoreSession>();
}

}  // namespace weft
