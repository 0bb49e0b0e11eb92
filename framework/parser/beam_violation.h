// Where a document's predicted analyses went wrong most, and what a beam update learns from that
// (docs/parsing.md, 7; spaCy 3.8, MaxViolation).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/parser/beam_histories.h"
#include "registry/base/export.h"

namespace weft {

// An analysis, and the gradient of the loss with regard to its score.
struct WeightedHistory {
  std::int32_t history = BeamHistories::kEmpty;
  double gradient = 0;
};

class WEFT_API BeamViolation {
 public:
  // An entry of either beam.
  struct Entry {
    float score = 0;
    float loss = 0;
    std::int32_t history = BeamHistories::kEmpty;
  };

  // Both beams after a step, the best entry first. Kept if the best prediction is wrong and further
  // above the best right analysis than before. The two share their tree of histories.
  void look_at(std::span<const Entry> predicted, std::span<const Entry> right);

  // Wrong analyses, then right ones; empty: there was none.
  std::span<WeightedHistory> analyses() { return analyses_; }
  std::span<const WeightedHistory> analyses() const { return analyses_; }

 private:
  float delta_ = -1;
  std::vector<WeightedHistory> analyses_;
};

}  // namespace weft
