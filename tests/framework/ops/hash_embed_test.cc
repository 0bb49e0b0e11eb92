#include "framework/ops/hash_embed.h"

#include <array>

#include <gtest/gtest.h>

#include "framework/ops/context.h"
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

}  // namespace
}  // namespace weft
