// Rows of a table that are changed one after the other get the bytes of a step over all of it.
#include "framework/training/deferred_table.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "framework/ops/kernel.h"
#include "framework/ops/random.h"
#include "framework/pipeline/worker_pool.h"

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
                    const std::vector<float>& gradient, StepScalars s = scalars()) {
    Tensor dense = Tensor::zeros(weights.shape());
    for (std::size_t i = 0; i < touched.size(); ++i) {
      std::copy_n(&gradient[i * kWidth], kWidth, dense.view().row<float>(touched[i]));
    }
    Stream stream;
    const auto kernel = rule == StepRule::adam ? kernel_of<AdamStep>(DeviceKind::cpu)
                                               : kernel_of<MomentumStep>(DeviceKind::cpu);
    kernel(stream, weights.view(), dense.cview(), mom1.view(), mom2.view(), s);
  }
  DeferredTable::Arrays arrays() const { return {weights, mom1, mom2}; }
  void expect_like(const Table& other) const {
    EXPECT_EQ(numbers(weights), numbers(other.weights));
    EXPECT_EQ(numbers(mom1), numbers(other.mom1));
    EXPECT_EQ(numbers(mom2), numbers(other.mom2));
  }

  void expect_like(const Table& other, std::int32_t row) const {
    const auto of = [row](const Tensor& array) {
      const float* first = array.data<float>() + row * kWidth;
      return std::vector<float>(first, first + kWidth);
    };
    EXPECT_EQ(of(weights), of(other.weights)) << row;
    EXPECT_EQ(of(mom1), of(other.mom1)) << row;
    EXPECT_EQ(of(mom2), of(other.mom2)) << row;
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
    DeferredTable deferred;
    for (int i = 0; i < 3; ++i) {  // one step after the other
      whole.step_at_once(GetParam(), touched, gradient);
      deferred.begin(piecewise.arrays(), GetParam(), scalars());
      deferred.change_touched(touched, gradient.data());
      deferred.change_all();
      piecewise.expect_like(whole);
    }
  }
}

// Rows miss some steps or hundreds, with rates that go up and down, until they are read, have a
// gradient or all are wanted.
TEST_P(TableSteps, AreMadeLaterToTheSameBytes) {
  constexpr std::int64_t kRows = 30;
  constexpr int kSteps = 700;
  Table whole(kRows), table(kRows);
  const RandomStream random(7, 5, 1);
  const FlushDenormals flush;
  DeferredTable deferred;
  for (int i = 0; i < kSteps; ++i) {
    StepScalars s = scalars();
    s.learn_rate *= 1.0F + 0.5F * random.uniform(static_cast<std::uint64_t>(i));
    s.decay *= static_cast<float>(i % 3);
    std::vector<std::int32_t> touched;
    for (std::int32_t row = 0; row < kRows; ++row) {
      // Some in each second step, some after hundreds, the last ones never.
      if (row < 25 && i % (2 + row * row) == 1) touched.push_back(row);
    }
    const std::vector<float> gradient = some_gradient(touched.size());
    whole.step_at_once(GetParam(), touched, gradient, s);
    deferred.begin(table.arrays(), GetParam(), s);
    deferred.change_touched(touched, gradient.data());
    const std::int32_t read[] = {i % 23, 29};
    if (i % 5 == 0) deferred.change(read, nullptr);
    if (i % 5 == 0) {
      for (const std::int32_t row : read) table.expect_like(whole, row);
    }
    if (i == 300) deferred.change_all();
  }
  EXPECT_TRUE(deferred.waits());
  deferred.change_all();
  EXPECT_FALSE(deferred.waits());
  table.expect_like(whole);
}

INSTANTIATE_TEST_SUITE_P(Rules, TableSteps, ::testing::Values(StepRule::adam, StepRule::momentum));

// Rows wait no longer than the steps are kept for them, and not for steps by another rule.
TEST(DeferredTable, ChangesAllBeforeItForgetsSteps) {
  Table whole(3), table(3);
  const FlushDenormals flush;
  DeferredTable deferred;
  for (int i = 0; i < 9000; ++i) {
    const StepRule rule = i < 10 ? StepRule::momentum : StepRule::adam;
    whole.step_at_once(rule, {}, {});
    deferred.begin(table.arrays(), rule, scalars());
  }
  deferred.change_all();
  table.expect_like(whole);
}

// A state that starts anew, as that of a layer which grew.
TEST(DeferredTable, ChangesAllBeforeItTakesOtherArrays) {
  Table first(20), second(30), whole_first(20), whole_second(30);
  DeferredTable deferred;
  deferred.begin(first.arrays(), StepRule::adam, scalars());
  deferred.begin(second.arrays(), StepRule::adam, scalars());
  whole_first.step_at_once(StepRule::adam, {}, {});
  first.expect_like(whole_first);
  deferred.change_all();
  whole_second.step_at_once(StepRule::adam, {}, {});
  second.expect_like(whole_second);
}

TEST(DeferredTable, ChangesRowsOnceWhoeverAsks) {
  Table before(40), whole(40), table(40);
  const std::vector<std::int32_t> touched = {3};
  const std::vector<float> gradient = some_gradient(1);
  whole.step_at_once(StepRule::adam, touched, gradient);
  DeferredTable deferred;
  deferred.begin(table.arrays(), StepRule::adam, scalars());
  deferred.change_touched(touched, gradient.data());
  const std::int32_t asked[] = {39, 17, 17, 3};
  deferred.change(asked, nullptr);
  deferred.change(asked, nullptr);
  for (std::int32_t row = 0; row < 40; ++row) {
    const bool is_changed = row == 3 || row == 17 || row == 39;
    table.expect_like(is_changed ? whole : before, row);
  }
  for (std::int64_t row = 0; row < deferred.rows(); ++row) deferred.change_unclaimed(row);
  deferred.change_unclaimed(0);
  table.expect_like(whole);
  deferred.change_all();
  deferred.change(asked, nullptr);  // nothing waits any more
  table.expect_like(whole);
}

const TaskRunner kByTwoThreads = [](std::size_t count, const auto& task) {
  const std::jthread other([&] {
    for (std::size_t i = 1; i < count; i += 2) task(i);
  });
  for (std::size_t i = 0; i < count; i += 2) task(i);
};

// The rows of a batch, some of them several times, in pieces of one thread or two.
TEST(DeferredTable, SharesTheRowsOfABatchAmongThreads) {
  constexpr std::int64_t kRows = 1000;
  Table before(kRows), whole(kRows), table(kRows);
  whole.step_at_once(StepRule::adam, {}, {});
  DeferredTable deferred;
  deferred.begin(table.arrays(), StepRule::adam, scalars());
  std::vector<std::int32_t> rows;
  for (std::int32_t i = 0; i < 500; ++i) rows.push_back(i * 7 % 400);
  deferred.change(rows, &kByTwoThreads);
  for (std::int32_t row = 0; row < kRows; ++row) {
    table.expect_like(std::ranges::find(rows, row) != rows.end() ? whole : before, row);
  }
}

TEST(DeferredTable, ServesManyThreadsAtATime) {
  constexpr std::int64_t kRows = 600;
  Table whole(kRows), table(kRows);
  const std::vector<std::int32_t> touched = {100, 7, 599};
  const std::vector<float> gradient = some_gradient(touched.size());
  DeferredTable deferred;
  for (int round = 0; round < 200; ++round) {
    for (int i = 0; i < 3; ++i) {
      whole.step_at_once(StepRule::adam, touched, gradient);
      deferred.begin(table.arrays(), StepRule::adam, scalars());
      deferred.change_touched(touched, gradient.data());
    }
    {
      std::vector<std::jthread> threads;
      threads.emplace_back([&] {
        for (std::int64_t row = kRows; row-- > 0;) deferred.change_unclaimed(row);
      });
      for (int reader = 0; reader < 3; ++reader) {
        threads.emplace_back([&, reader] {
          std::vector<std::int32_t> rows(kRows);
          std::iota(rows.begin(), rows.end(), 0);
          std::rotate(rows.begin(), rows.begin() + reader * 97, rows.end());
          deferred.change(rows, reader > 0 ? &kByTwoThreads : nullptr);
          // As the steps make them, once they were asked for.
          EXPECT_EQ(numbers(table.weights), numbers(whole.weights));
        });
      }
    }
    if (round % 2 == 0) deferred.change_all();
    table.expect_like(whole);
  }
}

}  // namespace
}  // namespace weft
