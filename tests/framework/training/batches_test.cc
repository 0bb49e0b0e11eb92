#include "framework/training/batches.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "registry/base/error.h"
#include "tests/framework/training/batch_fixture.h"

namespace weft {
namespace {

TEST_F(BatchesTest, EveryPassHasAllExamplesInAnOrderOfItsOwn) {
  const Reader reader = corpus(10);
  TrainingState state;
  TrainingBatches batches(reader, nlp_, batcher_, {.max_epochs = 2, .seed = 1}, state);
  std::vector<std::string> passes(2);
  while (true) {
    const auto batch = batches.next();
    if (batch.empty()) break;
    passes.at(static_cast<std::size_t>(state.epoch)) += text_of(batch);
  }
  EXPECT_NE(passes[0], passes[1]);
  for (std::string pass : passes) {
    std::sort(pass.begin(), pass.end());
    EXPECT_EQ(pass, "0123456789");
  }
  EXPECT_EQ(opened_, 1);
  EXPECT_EQ(state.epoch, 2);
}

TEST_F(BatchesTest, StreamsInOrderWithoutEnd) {
  const Reader reader = corpus(4);
  TrainingState state;
  TrainingBatches batches(reader, nlp_, batcher_, {.max_epochs = -1, .seed = 1}, state);
  std::string text;
  for (int i = 0; i < 6; ++i) text += text_of(batches.next()) + " ";
  EXPECT_EQ(text, "012 3 012 3 012 3 ");
  EXPECT_EQ(opened_, 3);
}

TEST_F(BatchesTest, GoesOnWhereAStateSays) {
  const Reader reader = corpus(10);
  TrainingState state;
  TrainingBatches batches(reader, nlp_, batcher_, {.seed = 7}, state);
  for (int i = 0; i < 6; ++i) batches.next();
  TrainingState copy = state;
  TrainingBatches resumed(reader, nlp_, batcher_, {.seed = 7}, copy);
  for (int i = 0; i < 9; ++i) {
    EXPECT_EQ(text_of(resumed.next()), text_of(batches.next()));
    EXPECT_TRUE(to_node(copy).same_value(to_node(state)));
  }
}

TEST_F(BatchesTest, AWindowShufflesAStreamAndIsFoundAgain) {
  const Reader reader = corpus(10);
  const TrainingBatches::Options options{.max_epochs = -1, .seed = 7, .shuffle_window = 5};
  TrainingState state;
  TrainingBatches batches(reader, nlp_, batcher_, options, state);
  std::vector<std::string> passes(2);
  for (int i = 0; i < 6; ++i) {
    const auto batch = batches.next();
    passes.at(static_cast<std::size_t>(state.epoch)) += text_of(batch);
  }
  EXPECT_NE(passes[0], "0123456789");
  std::sort(passes[0].begin(), passes[0].end());
  EXPECT_EQ(passes[0], "0123456789");
  EXPECT_EQ(batches.held_bytes(), 0u);
  TrainingState copy = state;
  TrainingBatches resumed(reader, nlp_, batcher_, options, copy);
  for (int i = 0; i < 12; ++i) {
    EXPECT_EQ(text_of(resumed.next()), text_of(batches.next()));
    EXPECT_TRUE(to_node(copy).same_value(to_node(state)));
  }
}

TEST_F(BatchesTest, EmptyDataIsSaidSo) {
  const Reader reader = corpus(0);
  TrainingState state;
  EXPECT_THROW(TrainingBatches(reader, nlp_, batcher_, {}, state), Error);
  TrainingBatches streamed(reader, nlp_, batcher_, {.max_epochs = -1}, state);
  EXPECT_THROW(streamed.next(), Error);
}

TEST(ShuffledTest, IsAPermutationThatSeedAndEpochDecide) {
  std::vector<std::size_t> order = shuffled(100, 3, 0);
  EXPECT_EQ(order, shuffled(100, 3, 0));
  EXPECT_NE(order, shuffled(100, 3, 1));
  EXPECT_NE(order, shuffled(100, 4, 0));
  std::sort(order.begin(), order.end());
  std::vector<std::size_t> all(100);
  std::iota(all.begin(), all.end(), std::size_t{0});
  EXPECT_EQ(order, all);
  EXPECT_TRUE(shuffled(0, 1, 1).empty());
}

}  // namespace
}  // namespace weft
