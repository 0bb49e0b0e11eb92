// The draws of random masks, a group of words at a time.
#pragma once

#include <cstdint>

#include "framework/ops/random.h"
#include "registry/base/export.h"

namespace weft::cpu {

// Of Philox 4x32-10; random.h has its plain form.
namespace philox_words {
inline constexpr int kRounds = 10;
inline constexpr std::uint32_t kFactor0 = 0xD2511F53, kFactor1 = 0xCD9E8D57;
inline constexpr std::uint32_t kStep0 = 0x9E3779B9, kStep1 = 0xBB67AE85;
}  // namespace philox_words

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

// The same by AVX-512 or AVX2. Returns false, and writes nothing, where the processor has neither.
bool fill_mask_groups_by_vectors(const RandomStream& random, std::uint64_t group,
                                 std::uint64_t count, MaskDraw draw, float* out);

}  // namespace weft::cpu
