#include "framework/backends/cpu/mask_groups.h"

#include "framework/backends/cpu/base/clones.h"
#include "framework/ops/dropout.h"

namespace weft::cpu {

namespace {

constexpr int kLanes = static_cast<int>(kMaskLanes);
using namespace philox_words;

// Philox on 16 counters side by side; see random.h for the plain form.
struct Lanes {
  std::uint32_t word[4][kLanes];
};

// Philox 4x32-10 of Salmon et al. (2011), "Parallel random numbers: as easy as 1, 2, 3": a
// bijection of counters, so that any element of a mask is computed from its number alone, in any
// order and on any device.
inline void philox_round(Lanes& c, std::uint32_t key0, std::uint32_t key1) {
  for (int j = 0; j < kLanes; ++j) {
    const std::uint64_t a = std::uint64_t{kFactor0} * c.word[0][j];
    const std::uint64_t b = std::uint64_t{kFactor1} * c.word[2][j];
    c.word[0][j] = static_cast<std::uint32_t>(b >> 32) ^ c.word[1][j] ^ key0;
    c.word[1][j] = static_cast<std::uint32_t>(b);
    c.word[2][j] = static_cast<std::uint32_t>(a >> 32) ^ c.word[3][j] ^ key1;
    c.word[3][j] = static_cast<std::uint32_t>(a);
  }
}

// Sixteen counters that follow each other, from a multiple of 16 on. The upper words of the counter
// name the stream, the lower two count.
inline Lanes words_of(const RandomStream& random, std::uint64_t first_block) {
  const auto start = random.counter(0);
  auto key = random.key();
  Lanes lanes;
  for (int j = 0; j < kLanes; ++j) {
    const std::uint64_t block = first_block + static_cast<std::uint64_t>(j);
    lanes.word[0][j] = static_cast<std::uint32_t>(block);
    lanes.word[1][j] = static_cast<std::uint32_t>(block >> 32);
    lanes.word[2][j] = start[2];
    lanes.word[3][j] = start[3];
  }
  for (int round = 0; round < kRounds; ++round) {
    philox_round(lanes, key[0], key[1]);
    key = {key[0] + kStep0, key[1] + kStep1};
  }
  return lanes;
}

}  // namespace

WEFT_CPU_CLONES void fill_mask_groups_plainly(const RandomStream& random, std::uint64_t group,
                                              std::uint64_t count, MaskDraw draw, float* out) {
  // The layout of a group: word 0 of its 16 counters, then word 1, and so on. It is the same in
  // every implementation, since masks must not depend on the processor.
  for (std::uint64_t i = 0; i < count; ++i) {
    const Lanes lanes = words_of(random, (group + i) * kMaskLanes);
    for (int w = 0; w < 4; ++w, out += kMaskLanes) {
      for (int j = 0; j < kLanes; ++j) {
        out[j] = lanes.word[w][j] >= draw.threshold ? draw.keep_scale : 0.0F;
      }
    }
  }
}

void fill_mask_groups(const RandomStream& random, std::uint64_t group, std::uint64_t count,
                      MaskDraw draw, float* out) {
  if (fill_mask_groups_by_vectors(random, group, count, draw, out)) return;
  fill_mask_groups_plainly(random, group, count, draw, out);
}

}  // namespace weft::cpu
