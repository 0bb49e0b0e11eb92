#include "framework/nn/table_gradient.h"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

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

std::vector<float> gradient_of(Gradients& gradients) {
  Context ctx;
  const CounterMasks nothing(0, 0);
  CounterMasks masks = nothing;
  ctx.train(0.0, gradients, masks);
  Parameter table{.name = "E", .value = Tensor(ctx.allocator(), {5, 2}, DType::f32)};
  Tensor used = ctx.empty({3, 1}, DType::i32);
  const std::vector<std::int32_t> numbers{4, 1, 4};
  std::copy(numbers.begin(), numbers.end(), used.data<std::int32_t>());
  add_ones(TableGradient(ctx, table, used), used);
  EXPECT_EQ(used.data<std::int32_t>()[0], 4) << "the caller's numbers stay";
  EXPECT_EQ(gradients.find_rows(table) != nullptr, gradients.keeps_rows());
  const Tensor* whole = gradients.find(table);
  return {whole->data<float>(), whole->data<float>() + whole->size()};
}

TEST(TableGradient, IsTheSameByRowsAndWhole) {
  const std::vector<float> expected{0, 0, 1, 1, 0, 0, 0, 0, 2, 2};
  Gradients by_rows;
  EXPECT_TRUE(by_rows.keeps_rows());
  EXPECT_EQ(gradient_of(by_rows), expected);
  Gradients whole(std::make_shared<Stream>());
  EXPECT_FALSE(whole.keeps_rows());
  EXPECT_EQ(gradient_of(whole), expected);
}

}  // namespace
}  // namespace weft
