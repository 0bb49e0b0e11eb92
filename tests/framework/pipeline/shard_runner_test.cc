// Batches in shards, parts, frozen and annotating components, and readers of gradients that come
// too early.
#include "framework/pipeline/shard_runner.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/training/optimizer.h"
#include "registry/base/error.h"
#include "tests/framework/pipeline/one_weight_component.h"

namespace weft {
namespace {

using testing::documents_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::OneWeight;
using testing::pointers_to;

class ShardRunnerTest : public ::testing::Test {
 protected:
  ShardRunnerTest() {
    nlp_.add({"first", first_});
    nlp_.add({"second", second_});
  }
  static float gradient(ShardRunner& runner, const OneWeight& component) {
    const Tensor* found = runner.gradients().find(component.weight());
    return found == nullptr ? -1.0F : found->data<float>()[0];
  }

  Language nlp_{Config(), testing::plain_settings()};
  std::shared_ptr<OneWeight> first_ = std::make_shared<OneWeight>();
  std::shared_ptr<OneWeight> second_ = std::make_shared<OneWeight>();
  WorkerPool pool_{2};
};

TEST_F(ShardRunnerTest, ShardsAndPartsAddUp) {
  std::vector<Example> examples = documents_of(nlp_, {300, 300, 500, 7});
  ShardRunner runner(nlp_, pool_, {});
  Losses losses = runner.accumulate(pointers_to(examples), 0.0, 0, 0);
  EXPECT_EQ(losses.at("first"), 1107.0);
  losses = runner.accumulate(pointers_to(examples), 0.0, 0, 1);
  EXPECT_EQ(losses.at("first"), 1107.0);
  EXPECT_EQ(gradient(runner, *first_), 2214.0F);
  EXPECT_EQ(gradient(runner, *second_), 2214.0F);
}

TEST_F(ShardRunnerTest, AnEmptyBatchIsNothing) {
  ShardRunner runner(nlp_, pool_, {});
  EXPECT_THAT(runner.accumulate({}, 0.0, 0), IsEmpty());
  EXPECT_TRUE(runner.gradients().empty());
}

TEST_F(ShardRunnerTest, AShardThatDidNotFitRunsOnceMoreAndCountsOnce) {
  std::vector<Example> examples = documents_of(nlp_, {300, 300, 500, 7});
  std::atomic<int> runs = 0;
  std::atomic<bool> failed = false;
  first_->loss_of = [&](ShardUpdate& shard) {
    ++runs;
    if (shard.shard == 0 && !failed.exchange(true)) throw Error(ErrorKind::memory, "full");
    return 1.0;
  };
  ShardRunner runner(nlp_, pool_, {});
  const Losses losses = runner.accumulate(pointers_to(examples), 0.0, 0);
  EXPECT_EQ(runs, 1 + static_cast<int>(losses.at("first")));
  EXPECT_EQ(losses.at("second"), 1107.0);
  EXPECT_EQ(gradient(runner, *first_), 1107.0F);
}

TEST_F(ShardRunnerTest, ABatchCanStayInOnePiece) {
  std::vector<Example> examples = documents_of(nlp_, {300, 300, 500, 7});
  std::atomic<std::size_t> most = 0;
  first_->loss_of = [&](ShardUpdate& shard) {
    most = std::max<std::size_t>(most, shard.batch.shards.size());
    return 0.0;
  };
  ShardRunner cut(nlp_, pool_, {});
  cut.accumulate(pointers_to(examples), 0.0, 0);
  EXPECT_GT(most, 1U);
  most = 0;
  ShardRunner whole(nlp_, pool_, {.one_shard = true});
  whole.accumulate(pointers_to(examples), 0.0, 0);
  EXPECT_EQ(most, 1U);
}

TEST_F(ShardRunnerTest, FrozenComponentsPassThroughAndHaveNoParameters) {
  std::vector<Example> examples = documents_of(nlp_, {3});
  ShardRunner runner(nlp_, pool_, {.frozen = {"first"}});
  const Losses losses = runner.accumulate(pointers_to(examples), 0.0, 0);
  EXPECT_FALSE(losses.contains("first"));
  EXPECT_EQ(first_->frozen, 1);
  EXPECT_EQ(first_->frozen_with_dropout, 0);
  ASSERT_EQ(runner.parameters().size(), 1U);
  EXPECT_EQ(runner.parameters()[0].name, "second/0/weight/W");
  runner.choose({"second"}, {});
  ASSERT_EQ(runner.parameters().size(), 1U);
  EXPECT_EQ(runner.parameters()[0].name, "first/0/weight/W");
}

TEST_F(ShardRunnerTest, AnnotatingComponentsPredict) {
  std::vector<Example> examples = documents_of(nlp_, {3, 4});
  ShardRunner runner(nlp_, pool_, {.annotating = {"first"}});
  runner.accumulate(pointers_to(examples), 0.0, 0);
  EXPECT_EQ(first_->predicted, 2);
  EXPECT_EQ(second_->predicted, 0);
}

TEST_F(ShardRunnerTest, ALossThatIsNoNumberEndsTheBatchWithTheNameOfItsComponent) {
  std::vector<Example> examples = documents_of(nlp_, {3});
  second_->loss_of = [](ShardUpdate&) { return std::numeric_limits<double>::quiet_NaN(); };
  ShardRunner runner(nlp_, pool_, {});
  try {
    runner.accumulate(pointers_to(examples), 0.0, 0);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::diverged);
    EXPECT_THAT(error.message(), HasSubstr("the loss of 'second' is nan"));
  }
}

TEST_F(ShardRunnerTest, DrawsForABatchFollowSeedStepAndPart) {
  std::vector<Example> examples = documents_of(nlp_, {3});
  std::vector<double> drawn;
  first_->at_end = [&](Batch& batch) { drawn.push_back(batch.uniform("site", 0.0, 1.0)); };
  ShardRunner runner(nlp_, pool_, {.seed = 1}), other(nlp_, pool_, {.seed = 2});
  runner.accumulate(pointers_to(examples), 0.0, 5, 0);
  runner.accumulate(pointers_to(examples), 0.0, 5, 0);
  runner.accumulate(pointers_to(examples), 0.0, 6, 0);
  runner.accumulate(pointers_to(examples), 0.0, 5, 1);
  other.accumulate(pointers_to(examples), 0.0, 5, 0);
  ASSERT_EQ(drawn.size(), 5U);
  EXPECT_EQ(drawn[0], drawn[1]);
  for (std::size_t i = 2; i < 5; ++i) EXPECT_NE(drawn[i], drawn[0]) << i;
  runner.replay_uniform([](std::string_view, double low, double high) { return low + high; });
  runner.accumulate(pointers_to(examples), 0.0, 5, 0);
  EXPECT_EQ(drawn.back(), 1.0);
}

TEST_F(ShardRunnerTest, WhoReadsGradientsOfAScaledLossIsRemembered) {
  std::vector<Example> examples = documents_of(nlp_, {3});
  second_->at_end = [&](Batch& batch) {
    static_cast<void>(batch.gradients->find(second_->weight()));
  };
  first_->at_end = [&](Batch& batch) { batch.gradients->of(first_->weight()); };  // adds
  ShardRunner runner(nlp_, pool_, {});
  runner.accumulate(pointers_to(examples), 0.0, 0);
  EXPECT_THAT(runner.take_early_readers(), IsEmpty());
  runner.gradients().clear();
  runner.set_loss_scale(4.0F);
  runner.accumulate(pointers_to(examples), 0.0, 1);
  EXPECT_THAT(runner.take_early_readers(), ElementsAre("second"));
  EXPECT_THAT(runner.take_early_readers(), IsEmpty());
  EXPECT_EQ(gradient(runner, *first_), 12.0F);
  EXPECT_TRUE(runner.gradients().take_early_read());  // that was this test
}

}  // namespace
}  // namespace weft
