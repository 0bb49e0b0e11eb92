#include "framework/training/pretraining/state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/training/pretraining/table.h"
#include "registry/base/error.h"

namespace weft {
namespace {

TEST(PretrainStateTest, ComesBackAsItWas) {
  PretrainState state;
  state.pass = 3;
  state.batches_taken = 17;
  state.sizes_taken = 50;
  state.sizes_at_pass_start = 33;
  state.step = 160;
  state.words = 123456;
  state.words_at_row = 120000;
  state.loss = 0.1 + 0.2;
  state.loss_at_row = 1e-300;
  state.pass_loss = 12345.678901234567;
  const PretrainState read = pretrain_state_from(to_node(state));
  EXPECT_TRUE(to_node(read).same_value(to_node(state)));
  EXPECT_EQ(read.loss, state.loss);
  EXPECT_EQ(read.pass, 3);
}

TEST(PretrainStateTest, RefusesNumbersThatDoNotFitEachOther) {
  for (const char* key : {"batches_taken", "sizes_at_pass_start", "words_at_row"}) {
    Object object = to_node(PretrainState()).as_object();
    object.set(key, 1);
    try {
      pretrain_state_from(Node(object));
      ADD_FAILURE() << key << " is taken";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr(key));
    }
  }
}

TEST(PretrainStateTest, RefusesWhatIsNone) {
  EXPECT_THROW(pretrain_state_from(Node("text")), Error);
  EXPECT_THROW(pretrain_state_from(Node(Object())), Error);
  for (const char* key : {"pass", "batches_taken", "step", "words", "loss", "pass_loss"}) {
    Object object = to_node(PretrainState()).as_object();
    object.set(key, "x");
    EXPECT_THROW(pretrain_state_from(Node(object)), Error) << key;
    object.erase(key);
    EXPECT_THROW(pretrain_state_from(Node(object)), Error) << key;
  }
  Object long_count = to_node(PretrainState()).as_object();
  long_count.set("loss", BigInteger{"123456789012345678901234567890"});
  EXPECT_NEAR(pretrain_state_from(Node(long_count)).loss, 1.2345678901234568e29, 1e14);
  long_count.set("step", BigInteger{"123456789012345678901234567890"});
  EXPECT_THROW(pretrain_state_from(Node(long_count)), Error);
  Object negative = to_node(PretrainState()).as_object();
  negative.set("step", -1);
  EXPECT_THROW(pretrain_state_from(Node(negative)), Error);
}

TEST(PretrainTableTest, ARowForSoManyWords) {
  PretrainState state;
  state.words = 9999;
  EXPECT_FALSE(PretrainTable::row(state, 0, 100.0, {}));
  state.words = 10'000;
  state.loss = 40'000.5;
  const auto row = PretrainTable::row(state, 0, 1234.5, {});
  ASSERT_TRUE(row);
  EXPECT_EQ(*row, "  0        10000   40000.5000    40000     1234\n");
  EXPECT_FALSE(PretrainTable::row(state, 0, 100.0, {}));
  state.words = 20'500;
  state.loss = 50'000.75;
  const auto second = PretrainTable::row(state, 1, 99.0, 3.25);
  ASSERT_TRUE(second);
  EXPECT_EQ(*second, "  1        20500   50000.7500    10000       99       3.2500\n");
}

TEST(PretrainTableTest, NumbersFitTheirColumns) {
  EXPECT_EQ(rounded(3.14159265, 10), "3.1416");
  EXPECT_EQ(rounded(123456.789, 10), "123456.789");
  EXPECT_EQ(rounded(1234567890.5, 10), "1234567890");
  EXPECT_EQ(rounded(1234.5, 6), "1234");
}

}  // namespace
}  // namespace weft
