#include "framework/pipeline/threshold_sweep.h"

#include <algorithm>

#include "framework/text/ent_confidence.h"
#include "framework/text/judged_entities.h"

namespace weft {

namespace {

double threshold(std::size_t step) {
  return static_cast<double>(step) / 20;
}

}  // namespace

void ThresholdSweep::add(std::span<const Example> examples) {
  for (const Example& example : examples) {
    if (!example.reference().has_ents()) continue;
    const JudgedEntities judged = judged_entities(example);
    missed_ += static_cast<std::int64_t>(judged.missed.size());
    for (const JudgedEntity& one : judged.predicted) {
      if (one.judgement == Judgement::unknown) continue;
      const double confidence = ent_confidence(example.predicted(), one.entity).value_or(1.0);
      std::size_t step = kSteps - 1;
      while (step > 0 && confidence < threshold(step)) --step;
      ++(one.judgement == Judgement::right ? right_ : wrong_)[step];
    }
  }
}

std::vector<ThresholdRow> ThresholdSweep::rows() const {
  std::vector<ThresholdRow> rows;
  Prf prf;
  prf.false_negatives = missed_;
  for (std::size_t step = 0; step < kSteps; ++step) {
    prf.true_positives += right_[step];
    prf.false_positives += wrong_[step];
  }
  for (std::size_t step = 0; step < kSteps; ++step) {
    rows.push_back({threshold(step), prf});
    prf.true_positives -= right_[step];
    prf.false_negatives += right_[step];
    prf.false_positives -= wrong_[step];
  }
  return rows;
}

}  // namespace weft
