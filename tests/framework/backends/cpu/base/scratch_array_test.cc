#include "framework/backends/cpu/base/scratch_array.h"

#include <algorithm>
#include <cstdint>
#include <thread>
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

// Whose caches hold it.
TEST(ScratchArray, AThreadGetsTheBlockThatItLeft) {
  const float* first = nullptr;
  {
    const ScratchArray<float> array(ScratchUse::converted, kCount);
    first = array;
  }
  std::thread([&] {
    const ScratchArray<float> other(ScratchUse::converted, kCount);
    EXPECT_NE(other + 0, first);
  }).join();
  const ScratchArray<float> again(ScratchUse::converted, kCount);
  EXPECT_EQ(again + 0, first);
}

TEST(ScratchArray, ABlockOutlivesItsThreadAndIsUsedAgain) {
  ScratchArray<float> kept;
  const float* left = nullptr;
  std::thread([&] {
    kept = ScratchArray<float>(ScratchUse::inputs, kCount);
    std::fill_n(static_cast<float*>(kept), kCount, 1.0F);
    left = ScratchArray<float>(ScratchUse::sums, kCount);
  }).join();
  EXPECT_EQ(std::count(kept + 0, kept + kCount, 1.0F), kCount);
  std::thread([&] {
    const ScratchArray<float> again(ScratchUse::sums, kCount);
    EXPECT_EQ(again + 0, left);
  }).join();
}

}  // namespace
}  // namespace weft::cpu
