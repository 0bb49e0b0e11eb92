// Scores of morphological features, one field at a time.
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "components/scorers/attribute_scores.h"
#include "framework/pipeline/prf_row.h"
#include "framework/text/morph_features.h"

namespace weft {

namespace {

using Features = std::set<std::pair<int, std::string>>;  // reference token, values
using FeaturesByField = std::map<std::string, Features>;

void add(FeaturesByField& all, const MorphFeatures& features, int token) {
  for (const auto& [field, values] : features.values()) all[field].emplace(token, values);
}

// The field's counts, of reference and prediction.
Prf compare(const Features& gold, const Features& found) {
  Prf prf;
  for (const auto& feature : found) {
    ++(gold.contains(feature) ? prf.true_positives : prf.false_positives);
  }
  prf.false_negatives = static_cast<std::int64_t>(gold.size()) - prf.true_positives;
  return prf;
}

class FeatureScoreSession : public ScoreSession {
 public:
  void add(std::span<const Example> examples) override {
    for (const Example& example : examples) count(example);
  }
  Scores finish() override {
    Prf micro;
    Object per_field;
    for (const auto& [field, prf] : by_field_) {
      micro += prf;
      per_field.set(field, row_of(prf));
    }
    const auto value = [&](double score) { return micro.empty() ? Node() : Node(score); };
    Scores scores;
    scores.set("morph_micro_p", value(micro.precision()));
    scores.set("morph_micro_r", value(micro.recall()));
    scores.set("morph_micro_f", value(micro.f_score()));
    scores.set("morph_per_feat", micro.empty() ? Node() : Node(std::move(per_field)));
    return scores;
  }

 private:
  void count(const Example& example) {
    const Doc& reference = example.reference();
    const Doc& predicted = example.predicted();
    FeaturesByField gold, found;
    for (int i = 0; i < reference.size(); ++i) weft::add(gold, morph_of(reference, i), i);
    for (int i = 0; i < predicted.size(); ++i) {
      const auto token = compared_token(example, i);
      if (!token || morph_text(reference, *token).empty()) continue;
      weft::add(found, morph_of(predicted, i), *token);
    }
    for (const auto& [field, features] : gold) by_field_[field] += compare(features, found[field]);
    for (const auto& [field, features] : found) {
      if (!gold.contains(field)) by_field_[field] += compare({}, features);
    }
  }

  std::map<std::string, Prf> by_field_;
};

}  // namespace

ScoreSessionPtr feature_score_session() {
  return std::make_unique<FeatureScoreSession>();
}

}  // namespace weft
