#include "framework/nn/fused/saved_mask.h"

#include <algorithm>
#include <array>
#include <vector>

#include <gtest/gtest.h>

namespace weft {
namespace {

Tensor mask_of(Context& ctx, std::array<float, 6> numbers) {
  Tensor mask = ctx.empty({3, 2});
  std::copy(numbers.begin(), numbers.end(), mask.data<float>());
  return mask;
}

std::vector<float> rows_of(const SavedMask& mask, std::vector<std::int32_t> places) {
  std::vector<float> rows;
  for (const std::int32_t place : places) {
    for (int j = 0; j < 2; ++j) {
      const ConstView numbers = mask.numbers();
      rows.push_back(numbers.dtype == DType::f32                ? numbers.row<float>(place)[j]
                     : numbers.row<std::uint8_t>(place)[j] != 0 ? mask.keep_scale()
                                                                : 0.0F);
    }
  }
  return rows;
}

TEST(SavedMask, GivesTheNumbersThatItWasMadeOf) {
  Context ctx;
  SparedMemory memory(ctx);
  const float kept = 1.0F / 0.9F;
  const SavedMask mask(ctx, mask_of(ctx, {0, kept, kept, 0, 0, 0}), memory);
  EXPECT_EQ(rows_of(mask, {0, 2, 1}), (std::vector<float>{0, kept, 0, 0, kept, 0}));
}

TEST(SavedMask, SparesTheMemoryOfItsNumbers) {
  Context ctx;
  SparedMemory memory(ctx);
  Tensor numbers = mask_of(ctx, {0, 2, 2, 0, 2, 2});
  const void* was = numbers.cview().data;
  const SavedMask mask(ctx, numbers, memory);
  const std::size_t in_use = ctx.arena().in_use();
  const Tensor small(memory, {5}, DType::f32);
  EXPECT_NE(small.cview().data, was) << "pieces are of 64 bytes, the mask has 24";
  EXPECT_GT(ctx.arena().in_use(), in_use);
  Tensor large = ctx.empty({4, 16});
  memory.spare(large);
  const std::size_t before = ctx.arena().in_use();
  const Tensor first(memory, {16}, DType::f32), second(memory, {3, 16}, DType::f32);
  EXPECT_EQ(first.cview().data, large.cview().data);
  EXPECT_EQ(second.data<float>(), large.data<float>() + 16);
  EXPECT_EQ(ctx.arena().in_use(), before);
  const Tensor third(memory, {1}, DType::f32);
  EXPECT_GT(ctx.arena().in_use(), before);
}

TEST(SavedMask, OfOtherNumbersIsKeptAsItIs) {
  Context ctx;
  SparedMemory memory(ctx);
  const SavedMask mask(ctx, mask_of(ctx, {0, 0.5F, 2, 0, 1, 1}), memory);
  EXPECT_EQ(rows_of(mask, {1, 0}), (std::vector<float>{2, 0, 0, 0.5F}));
}

// Masks go by groups of 16 numbers: one that differs is found in each of them, and behind them.
TEST(SavedMask, SeesOneOtherNumberAtEachPlace) {
  Context ctx;
  constexpr std::int64_t kCount = 37;
  for (std::int64_t other = 0; other < kCount; ++other) {
    SparedMemory memory(ctx);
    Tensor numbers = ctx.empty({1, kCount});
    for (std::int64_t i = 0; i < kCount; ++i) numbers.data<float>()[i] = i % 3 == 0 ? 0.0F : 2.0F;
    EXPECT_EQ(SavedMask(ctx, numbers, memory).numbers().dtype, DType::u8);
    Tensor changed = ctx.empty({1, kCount});
    std::copy_n(numbers.data<float>(), kCount, changed.data<float>());
    changed.data<float>()[other] = 1.5F;
    const SavedMask mask(ctx, changed, memory);
    EXPECT_EQ(mask.numbers().dtype, DType::f32) << other;
  }
}

TEST(SavedMask, OfNothingIsNone) {
  Context ctx;
  SparedMemory memory(ctx);
  EXPECT_FALSE(SavedMask());
  EXPECT_FALSE(SavedMask(ctx, Tensor(), memory));
  const SavedMask zeros(ctx, mask_of(ctx, {0, 0, 0, 0, 0, 0}), memory);
  EXPECT_TRUE(zeros);
  EXPECT_EQ(rows_of(zeros, {2}), (std::vector<float>{0, 0}));
}

}  // namespace
}  // namespace weft
