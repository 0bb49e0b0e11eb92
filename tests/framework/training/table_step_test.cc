// Rows of a table that are changed one after the other get the bytes of a step over all of it.
#include "framework/training/table_step.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "framework/ops/kernel.h"
#include "framework/ops/random.h"

namespace weft {
namespace {

constexpr std::int64_t kWidth = 35;  // no whole number of vectors

StepScalars scalars() {
  StepScalars s;
  s.clip = 0.7F;
  s.learn_rate = 0.01F;
  s.decay = 1e-4F;
  s.beta1 = 0.9F;
  s.beta2 = 0.999F;
  s.eps = 1e-8F;
  return s;
}

Tensor random_array(std::int64_t rows, std::uint64_t site, float least) {
  Tensor array = Tensor::zeros({rows, kWidth});
  const RandomStream random(7, site, 1);
  for (std::int64_t i = 0; i < array.size(); ++i) {
    array.data<float>()[i] = least + 0.2F * random.uniform(static_cast<std::uint64_t>(i));
  }
  return array;
}

std::vector<float> numbers(const Tensor& array) {
  return {array.data<float>(), array.data<float>() + array.size()};
}

// A table in the midst of a training.
struct Table {
  explicit Table(std::int64_t rows)
      : weights(random_array(rows, 1, -0.1F)),
        mom1(random_array(rows, 2, -0.1F)),
        mom2(random_array(rows, 3, 0.0F)) {}

  // The whole step at once.
  void step_at_once(StepRule rule, std::span<const std::int32_t> touched,
                    const std::vector<float>& gradient) {
    Tensor dense = Tensor::zeros(weights.shape());
    for (std::size_t i = 0; i < touched.size(); ++i) {
      std::copy_n(&gradient[i * kWidth], kWidth, dense.view().row<float>(touched[i]));
    }
    Stream stream;
    const auto kernel = rule == StepRule::adam ? kernel_of<AdamStep>(DeviceKind::cpu)
                                               : kernel_of<MomentumStep>(DeviceKind::cpu);
    kernel(stream, weights.view(), dense.cview(), mom1.view(), mom2.view(), scalars());
  }
  TableStep::Arrays arrays() const { return {weights, mom1, mom2}; }
  void expect_like(const Table& other) const {
    EXPECT_EQ(numbers(weights), numbers(other.weights));
    EXPECT_EQ(numbers(mom1), numbers(other.mom1));
    EXPECT_EQ(numbers(mom2), numbers(other.mom2));
  }

  Tensor weights, mom1, mom2;
};

std::vector<float> some_gradient(std::size_t rows) {
  const Tensor array = random_array(static_cast<std::int64_t>(rows), 4, -0.1F);
  return numbers(array);
}

class TableSteps : public ::testing::TestWithParam<StepRule> {};

TEST_P(TableSteps, AreThoseOfTheWholeTable) {
  for (const std::int64_t rows : {1, 15, 16, 17, 100}) {
    Table whole(rows), piecewise(rows);
    const auto last = static_cast<std::int32_t>(rows - 1);
    std::vector<std::int32_t> touched = {0};
    if (rows > 15) touched = {5, 0, last, 6};
    const std::vector<float> gradient = some_gradient(touched.size());
    TableStep step;
    for (int i = 0; i < 3; ++i) {  // one step after the other
      whole.step_at_once(GetParam(), touched, gradient);
      step.begin(piecewise.arrays(), GetParam(), scalars(), touched);
      step.change_touched(touched, gradient.data());
      step.change_all();
      piecewise.expect_like(whole);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, TableSteps, ::testing::Values(StepRule::adam, StepRule::momentum));

TEST(TableStep, ChangesRowsOnceWhoeverAsks) {
  Table before(40), whole(40), table(40);
  const std::vector<std::int32_t> touched = {3};
  const std::vector<float> gradient = some_gradient(1);
  whole.step_at_once(StepRule::adam, touched, gradient);
  TableStep step;
  step.begin(table.arrays(), StepRule::adam, scalars(), touched);
  step.change_touched(touched, gradient.data());
  const std::int32_t asked[] = {39, 17, 17, 3};
  step.change(asked);
  step.change(asked);
  for (std::int32_t row = 0; row < 40; ++row) {
    const bool is_changed = row == 3 || row == 17 || row == 39;
    const Table& like = is_changed ? whole : before;
    EXPECT_TRUE(std::equal(table.weights.view().row<float>(row),
                           table.weights.view().row<float>(row) + kWidth,
                           like.weights.view().row<float>(row)))
        << row;
  }
  for (std::size_t piece = 0; piece < step.pieces(); ++piece) step.change_piece(piece);
  step.change_piece(0);
  table.expect_like(whole);
  step.change_all();
  step.change(asked);  // nothing waits any more
  table.expect_like(whole);
}

TEST(TableStep, ServesManyThreadsAtATime) {
  constexpr std::int64_t kRows = 600;
  Table whole(kRows), table(kRows);
  const std::vector<std::int32_t> touched = {100, 7, 599};
  const std::vector<float> gradient = some_gradient(touched.size());
  TableStep step;
  for (int round = 0; round < 200; ++round) {
    whole.step_at_once(StepRule::adam, touched, gradient);
    step.begin(table.arrays(), StepRule::adam, scalars(), touched);
    step.change_touched(touched, gradient.data());
    {
      std::vector<std::jthread> threads;
      threads.emplace_back([&] {
        for (std::size_t piece = step.pieces(); piece-- > 0;) step.change_piece(piece);
      });
      for (int reader = 0; reader < 3; ++reader) {
        threads.emplace_back([&, reader] {
          std::vector<std::int32_t> rows(kRows);
          std::iota(rows.begin(), rows.end(), 0);
          std::rotate(rows.begin(), rows.begin() + reader * 97, rows.end());
          step.change(rows);
          // As the step makes them, once they were asked for.
          EXPECT_EQ(numbers(table.weights), numbers(whole.weights));
        });
      }
    }
    step.change_all();
    table.expect_like(whole);
  }
}

}  // namespace
}  // namespace weft
