#include "framework/nn/table_gradient.h"

#include <algorithm>
#include <span>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/nn/gradients.h"
#include "framework/ops/context.h"

namespace weft {
namespace {

// Adds 1 to every number of the rows that were used, once for each time.
void add_ones(const TableGradient& gradient, const Tensor& used) {
  for (std::int64_t i = 0; i < used.size(); ++i) {
    const std::int32_t row = gradient.rows.data<std::int32_t>()[i];
    float* numbers = gradient.values.slice(row, 1).as<float>();
    for (std::int64_t at = 0; at < gradient.values.cols(); ++at) numbers[at] += 1.0F;
  }
}

// Whole tables are for devices: tests/framework/tensor/stream_test.cc and those of hash_embed.
TEST(TableGradient, KeepsTheRowsThatWereUsed) {
  Context ctx;
  Gradients gradients;
  CounterMasks masks(0, 0);
  ctx.pass().train(0.0, gradients, masks);
  const Parameter table{.name = "E", .value = Tensor(ctx.allocator(), {5, 2}, DType::f32)};
  Tensor used = ctx.empty({3, 1}, DType::i32);
  const std::vector<std::int32_t> numbers{4, 1, 4};
  std::copy(numbers.begin(), numbers.end(), used.data<std::int32_t>());
  add_ones(TableGradient(ctx, table, used), used);
  EXPECT_EQ(used.data<std::int32_t>()[0], 4) << "the caller's numbers stay";
  ASSERT_NE(gradients.find_rows(table), nullptr);
  EXPECT_EQ(gradients.find_rows(table)->rows().size(), 2U);
  const Tensor* whole = gradients.find(table);
  EXPECT_THAT(std::span(whole->data<float>(), 10),
              ::testing::ElementsAre(0, 0, 1, 1, 0, 0, 0, 0, 2, 2));
}

}  // namespace
}  // namespace weft
