// Precision and recall of entities, were those below a confidence left out (docs/confidence.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/pipeline/prf.h"
#include "framework/text/example.h"
#include "registry/base/export.h"

namespace weft {

struct ThresholdRow {
  double threshold = 0;
  Prf prf;
};

// Entities without a confidence are never left out.
class WEFT_API ThresholdSweep {
 public:
  // Predicted documents with their annotation.
  void add(std::span<const Example> examples);
  // For 0, 0.05 … 0.95; counts as the scorer of entities counts.
  std::vector<ThresholdRow> rows() const;

 private:
  static constexpr std::size_t kSteps = 20;
  // Entities whose confidence reaches threshold i and not the next one, right and wrong.
  std::array<std::int64_t, kSteps> right_ = {}, wrong_ = {};
  std::int64_t missed_ = 0;
};

}  // namespace weft
