#include "framework/backends/cpu/base/scratch_array.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <gtest/gtest.h>

namespace weft::cpu {
namespace {

constexpr std::int64_t kCount = 1000;

// A thread that waits within a kernel may run a part of another pass, which wants scratch for the
// same use.
TEST(ScratchArray, TwoOfOneUseOnOneThreadAreApart) {
  const ScratchArray<float> outer(ScratchUse::gradients, kCount);
  std::fill_n(static_cast<float*>(outer), kCount, 1.0F);
  {
    const ScratchArray<float> inner(ScratchUse::gradients, kCount);
    std::fill_n(static_cast<float*>(inner), kCount, 2.0F);
  }
  EXPECT_EQ(std::count(outer + 0, outer + kCount, 1.0F), kCount);
}

TEST(ScratchArray, IsAlignedAndGrows) {
  const float* small = nullptr;
  {
    const ScratchArray<float> array(ScratchUse::largest, kCount);
    small = array;
  }
  {
    const ScratchArray<float> again(ScratchUse::largest, kCount);
    EXPECT_EQ(again + 0, small) << "fetched anew";
  }
  const ScratchArray<float> large(ScratchUse::largest, 1000 * kCount);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(large + 0) % 64, 0U);
  large[1000 * kCount - 1] = 1.0F;
}

TEST(ScratchArray, MovesWithItsMemory) {
  ScratchArray<float> from(ScratchUse::rows, kCount);
  const float* data = from;
  ScratchArray<float> to;
  to = std::move(from);
  EXPECT_EQ(to + 0, data);
}

}  // namespace
}  // namespace weft::cpu
