#include "framework/ops/hash_embed.h"

#include <array>

#include <gtest/gtest.h>

#include "framework/ops/context.h"
#include "framework/precision/element_type.h"
#include "tests/framework/ops/backwards_tasks.h"
#include "tests/framework/ops/random_tensor.h"

namespace weft {
namespace {

void expect_keys(std::uint64_t id, std::uint32_t seed, std::array<std::uint32_t, 4> keys) {
  const HashKeys found = hash_keys(id, seed);
  for (std::size_t i = 0; i < keys.size(); ++i) EXPECT_EQ(found.key[i], keys[i]) << id << " " << i;
}

// Recorded from Thinc 8.3.
TEST(HashKeys, AreThoseOfTheReference) {
  expect_keys(0, 8, {0, 0, 0, 0});
  expect_keys(1, 8, {1161550108U, 2247783286U, 1742325162U, 1224191281U});
  expect_keys(101, 8, {1504371752U, 1761805357U, 109073980U, 2642708036U});
  const std::uint64_t the = 7425985699627899538U;
  expect_keys(the, 8, {2332737498U, 1315472909U, 1351622599U, 1973209364U});
  expect_keys(the, 11, {2417826844U, 541574509U, 1521801291U, 425412564U});
}

TEST(HashEmbedOps, SumRowsAndSpreadGradients) {
  Context ctx;
  Tensor ids = Tensor::from<std::uint64_t>({3, 2}, {7, 1, 7, 101, 7, 0});
  Tensor rows = Tensor::zeros({3, 4}, DType::i32);
  ctx.run<HashRows>(ids.cview().columns(1, 1), 8U, std::int64_t{10}, rows.view());
  EXPECT_EQ(rows.data<std::int32_t>()[0], 8);  // 1161550108 mod 10
  EXPECT_EQ(rows.data<std::int32_t>()[4], 2);
  EXPECT_EQ(rows.data<std::int32_t>()[8], 0);
  const Tensor table = random_tensor({10, 5}, 1);
  Tensor y = Tensor::zeros({3, 5});
  ctx.run<GatherSum>(table, rows, y.view());
  Tensor d_table = Tensor::zeros({10, 5});
  const Tensor dy = random_tensor({3, 5}, 2);
  ctx.run<ScatterAddSum>(dy, rows, d_table.view());
  Tensor expected = Tensor::zeros({10, 5});
  for (std::int64_t i = 0; i < 3; ++i) {
    for (std::int64_t j = 0; j < 5; ++j) {
      float sum = 0;
      for (std::int64_t k = 0; k < 4; ++k) {
        const std::int32_t row = rows.data<std::int32_t>()[i * 4 + k];
        sum += table.data<float>()[row * 5 + j];
        expected.data<float>()[row * 5 + j] += dy.data<float>()[i * 5 + j];
      }
      EXPECT_NEAR(y.data<float>()[i * 5 + j], sum, 1e-6);
    }
  }
  for (std::int64_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(d_table.data<float>()[i], expected.data<float>()[i], 1e-6);
  }
}

// In f32 and from a table of 16 bits; a batch of few ids stays on one thread.
TEST(HashEmbedOps, ThreadsShareTheRowsOfManyIds) {
  constexpr std::int64_t kIds = 131, kWidth = 97, kTableRows = 50;
  Tensor rows = Tensor::zeros({kIds, 4}, DType::i32);
  for (std::int64_t i = 0; i < rows.size(); ++i) {
    rows.data<std::int32_t>()[i] = static_cast<std::int32_t>(i * 37 % kTableRows);
  }
  const auto gather = kernel_of<GatherSum>(DeviceKind::cpu);
  for (const DType type : {DType::f32, DType::bf16}) {
    const Tensor table = cast_to(type, random_tensor({kTableRows, kWidth}, 3));
    Tensor alone = Tensor::zeros({kIds, kWidth}), shared = Tensor::zeros({kIds, kWidth});
    Stream stream;
    gather(stream, table.cview(), rows.cview(), alone.view());
    BackwardsTasks tasks;
    stream.share_among(&tasks.runner);
    gather(stream, table.cview(), rows.cview(), shared.view());
    EXPECT_GT(tasks.most, 1U);
    for (std::int64_t i = 0; i < alone.size(); ++i) {
      ASSERT_EQ(shared.data<float>()[i], alone.data<float>()[i]) << i;
    }
    tasks.most = 0;
    gather(stream, table.cview(), rows.cview().slice(0, 20), shared.view().slice(0, 20));
    EXPECT_EQ(tasks.most, 0U);
  }
}

}  // namespace
}  // namespace weft
