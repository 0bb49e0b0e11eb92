// How far a pretraining run is: where it stands in the text and the losses so far.
#pragma once

#include <cstdint>

#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

struct PretrainState {
  std::int64_t pass = 0;           // of the next batch, from 0
  std::int64_t batches_taken = 0;  // of that pass
  std::int64_t sizes_taken = 0;    // asked of the batcher, over all passes (see Batcher)
  std::int64_t sizes_at_pass_start = 0;
  std::int64_t step = 0;  // updates so far
  std::int64_t words = 0;
  std::int64_t words_at_row = 0;  // when the table got its last row
  double loss = 0.0;              // sum over all batches
  double loss_at_row = 0.0;
  double pass_loss = 0.0;
};

WEFT_API Node to_node(const PretrainState& state);
// Throws Error(data) naming what is missing or wrong.
WEFT_API PretrainState pretrain_state_from(const Node& node);

}  // namespace weft
