#include "framework/ops/dropout.h"

#include <vector>

#include <gtest/gtest.h>

#include "framework/tensor/tensor.h"
#include "tests/framework/ops/backwards_tasks.h"

namespace weft {
namespace {

// The definition, an element at a time.
float element(const RandomStream& random, std::uint64_t at, double rate) {
  const MaskPlace place = mask_place(at);
  const std::uint32_t word = random.block(place.block)[static_cast<std::size_t>(place.word)];
  return word >= mask_threshold(rate) ? static_cast<float>(1.0 / (1.0 - rate)) : 0.0F;
}

TEST(DropoutMask, EqualsItsDefinitionAtAnyOffsetAndLength) {
  Stream stream;
  const RandomStream random(7, 11, site_hash("tok2vec/3/dropout"));
  for (const std::uint64_t offset : {0U, 1U, 63U, 64U, 100U, 4096U}) {
    for (const std::int64_t size : {0, 1, 63, 64, 65, 300}) {
      Tensor mask = Tensor::zeros({size});
      kernel_of<DropoutMask>(DeviceKind::cpu)(stream, random, offset, 0.3, mask.view());
      for (std::int64_t i = 0; i < size; ++i) {
        ASSERT_EQ(mask.data<float>()[i],
                  element(random, offset + static_cast<std::uint64_t>(i), 0.3))
            << offset << " + " << i;
      }
    }
  }
}

// Cut at places within a group of the stream.
TEST(DropoutMask, ThreadsShareALargeOne) {
  BackwardsTasks tasks;
  Stream stream;
  stream.share_among(&tasks.runner);
  const RandomStream random(7, 11, 13);
  const auto fill = kernel_of<DropoutMask>(DeviceKind::cpu);
  for (const std::uint64_t offset : {0U, 1U, 63U, 64U, 1300U}) {
    Tensor mask = Tensor::zeros({131, 97});
    tasks.most = 0;
    fill(stream, random, offset, 0.3, mask.view());
    EXPECT_GT(tasks.most, 1U);
    for (std::int64_t i = 0; i < mask.size(); ++i) {
      ASSERT_EQ(mask.data<float>()[i], element(random, offset + static_cast<std::uint64_t>(i), 0.3))
          << offset << " + " << i;
    }
  }
  Tensor small = Tensor::zeros({30, 96});
  tasks.most = 0;
  fill(stream, random, 0, 0.3, small.view());
  EXPECT_EQ(tasks.most, 0U);
}

TEST(DropoutMask, ThreadsShareRowsThatStartAnywhere) {
  BackwardsTasks tasks;
  Stream stream;
  stream.share_among(&tasks.runner);
  const RandomStream random(7, 11, 13);
  Tensor offsets = Tensor::zeros({150}, DType::i64), mask = Tensor::zeros({150, 96});
  for (std::int64_t i = 0; i < 150; ++i) offsets.data<std::int64_t>()[i] = i * 977 % 4001;
  kernel_of<DropoutMaskRows>(DeviceKind::cpu)(stream, random, offsets.cview(), 0.3, mask.view());
  EXPECT_GT(tasks.most, 1U);
  for (std::int64_t i = 0; i < mask.size(); ++i) {
    const std::int64_t at = offsets.data<std::int64_t>()[i / 96] + i % 96;
    ASSERT_EQ(mask.data<float>()[i], element(random, static_cast<std::uint64_t>(at), 0.3)) << i;
  }
}

TEST(DropoutMask, NoTwoElementsShareAWord) {
  std::vector<int> used(4 * kMaskGroup, 0);
  for (std::uint64_t i = 0; i < used.size(); ++i) {
    const MaskPlace place = mask_place(i);
    ++used[4 * place.block + static_cast<std::uint64_t>(place.word)];
  }
  for (const int count : used) EXPECT_EQ(count, 1);
}

TEST(DropoutMask, ThresholdsReachFromNoneToAlmostAll) {
  EXPECT_EQ(mask_threshold(0.0), 0U);
  EXPECT_EQ(mask_threshold(0.5), 0x80000000U);
  EXPECT_EQ(mask_threshold(1.0), 0xFFFFFFFFU);
}

}  // namespace
}  // namespace weft
