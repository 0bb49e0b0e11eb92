// Rows of tables that steps leave for later: the bytes of steps that change all.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "framework/nn/weight_copies.h"
#include "framework/ops/random.h"
#include "framework/precision/element_type.h"
#include "framework/tensor/storage.h"
#include "framework/training/deferred_tables.h"
#include "framework/training/optimizer.h"
#include "tests/components/building.h"

namespace weft {
namespace {

constexpr std::int64_t kRows = 900, kWidth = 40;

// A table and an array, as the embedding and a layer above it.
struct Weights {
  Parameter table, layer;
  Gradients gradients;
  std::vector<NamedParameter> named{{"embed/E", &table}, {"layer/W", &layer}};
  Context ctx;

  Weights() {
    table.name = "E";
    table.value = Tensor::zeros({kRows, kWidth});
    table.is_table = table.may_be_deferred = true;
    layer.name = "W";
    layer.value = Tensor::zeros({30, kWidth});
    const RandomStream random(1, 2, 3);
    for (Tensor* array : {&table.value, &layer.value}) {
      for (std::int64_t i = 0; i < array->size(); ++i) {
        array->data<float>()[i] = random.uniform(static_cast<std::uint64_t>(i)) - 0.5F;
      }
    }
  }
  std::vector<float> all_numbers() const {
    std::vector<float> all(table.value.data<float>(),
                           table.value.data<float>() + table.value.size());
    all.insert(all.end(), layer.value.data<float>(),
               layer.value.data<float>() + layer.value.size());
    return all;
  }
};

std::vector<std::int32_t> touched(int step) {
  if (step % 13 == 0) {  // most rows: none is left
    std::vector<std::int32_t> all(600);
    std::iota(all.begin(), all.end(), step);
    return all;
  }
  return {899, 0, 272 + step, 273 + step, 500, 17 * (step % 50)};
}

void add_gradients(Weights& weights, int step) {
  weights.gradients.clear();
  std::vector<std::int32_t> places = touched(step);
  const View values = weights.gradients.rows_of(weights.table).touch(places);
  for (const std::int32_t place : places) {
    for (std::int64_t c = 0; c < kWidth; ++c) {
      values.row<float>(place)[c] = 0.01F * static_cast<float>((place + 3 * c + step) % 11 - 5);
    }
  }
  Tensor& dense = weights.gradients.of(weights.layer);
  for (std::int64_t i = 0; i < dense.size(); ++i) {
    dense.data<float>()[i] = 0.01F * static_cast<float>(i % 7 - 3);
  }
}

std::vector<float> numbers_of(const Tensor& array) {
  return {array.data<float>(), array.data<float>() + array.size()};
}

class DeferredRowsOf : public ::testing::TestWithParam<std::string> {};

TEST_P(DeferredRowsOf, AStepHaveItsBytes) {
  const auto at_once = testing::build<OptimizerPtr>(GetParam());
  const auto deferring = testing::build<OptimizerPtr>(GetParam());
  WorkerPool pool(2);
  const TaskRunner run = [&](std::size_t count, const std::function<void(std::size_t)>& task) {
    pool.run(count, task);
  };
  deferring->defer_rows(&pool);
  Weights a, b;
  for (int step = 1; step <= 280; ++step) {
    add_gradients(a, step);
    add_gradients(b, step);
    at_once->step(a.ctx, a.named, a.gradients, run);
    deferring->step(b.ctx, b.named, b.gradients, run);
    // A layer reads some rows while others are changed, and threads have time for some or for all.
    if (b.table.deferred) {
      const std::int32_t rows[] = {step, 899 - step, 500};
      b.table.deferred->change(rows, nullptr);
      for (const std::int32_t row : rows) {
        EXPECT_TRUE(std::equal(a.table.value.view().row<float>(row),
                               a.table.value.view().row<float>(row) + kWidth,
                               b.table.value.view().row<float>(row)));
      }
    }
    if (step % 4 == 0) std::this_thread::sleep_for(std::chrono::microseconds(4 * step));
    at_once->advance();
    deferring->advance();
  }
  for (const auto& [name, state] : at_once->states()) {
    const OptimizerState& other = deferring->states().at(name);
    EXPECT_EQ(other.updates, state.updates);
    EXPECT_EQ(numbers_of(other.mom1), numbers_of(state.mom1)) << name;
    EXPECT_EQ(numbers_of(other.mom2), numbers_of(state.mom2)) << name;
  }
  EXPECT_EQ(a.all_numbers(), b.all_numbers());
}

INSTANTIATE_TEST_SUITE_P(
    Rules, DeferredRowsOf,
    ::testing::Values("@optimizers = \"Adam.v1\"\nL2 = 0.01\nuse_averages = false\n"
                      "learn_rate = {\"@schedules\": \"decaying.v1\", \"base_rate\": 0.01,"
                      " \"decay\": 0.1}\n",
                      "@optimizers = \"Adam.v1\"\nL2 = 0.01\nL2_is_weight_decay = false\n"
                      "use_averages = false\n",
                      "@optimizers = \"Adam.v1\"\nL2_is_weight_decay = false\n"
                      "L2 = {\"@schedules\": \"constant_then.v1\", \"rate\": 0.0, \"steps\": 50,"
                      " \"schedule\": {\"@schedules\": \"constant.v1\", \"rate\": 0.01}}\n"
                      "use_averages = false\n",
                      "@optimizers = \"RAdam.v1\"\nlearn_rate = 0.1\nuse_averages = false\n"));

constexpr const char* kAdam = "@optimizers = \"Adam.v1\"\nL2 = 0.01\nuse_averages = false\n";

bool leaves_rows(const std::string& optimizer, const std::function<void(Weights&)>& change) {
  WorkerPool pool(2);
  const auto built = testing::build<OptimizerPtr>(optimizer);
  built->defer_rows(&pool);
  Weights weights;
  change(weights);
  add_gradients(weights, 1);
  built->step(weights.ctx, weights.named, weights.gradients);
  built->finish();
  return weights.table.deferred != nullptr;
}

TEST(DeferredTables, LeavesRowsOfTablesAloneWhereNothingFollowsThem) {
  const auto nothing = [](Weights&) {};
  EXPECT_TRUE(leaves_rows(kAdam, nothing));
  EXPECT_FALSE(leaves_rows("@optimizers = \"Adam.v1\"\nuse_averages = true\n", nothing));
  EXPECT_FALSE(leaves_rows("@optimizers = \"SGD.v1\"\nlearn_rate = 0.1\n", nothing));
  EXPECT_FALSE(leaves_rows(kAdam + std::string("L2_is_weight_decay = false\n"), nothing));
  EXPECT_FALSE(leaves_rows(kAdam, [](Weights& weights) { weights.table.may_be_deferred = false; }));
}

// The second one's steps would pass over those of the first otherwise.
TEST(DeferredTables, RowsMakeTheStepsOfOneOptimizerBeforeThoseOfAnother) {
  WorkerPool pool(2);
  Weights expected, deferred;
  const std::vector<OptimizerPtr> at_once{testing::build<OptimizerPtr>(kAdam),
                                          testing::build<OptimizerPtr>(kAdam)};
  const std::vector<OptimizerPtr> deferring{testing::build<OptimizerPtr>(kAdam),
                                            testing::build<OptimizerPtr>(kAdam)};
  for (const OptimizerPtr& optimizer : deferring) optimizer->defer_rows(&pool);
  const TaskRunner run = [&](std::size_t count, const std::function<void(std::size_t)>& task) {
    pool.run(count, task);
  };
  for (int step = 1; step <= 40; ++step) {
    add_gradients(expected, step);
    add_gradients(deferred, step);
    const auto which = static_cast<std::size_t>(step % 2);
    at_once[which]->step(expected.ctx, expected.named, expected.gradients, run);
    deferring[which]->step(deferred.ctx, deferred.named, deferred.gradients, run);
  }
  for (const OptimizerPtr& optimizer : deferring) optimizer->finish(run);
  EXPECT_EQ(deferred.all_numbers(), expected.all_numbers());
}

TEST(DeferredTables, IsOverBeforeStatesAreReadOrItsOwnerGoes) {
  WorkerPool pool(2);
  Weights expected, read, left;
  const auto step_of = [&](Weights& weights, WorkerPool* given) {
    auto optimizer = testing::build<OptimizerPtr>(kAdam);
    optimizer->defer_rows(given);
    add_gradients(weights, 1);
    optimizer->step(weights.ctx, weights.named, weights.gradients);
    return optimizer;
  };
  step_of(expected, nullptr);
  const auto optimizer = step_of(read, &pool);
  static_cast<void>(optimizer->states());
  EXPECT_EQ(read.all_numbers(), expected.all_numbers());
  step_of(left, &pool).reset();
  EXPECT_EQ(left.all_numbers(), expected.all_numbers());
}

constexpr StepScalars kScalars{
    .learn_rate = 0.01F, .decay = 1e-3F, .beta1 = 0.9F, .beta2 = 0.999F, .eps = 1e-8F};

// Knows who still holds the arrays that came from it.
class WatchedMemory final : public Allocator {
 public:
  Storage allocate(std::size_t bytes) override {
    Storage given = HostAllocator().allocate(bytes);
    given_.push_back(given.owner);
    return given;
  }
  std::size_t held() const {
    return static_cast<std::size_t>(std::count_if(
        given_.begin(), given_.end(), [](const auto& memory) { return !memory.expired(); }));
  }

 private:
  std::vector<std::weak_ptr<void>> given_;
};

// A pipeline outlives its training: its tables do not hold the moments any longer.
TEST(DeferredTables, LeavesNoMomentsToTheTable) {
  WorkerPool pool(2);
  WatchedMemory memory;
  Parameter table;
  {
    DeferredTables deferred(pool);
    Tensor arrays[3];
    for (Tensor& array : arrays) {
      array = Tensor(memory, {kRows, kWidth}, DType::f32);
      array.fill_zero();
    }
    DeferredTable& step = deferred.of(table);
    step.begin({arrays[0], arrays[1], arrays[2]}, StepRule::adam, StepScalars());
    EXPECT_EQ(memory.held(), 3U);
  }  // before it was started, as where memory runs out in between
  ASSERT_NE(table.deferred, nullptr);
  EXPECT_EQ(memory.held(), 0U);
  const std::int32_t rows[] = {3};
  table.deferred->change(rows, nullptr);  // nothing waits
}

// A step writes the copies that are in use: of arrays, and of a table whose rows then do not wait.
TEST(DeferredTables, WritesCopiesInSixteenBits) {
  WorkerPool pool(2);
  Weights weights;
  WeightCopies copies(DType::bf16);
  copies.track(weights.table, "embed.E");
  copies.track(weights.layer, "layer.W");
  const auto optimizer = testing::build<OptimizerPtr>(kAdam);
  optimizer->write_copies(&copies);
  optimizer->use(nullptr);  // on the host as before
  optimizer->defer_rows(&pool);
  for (int step = 1; step <= 3; ++step) {
    copies.refresh();
    const Tensor* table = copies.find(weights.table.value.cview().data);
    const Tensor* layer = copies.find(weights.layer.value.cview().data);
    EXPECT_EQ(copies.casts(), 2 * step);
    for (const auto& [copy, of] : {std::pair(table, &weights.table), {layer, &weights.layer}}) {
      const Tensor expected = cast_to(DType::bf16, of->value);
      EXPECT_EQ(std::memcmp(copy->cview().data, expected.cview().data, expected.bytes()), 0);
    }
    add_gradients(weights, step);
    optimizer->step(weights.ctx, weights.named, weights.gradients);
    EXPECT_EQ(weights.table.deferred, nullptr);
  }
}

// A part of the rows in each step, whether or not threads have time; all have had their turn after
// a round.
TEST(DeferredTables, GivesAllRowsTheirTurn) {
  for (const bool threads_have_time : {false, true}) {
    WorkerPool pool(1);
    DeferredTables deferred(pool);
    Parameter tables[2];
    const std::int64_t rows[] = {kRows, 5};
    for (int t = 0; t < 2; ++t) {
      Tensor arrays[3];
      for (Tensor& array : arrays) {
        array = Tensor::zeros({rows[t], kWidth});
        std::fill_n(array.data<float>(), array.size(), 1.0F);
      }
      tables[t].value = arrays[0];
      deferred.of(tables[t]).begin({arrays[0], arrays[1], arrays[2]}, StepRule::adam, kScalars);
    }
    const auto changed = [&](int t) {
      std::int64_t count = 0;
      for (std::int64_t row = 0; row < rows[t]; ++row) {
        if (tables[t].value.view().row<float>(row)[0] != 1.0F) ++count;
      }
      return count;
    };
    for (std::int64_t step = 1; step <= DeferredTables::kStepsOfRound; ++step) {
      deferred.start({&deferred.of(tables[0]), &deferred.of(tables[1])});
      while (threads_have_time && deferred.do_piece()) {
      }
      deferred.end(run_in_order);
      constexpr std::int64_t kTurns = DeferredTables::kStepsOfRound;
      EXPECT_EQ(changed(0), std::min(kRows, step * ((kRows + kTurns - 1) / kTurns)));
      EXPECT_EQ(changed(1), std::min<std::int64_t>(5, step));
    }
  }
}

}  // namespace
}  // namespace weft
