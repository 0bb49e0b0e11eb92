// A table larger than a slice: gradients kept by rows and threads change nothing.
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "framework/ops/random.h"
#include "framework/training/optimizer.h"
#include "tests/components/building.h"

namespace weft {
namespace {

constexpr std::int64_t kRows = 1000, kWidth = 60;  // 60000 numbers, four slices

struct Table {
  Parameter parameter{"E", Tensor::zeros({kRows, kWidth}), 0};
  Gradients gradients;
  std::vector<NamedParameter> named{{"layer/E", &parameter}};
  Context ctx;

  Table() {
    const RandomStream random(1, 2, 3);
    for (std::int64_t i = 0; i < kRows * kWidth; ++i) {
      parameter.value.data<float>()[i] = random.uniform(static_cast<std::uint64_t>(i)) - 0.5F;
    }
  }
  std::vector<float> numbers() const {
    const float* data = parameter.value.data<float>();
    return {data, data + kRows * kWidth};
  }
};

// The rows that step `step` touches, among them the first and the last of the table.
std::vector<std::int32_t> touched(int step) {
  return {999, 0, 272 + step, 273 + step, 500, 17 * step};
}
float slope(std::int32_t row, std::int64_t column, int step) {
  return 0.01F * static_cast<float>((row * 7 + column * 3 + step) % 11 - 5);
}

void add_dense(Table& table, int step) {
  Tensor& gradient = table.gradients.of(table.parameter);
  for (const std::int32_t row : touched(step)) {
    float* to = gradient.view().row<float>(row);
    for (std::int64_t c = 0; c < kWidth; ++c) to[c] = slope(row, c, step);
  }
}

void add_rows(Table& table, int step) {
  const std::vector<std::int32_t> rows = touched(step);
  std::vector<std::int32_t> places = rows;
  const View values = table.gradients.rows_of(table.parameter).touch(places);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    float* to = values.row<float>(places[i]);
    for (std::int64_t c = 0; c < kWidth; ++c) to[c] = slope(rows[i], c, step);
  }
}

void run_on_threads(std::size_t count, const std::function<void(std::size_t)>& task) {
  std::vector<std::jthread> threads;
  for (std::size_t i = count; i-- > 0;) threads.emplace_back([&task, i] { task(i); });
}

class SlicedSteps : public ::testing::TestWithParam<std::string> {};

TEST_P(SlicedSteps, RowsAndThreadsGiveTheSameNumbers) {
  const auto dense = testing::build<OptimizerPtr>(GetParam());
  const auto rows = testing::build<OptimizerPtr>(GetParam());
  Table a, b;
  const std::vector<float> before = a.numbers();
  for (int step = 1; step <= 8; ++step) {
    a.gradients.clear();
    b.gradients.clear();
    add_dense(a, step);
    add_rows(b, step);
    dense->step(a.ctx, a.named, a.gradients);
    rows->step(b.ctx, b.named, b.gradients, run_on_threads);
  }
  const std::vector<float> expected = a.numbers(), found = b.numbers();
  EXPECT_NE(expected, before);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    // The norms are added in another order, which may move the clip factor by a rounding.
    ASSERT_NEAR(found[i], expected[i], 1e-6) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Rules, SlicedSteps,
    ::testing::Values("@optimizers = \"Adam.v1\"\nL2 = 0.01\n",
                      "@optimizers = \"Adam.v1\"\nL2 = 0.01\nL2_is_weight_decay = false\n",
                      "@optimizers = \"RAdam.v1\"\nlearn_rate = 0.1\n",
                      "@optimizers = \"SGD.v1\"\nlearn_rate = 0.1\ngrad_clip = 0\n"));

TEST(SlicedStep, ThreadsGiveTheSameBytes) {
  const std::string settings = "@optimizers = \"Adam.v1\"\n";
  const auto one = testing::build<OptimizerPtr>(settings);
  const auto many = testing::build<OptimizerPtr>(settings);
  Table a, b;
  for (int step = 1; step <= 3; ++step) {
    a.gradients.clear();
    b.gradients.clear();
    add_rows(a, step);
    add_rows(b, step);
    one->step(a.ctx, a.named, a.gradients);
    many->step(b.ctx, b.named, b.gradients, run_on_threads);
  }
  EXPECT_EQ(a.numbers(), b.numbers());
}

}  // namespace
}  // namespace weft
