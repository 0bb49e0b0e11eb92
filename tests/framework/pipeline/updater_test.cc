// Batches in shards, parts, frozen and annotating components, and who reads gradients too early.
#include "framework/pipeline/updater.h"

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

class UpdaterTest : public ::testing::Test {
 protected:
  UpdaterTest() {
    nlp_.add({"first", first_});
    nlp_.add({"second", second_});
  }
  static float gradient(Updater& updater, const OneWeight& component) {
    const Tensor* found = updater.gradients().find(component.weight());
    return found == nullptr ? -1.0F : found->data<float>()[0];
  }

  Language nlp_{Config(), testing::plain_settings()};
  std::shared_ptr<OneWeight> first_ = std::make_shared<OneWeight>();
  std::shared_ptr<OneWeight> second_ = std::make_shared<OneWeight>();
  WorkerPool pool_{2};
};

TEST_F(UpdaterTest, ShardsAndPartsAddUp) {
  std::vector<Example> examples = documents_of(nlp_, {300, 300, 500, 7});
  Updater updater(nlp_, pool_, {});
  Losses losses = updater.accumulate(pointers_to(examples), 0.0, 0, 0);
  EXPECT_EQ(losses.at("first"), 1107.0);
  losses = updater.accumulate(pointers_to(examples), 0.0, 0, 1);
  EXPECT_EQ(losses.at("first"), 1107.0);
  EXPECT_EQ(gradient(updater, *first_), 2214.0F);
  EXPECT_EQ(gradient(updater, *second_), 2214.0F);
}

TEST_F(UpdaterTest, AnEmptyBatchIsNothing) {
  Updater updater(nlp_, pool_, {});
  EXPECT_THAT(updater.accumulate({}, 0.0, 0), IsEmpty());
  EXPECT_TRUE(updater.gradients().empty());
}

TEST_F(UpdaterTest, AShardThatDidNotFitRunsOnceMoreAndCountsOnce) {
  std::vector<Example> examples = documents_of(nlp_, {300, 300, 500, 7});
  std::atomic<int> runs = 0;
  std::atomic<bool> failed = false;
  first_->loss_of = [&](ShardUpdate& shard) {
    ++runs;
    if (shard.shard == 0 && !failed.exchange(true)) throw Error(ErrorKind::memory, "full");
    return 1.0;
  };
  Updater updater(nlp_, pool_, {});
  const Losses losses = updater.accumulate(pointers_to(examples), 0.0, 0);
  EXPECT_EQ(runs, 1 + static_cast<int>(losses.at("first")));
  EXPECT_EQ(losses.at("second"), 1107.0);
  EXPECT_EQ(gradient(updater, *first_), 1107.0F);
}

TEST_F(UpdaterTest, ABatchCanStayInOnePiece) {
  std::vector<Example> examples = documents_of(nlp_, {300, 300, 500, 7});
  std::atomic<std::size_t> most = 0;
  first_->loss_of = [&](ShardUpdate& shard) {
    most = std::max<std::size_t>(most, shard.batch.shards.size());
    return 0.0;
  };
  Updater cut(nlp_, pool_, {});
  cut.accumulate(pointers_to(examples), 0.0, 0);
  EXPECT_GT(most, 1U);
  most = 0;
  Updater whole(nlp_, pool_, {.one_shard = true});
  whole.accumulate(pointers_to(examples), 0.0, 0);
  EXPECT_EQ(most, 1U);
}

TEST_F(UpdaterTest, FrozenComponentsPassThroughAndHaveNoParameters) {
  std::vector<Example> examples = documents_of(nlp_, {3});
  Updater updater(nlp_, pool_, {.frozen = {"first"}});
  const Losses losses = updater.accumulate(pointers_to(examples), 0.0, 0);
  EXPECT_FALSE(losses.contains("first"));
  EXPECT_EQ(first_->frozen, 1);
  ASSERT_EQ(updater.parameters().size(), 1U);
  EXPECT_EQ(updater.parameters()[0].name, "second/0/weight/W");
  updater.choose({"second"}, {});
  ASSERT_EQ(updater.parameters().size(), 1U);
  EXPECT_EQ(updater.parameters()[0].name, "first/0/weight/W");
}

TEST_F(UpdaterTest, AnnotatingComponentsPredict) {
  std::vector<Example> examples = documents_of(nlp_, {3, 4});
  Updater updater(nlp_, pool_, {.annotating = {"first"}});
  updater.accumulate(pointers_to(examples), 0.0, 0);
  EXPECT_EQ(first_->predicted, 2);
  EXPECT_EQ(second_->predicted, 0);
}

TEST_F(UpdaterTest, ALossThatIsNoNumberEndsTheBatchWithTheNameOfItsComponent) {
  std::vector<Example> examples = documents_of(nlp_, {3});
  second_->loss_of = [](ShardUpdate&) { return std::numeric_limits<double>::quiet_NaN(); };
  Updater updater(nlp_, pool_, {});
  try {
    updater.accumulate(pointers_to(examples), 0.0, 0);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::diverged);
    EXPECT_THAT(error.message(), HasSubstr("the loss of 'second' is nan"));
  }
}

TEST_F(UpdaterTest, DrawsForABatchFollowSeedStepAndPart) {
  std::vector<Example> examples = documents_of(nlp_, {3});
  std::vector<double> drawn;
  first_->at_end = [&](Batch& batch) { drawn.push_back(batch.uniform("site", 0.0, 1.0)); };
  Updater updater(nlp_, pool_, {.seed = 1}), other(nlp_, pool_, {.seed = 2});
  updater.accumulate(pointers_to(examples), 0.0, 5, 0);
  updater.accumulate(pointers_to(examples), 0.0, 5, 0);
  updater.accumulate(pointers_to(examples), 0.0, 6, 0);
  updater.accumulate(pointers_to(examples), 0.0, 5, 1);
  other.accumulate(pointers_to(examples), 0.0, 5, 0);
  ASSERT_EQ(drawn.size(), 5U);
  EXPECT_EQ(drawn[0], drawn[1]);
  for (std::size_t i = 2; i < 5; ++i) EXPECT_NE(drawn[i], drawn[0]) << i;
  updater.replay_uniform([](std::string_view, double low, double high) { return low + high; });
  updater.accumulate(pointers_to(examples), 0.0, 5, 0);
  EXPECT_EQ(drawn.back(), 1.0);
}

TEST_F(UpdaterTest, WhoReadsGradientsOfAScaledLossIsRemembered) {
  std::vector<Example> examples = documents_of(nlp_, {3});
  second_->at_end = [&](Batch& batch) {
    static_cast<void>(batch.gradients->find(second_->weight()));
  };
  first_->at_end = [&](Batch& batch) { batch.gradients->of(first_->weight()); };  // adds
  Updater updater(nlp_, pool_, {});
  updater.accumulate(pointers_to(examples), 0.0, 0);
  EXPECT_THAT(updater.take_early_readers(), IsEmpty());
  updater.gradients().clear();
  updater.set_loss_scale(4.0F);
  updater.accumulate(pointers_to(examples), 0.0, 1);
  EXPECT_THAT(updater.take_early_readers(), ElementsAre("second"));
  EXPECT_THAT(updater.take_early_readers(), IsEmpty());
  EXPECT_EQ(gradient(updater, *first_), 12.0F);
  EXPECT_TRUE(updater.gradients().take_early_read());  // that was this test
}

}  // namespace
}  // namespace weft
