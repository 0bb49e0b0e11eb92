// A table larger than a block: gradients kept by rows, threads, and ranks that update parts of it
// change nothing.
#include <barrier>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "framework/ops/random.h"
#include "framework/training/gradient_part.h"
#include "framework/training/optimizer.h"
#include "framework/training/ownership.h"
#include "framework/training/state_message.h"
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

// Ranks of one process, which meet in the middle of a step.
struct Meeting {
  std::barrier<> barrier;
  std::vector<std::vector<BlockSums>> of_ranks;
};

class MeetingPeers final : public StepPeers {
 public:
  MeetingPeers(Meeting& meeting, std::size_t rank) : meeting_(meeting), rank_(rank) {}
  std::vector<double> add_up(std::span<const BlockSums> mine) override {
    meeting_.of_ranks[rank_].assign(mine.begin(), mine.end());
    meeting_.barrier.arrive_and_wait();
    double sum = 0.0;  // there is one array
    for (const auto& of_rank : meeting_.of_ranks) {
      for (const double block : of_rank.front().sums) sum += block;
    }
    meeting_.barrier.arrive_and_wait();
    return {sum};
  }
  void agree() override { meeting_.barrier.arrive_and_wait(); }

 private:
  Meeting& meeting_;
  std::size_t rank_;
};

// One array on several ranks, each of which updates a part of it.
class PartedSteps {
 public:
  PartedSteps(const std::string& optimizer, int ranks, const std::function<void(Optimizer&)>& set)
      : meeting_{std::barrier<>(ranks), {}} {
    meeting_.of_ranks.resize(static_cast<std::size_t>(ranks));
    const Shape shapes[] = {Shape{kRows, kWidth}};
    ownership_ = Ownership::of_blocks(shapes, ranks);
    for (int rank = 0; rank < ranks; ++rank) {
      Rank& one = *ranks_.emplace_back(std::make_unique<Rank>());
      one.optimizer = testing::build<OptimizerPtr>(optimizer);
      set(*one.optimizer);
      one.part = ownership_.part(0, rank, kRows * kWidth);
      one.optimizer->divide(one.table.named.front(), one.part);
    }
  }
  void step(const std::function<void(Table&)>& give) {
    run_on_threads(ranks_.size(), [&](std::size_t rank) {
      Rank& one = *ranks_[rank];
      one.table.gradients.clear();
      give(one.table);
      keep_part(one.table.gradients, one.table.parameter, one.part);
      MeetingPeers peers(meeting_, rank);
      one.optimizer->step(one.table.ctx, one.table.named, one.table.gradients, run_in_order,
                          &peers);
      one.optimizer->advance();
    });
  }
  void swap_averages() {
    for (const auto& rank : ranks_) rank->optimizer->swap_averages(rank->table.named);
  }
  // The numbers of all parts.
  std::vector<float> numbers() const {
    std::vector<float> all;
    for (const auto& rank : ranks_) {
      const float* data = rank->table.parameter.value.data<float>();
      all.insert(all.end(), data + rank->part.begin, data + rank->part.end);
    }
    return all;
  }
  OptimizerState state() const {
    OptimizerState whole;
    for (const auto& rank : ranks_) {
      join_part(rank->optimizer->states().at("layer/E"), rank->part, {kRows, kWidth}, whole);
    }
    return whole;
  }
  // Elements of one kind of state that a rank keeps.
  std::int64_t most_kept() const {
    std::int64_t most = 0;
    for (const auto& rank : ranks_) {
      most = std::max(most, rank->optimizer->states().at("layer/E").average.size());
    }
    return most;
  }

 private:
  struct Rank {
    Table table;
    OptimizerPtr optimizer;
    ArrayPart part;
  };
  Meeting meeting_;
  Ownership ownership_;
  std::vector<std::unique_ptr<Rank>> ranks_;
};

void expect_equal(const Tensor& one, const Tensor& other) {
  ASSERT_EQ(one.shape(), other.shape());
  ASSERT_EQ(one.dtype(), other.dtype());
  if (one) {
    EXPECT_EQ(std::memcmp(one.cview().data, other.cview().data, one.bytes()), 0);
  }
}

class StepsOfRanks : public ::testing::TestWithParam<std::string> {
 protected:
  static void compare(
      int ranks, const std::function<void(Table&, int)>& give,
      const std::function<void(Optimizer&)>& set = [](Optimizer&) {}) {
    const auto whole = testing::build<OptimizerPtr>(GetParam());
    set(*whole);
    Table table;
    PartedSteps parted(GetParam(), ranks, set);
    for (int step = 1; step <= 6; ++step) {
      table.gradients.clear();
      give(table, step);
      whole->step(table.ctx, table.named, table.gradients);
      whole->advance();
      parted.step([&](Table& part) { give(part, step); });
      if (step == 3) {  // an evaluation
        whole->swap_averages(table.named);
        parted.swap_averages();
        EXPECT_EQ(table.numbers(), parted.numbers());
        whole->swap_averages(table.named);
        parted.swap_averages();
      }
      ASSERT_EQ(table.numbers(), parted.numbers()) << ranks << " ranks, step " << step;
    }
    const OptimizerState& kept = whole->states().at("layer/E");
    const OptimizerState joined = parted.state();
    EXPECT_EQ(joined.updates, 6);
    expect_equal(kept.mom1, joined.mom1);
    expect_equal(kept.mom2, joined.mom2);
    expect_equal(kept.average, joined.average);
    if (kept.average) {
      EXPECT_LE(parted.most_kept(), (4 + ranks - 1) / ranks * kBlockElements);
    }
  }
};

TEST_P(StepsOfRanks, GiveTheBytesOfOne) {
  for (const int ranks : {2, 3, 4}) {
    compare(ranks, add_dense);
    compare(ranks, add_rows);
  }
}

TEST_P(StepsOfRanks, WithMomentsOf16BitsToo) {
  compare(2, add_rows, [](Optimizer& one) { one.keep_low_moments(DType::bf16, 1e-8); });
}

// Rows of one rank alone, then nothing: the others' moments and averages move all the same.
TEST_P(StepsOfRanks, ARankWithoutRowsStepsToo) {
  compare(2, [](Table& table, int step) {
    if (step > 4) return;
    std::vector<std::int32_t> rows = {3, 1};
    table.gradients.rows_of(table.parameter).touch(rows).as<float>()[5] = 0.5F;
  });
}

INSTANTIATE_TEST_SUITE_P(
    Rules, StepsOfRanks,
    ::testing::Values("@optimizers = \"Adam.v1\"\nL2 = 0.01\ngrad_clip = 0.02\n",
                      "@optimizers = \"Adam.v1\"\nL2 = 0.01\nL2_is_weight_decay = false\n",
                      "@optimizers = \"SGD.v1\"\nlearn_rate = 0.1\nuse_averages = true\n"));

// As a run does that goes on from a checkpoint.
TEST(DividedState, IsThePartOfAStateThatWasWhole) {
  const std::string settings = "@optimizers = \"Adam.v1\"\n";
  const auto one = testing::build<OptimizerPtr>(settings);
  Table table;
  add_rows(table, 1);
  one->step(table.ctx, table.named, table.gradients);
  const OptimizerState whole = one->states().at("layer/E");
  const ArrayPart part{272 * kWidth, 545 * kWidth};
  one->divide(table.named.front(), part);
  const OptimizerState& kept = one->states().at("layer/E");
  EXPECT_EQ(kept.updates, 1);
  EXPECT_EQ(kept.begin, part.begin);
  for (const auto array :
       {&OptimizerState::mom1, &OptimizerState::mom2, &OptimizerState::average}) {
    ASSERT_EQ((kept.*array).shape(), (Shape{part.size()}));
    EXPECT_EQ(std::memcmp((kept.*array).cview().data, (whole.*array).data<float>() + part.begin,
                          (kept.*array).bytes()),
              0);
  }
  one->divide(table.named.front(), {0, 0});
  EXPECT_TRUE(one->states().empty());
}

// With rows that came late the array starts anew, also where the part stayed as it was.
TEST(DividedState, OfAnArrayThatHasGrownIsEmpty) {
  const auto one = testing::build<OptimizerPtr>("@optimizers = \"Adam.v1\"\n");
  Table table;
  const ArrayPart part{0, 272 * kWidth};
  one->divide(table.named.front(), part);
  add_dense(table, 1);
  one->step(table.ctx, table.named, table.gradients);
  ASSERT_EQ(one->states().at("layer/E").updates, 1);
  table.parameter.value = Tensor::zeros({kRows + 1, kWidth});
  one->divide(table.named.front(), part);
  EXPECT_EQ(one->states().at("layer/E").updates, 0);
  EXPECT_FALSE(one->states().at("layer/E").mom1);
}

}  // namespace
}  // namespace weft
