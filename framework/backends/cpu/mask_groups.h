// The draws of random masks, a group of words at a time.
#pragma once

#include <cstdint>

#include "framework/ops/random.h"
#include "registry/base/export.h"

namespace weft::cpu {

// The mask element of a random word: `keep_scale` where the word is at least `threshold`, else 0.
struct MaskDraw {
  std::uint32_t threshold;
  float keep_scale;
};

// Writes `count` groups (kMaskGroup elements each, see dropout.h), from the one with that number
// on, by the vector instructions that the processor has.
WEFT_API void fill_mask_groups(const RandomStream& random, std::uint64_t group, std::uint64_t count,
                               MaskDraw draw, float* out);

// The same for any processor.
WEFT_API void fill_mask_groups_plainly(const RandomStream& random, std::uint64_t group,
                                       std::uint64_t count, MaskDraw draw, float* out);

}  // namespace weft::cpu
