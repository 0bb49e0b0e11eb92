// Agreement of the ranks of a distributed run, which tell each other their loss scales in every
// step that may be skipped.
// Source: docs/precision.md, "Several ranks".
#pragma once

#include <span>

#include "framework/precision/notice.h"
#include "registry/base/export.h"

namespace weft {

// The loss scaler of a rank, as far as the ranks decide alike by it.
struct RankScale {
  float scale = 1.0F;
  int growth_tracker = 0;

  bool operator==(const RankScale&) const = default;
};

// P040, an error that stops the run, unless all ranks hold the same scale and tracker. The message
// lists the scales in the order of the ranks; where those agree, with the trackers
// ("65536 after 3").
WEFT_API Notices check_ranks(std::span<const RankScale> ranks);

}  // namespace weft
