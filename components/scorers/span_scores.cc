#include "components/scorers/span_scores.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "framework/pipeline/prf_row.h"
#include "framework/text/example.h"
#include "registry/base/seeded_hash.h"

namespace weft {
namespace {

using Place = std::pair<int, int>;
using Places = std::vector<Place>;  // in ascending order, each once
using PlacesByLabel = std::map<std::string, Places>;

// `names` has the texts of the labels; null: labels do not count. A document may have millions of
// spans, so that nothing is made for each of them but its place.
PlacesByLabel by_label(std::span<const Span> spans, const Doc* names) {
  std::unordered_map<StringId, Places, SeededHash> by_id;
  for (const Span& span : spans) {
    by_id[names == nullptr ? 0 : span.label].emplace_back(span.start, span.end);
  }
  PlacesByLabel by_text;
  for (auto& [label, places] : by_id) {
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    by_text.emplace(names == nullptr ? "" : names->string(label), std::move(places));
  }
  return by_text;
}

std::set<std::string> labels_of(std::span<const Span> spans, const Doc* names) {
  if (names == nullptr) return spans.empty() ? std::set<std::string>() : std::set<std::string>{""};
  std::unordered_set<StringId, SeededHash> ids;
  for (const Span& span : spans) ids.insert(span.label);
  std::set<std::string> labels;
  for (const StringId id : ids) labels.emplace(names->string(id));
  return labels;
}

std::int64_t count_common(const Places& found, const Places& wanted) {
  Places common;
  std::set_intersection(found.begin(), found.end(), wanted.begin(), wanted.end(),
                        std::back_inserter(common));
  return static_cast<std::int64_t>(common.size());
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
      per_type.set(label, row_of(prf));
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
  // Compares label by label. A span that stands twice in a group counts once. Labels are compared
  // as texts, each read from the strings of its own document. A span that fits no tokens of the
  // reference counts nowhere, but its label has a row.
  void count(const Example& example, const SpanGroup& gold) {
    const PlacesByLabel wanted = by_label(gold.spans, labelled_ ? &example.reference() : nullptr);
    PlacesByLabel found;
    std::set<std::string> labels;
    if (const SpanGroup* group = example.predicted().span_group(key_)) {
      const Doc* names = labelled_ ? &example.predicted() : nullptr;
      found = by_label(example.spans_to_reference(group->spans, true), names);
      labels = labels_of(group->spans, names);
    }
    for (const auto& [label, _] : wanted) labels.insert(label);
    static const Places& none = *new Places{};
    const auto of = [](const PlacesByLabel& places, const std::string& label) -> const Places& {
      const auto known = places.find(label);
      return known == places.end() ? none : known->second;
    };
    for (const std::string& label : labels) {
      const Places &of_found = of(found, label), &of_wanted = of(wanted, label);
      const std::int64_t right = count_common(of_found, of_wanted);
      by_type_[label] += {.true_positives = right,
                          .false_positives = static_cast<std::int64_t>(of_found.size()) - right,
                          .false_negatives = static_cast<std::int64_t>(of_wanted.size()) - right};
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
