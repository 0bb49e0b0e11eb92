#include "components/scorers/span_scores.h"

#include <map>
#include <set>
#include <string>
#include <utility>

#include "framework/pipeline/prf.h"
#include "framework/text/example.h"

namespace weft {
namespace {

using Place = std::pair<int, int>;
using PlacesByLabel = std::map<std::string, std::set<Place>>;

// `names` has the texts of the labels; null: labels do not count.
PlacesByLabel by_label(std::span<const Span> spans, const Doc* names) {
  PlacesByLabel places;
  for (const Span& span : spans) {
    const std::string label = names == nullptr ? "" : std::string(names->string(span.label));
    places[label].emplace(span.start, span.end);
  }
  return places;
}

class SpanScoreSession final : public ScoreSession {
 public:
  SpanScoreSession(bool labelled, std::string key) : labelled_(labelled), key_(std::move(key)) {}

  void add(std::span<const Example> examples) override {
    for (const Example& example : examples) {
      const SpanGroup* gold = example.reference().span_group(key_);
      if (gold != nullptr) count(example, *gold);
    }
  }

  Scores finish() override {
    Prf total;
    Object per_type;
    for (const auto& [label, prf] : by_type_) {
      total += prf;
      Object row;
      row.set("p", prf.precision());
      row.set("r", prf.recall());
      row.set("f", prf.f_score());
      per_type.set(label, std::move(row));
    }
    const bool none = total.empty();
    const std::string name = "spans_" + key_;
    Scores scores;
    scores.set(name + "_p", none ? Node() : Node(total.precision()));
    scores.set(name + "_r", none ? Node() : Node(total.recall()));
    scores.set(name + "_f", none ? Node() : Node(total.f_score()));
    if (labelled_) scores.set(name + "_per_type", none ? Node() : Node(std::move(per_type)));
    return scores;
  }

 private:
  // Compares label by label. Places are sets, so that a span that stands twice in a group counts
  // once; labels are compared as texts, each read from the strings of its own document. A span that
  // fits no tokens of the reference counts nowhere, but its label has a row.
  void count(const Example& example, const SpanGroup& gold) {
    const PlacesByLabel wanted = by_label(gold.spans, labelled_ ? &example.reference() : nullptr);
    PlacesByLabel found;
    std::set<std::string> labels;
    if (const SpanGroup* group = example.predicted().span_group(key_)) {
      const Doc* names = labelled_ ? &example.predicted() : nullptr;
      found = by_label(example.spans_to_reference(group->spans, true), names);
      for (const auto& [label, _] : by_label(group->spans, names)) labels.insert(label);
    }
    static const std::set<Place> none;
    const auto of = [](const PlacesByLabel& places, const std::string& label) {
      const auto known = places.find(label);
      return known == places.end() ? &none : &known->second;
    };
    for (const auto& [label, _] : wanted) labels.insert(label);
    for (const std::string& label : labels) {
      Prf& prf = by_type_[label];
      for (const Place& place : *of(found, label)) {
        ++(of(wanted, label)->contains(place) ? prf.true_positives : prf.false_positives);
      }
      for (const Place& place : *of(wanted, label)) {
        if (!of(found, label)->contains(place)) ++prf.false_negatives;
      }
    }
  }

  bool labelled_;
  std::string key_;
  std::map<std::string, Prf> by_type_;
};

}  // namespace

Scores SpanScorer::operator()(std::span<const Example> examples) const {
  const ScoreSessionPtr session = start();
  session->add(examples);
  return session->finish();
}

ScoreSessionPtr SpanScorer::start() const {
  return std::make_unique<SpanScoreSession>(labelled_, spans_key_);
}

Scorer SpanScorer::scorer(bool labelled, const std::string& spans_key) {
  const SpanScorer scorer(labelled, spans_key);
  return {scorer, [scorer] { return scorer.start(); }};
}

Scorer SpanScorer::configured(const Scorer& other, const std::string& spans_key) {
  const auto* known = other.score.target<SpanScorer>();
  return known == nullptr ? other : scorer(known->labelled_, spans_key);
}

}  // namespace weft
