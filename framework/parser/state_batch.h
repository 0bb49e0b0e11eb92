// States that are scored together: their token rows, their hidden vectors and their scores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/ops/context.h"
#include "framework/parser/parse_batch.h"
#include "registry/base/export.h"

namespace weft {

// Memory is kept from one round to the next.
class WEFT_API StateBatch {
 public:
  explicit StateBatch(const StateScorer& scorer) : scorer_(scorer) {}

  void clear() { count_ = 0; }
  int count() const { return count_; }
  int features() const { return scorer_.shape.features; }
  // Where the token rows of one more state go.
  std::int32_t* add();
  // `unseen`: see TransitionTaskOf. `mask` (count, hidden): of the hidden vectors; null: none.
  void score(Context& ctx, std::span<const std::uint8_t> unseen, const float* mask);
  const float* scores(int row) const {
    return scores_.data() + std::ptrdiff_t{row} * scorer_.shape.classes;
  }

 private:
  StateScorer scorer_;
  int count_ = 0;
  std::vector<std::int32_t> features_;
  std::vector<float> hidden_, scores_;
};

}  // namespace weft
