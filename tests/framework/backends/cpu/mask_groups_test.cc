#include "framework/backends/cpu/mask_groups.h"

#include <vector>

#include <gtest/gtest.h>

#include "framework/ops/dropout.h"

namespace weft::cpu {
namespace {

using Fill = void (*)(const RandomStream&, std::uint64_t, std::uint64_t, MaskDraw, float*);

// The definition, an element at a time.
float element(const RandomStream& random, std::uint64_t at, MaskDraw draw) {
  const MaskPlace place = mask_place(at);
  const std::uint32_t word = random.block(place.block)[static_cast<std::size_t>(place.word)];
  return word >= draw.threshold ? draw.keep_scale : 0.0F;
}

class MaskGroups : public testing::TestWithParam<Fill> {};

TEST_P(MaskGroups, AreTheWordsOfTheStream) {
  const RandomStream random(0x123456789abcdef0, 3, site_hash("ner/dropout"));
  // The last: where the lower word of the counter overflows.
  for (const std::uint64_t group : {0ULL, 1ULL, 77ULL, (1ULL << 28) - 1}) {
    for (const std::uint32_t threshold : {0U, 1U << 29, 1U << 31, 0xFFFFFFFFU}) {
      const MaskDraw draw{threshold, 1.25F};
      std::vector<float> groups(3 * kMaskGroup + 1, -1.0F);
      GetParam()(random, group, 3, draw, groups.data());
      for (std::uint64_t i = 0; i < 3 * kMaskGroup; ++i) {
        ASSERT_EQ(groups[i], element(random, group * kMaskGroup + i, draw)) << group << " + " << i;
      }
      EXPECT_EQ(groups.back(), -1.0F);
    }
  }
}

TEST_P(MaskGroups, NoGroupsWriteNothing) {
  float untouched = 3.0F;
  GetParam()(RandomStream(1, 2, 3), 0, 0, {0, 1.0F}, &untouched);
  EXPECT_EQ(untouched, 3.0F);
}

INSTANTIATE_TEST_SUITE_P(Ways, MaskGroups,
                         testing::Values(fill_mask_groups, fill_mask_groups_plainly));

}  // namespace
}  // namespace weft::cpu
