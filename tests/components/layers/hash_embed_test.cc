#include <memory>
#include <set>

#include <gtest/gtest.h>

#include "components/layers/layers.h"
#include "framework/ops/context.h"
#include "tests/framework/nn/waiting_rows.h"

namespace weft {
namespace {

// The rows that a pass reads are asked for before, those alone, and seen as they are then.
TEST(HashEmbed, AsksForTheRowsThatItReads) {
  constexpr std::int64_t kRows = 500;
  const ModelPtr model = layers::hash_embed({.outputs = 4, .rows = kRows, .seed = 3});
  Context ctx;
  InitRandom random(1);
  model->initialize(ctx, {}, {}, random);
  Parameter& table = model->param("E");
  EXPECT_TRUE(table.may_be_deferred);
  Tensor ids = Tensor::zeros({3, 1}, DType::u64);
  for (std::int64_t i = 0; i < 3; ++i) ids.data<std::uint64_t>()[i] = 1000 + 17 * i;
  const Tensor expected = as_tensor(model->predict(ctx, ids)).clone();

  const Tensor made = table.value.clone();
  table.value.fill_zero();
  const auto rows = std::make_shared<testing::WaitingRows>(table, made);
  table.deferred = rows;
  const Tensor found = as_tensor(model->predict(ctx, ids));
  ASSERT_EQ(found.size(), expected.size());
  for (std::int64_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found.data<float>()[i], expected.data<float>()[i]);
  }
  const std::set<std::int32_t> asked(rows->asked.begin(), rows->asked.end());
  EXPECT_GT(asked.size(), 8U);
  EXPECT_LE(asked.size(), 12U);
}

}  // namespace
}  // namespace weft
