#include "framework/training/resumed_state.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

using ::testing::HasSubstr;

class ResumedStateTest : public ::testing::Test {
 protected:
  ResumedStateTest() {
    Object place;
    place.set("length", 0);
    place.set("sha256", "");
    checkpoint_.folder = "out/checkpoint";
    checkpoint_.log = List{Node(), Node(place)};
  }
  // "" where the state is taken.
  std::string error() const {
    try {
      check_resumed_state(checkpoint_);
      return "";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      return error.message();
    }
  }

  Checkpoint checkpoint_;
};

// The log would not be cut to where the checkpoint was.
TEST_F(ResumedStateTest, PlacesInLogsAreThoseOfTheConfigAndOfTheRun) {
  checkpoint_.log = List{Node("of a plugin"), Node(12)};  // without a hash, as earlier versions
  EXPECT_EQ(error(), "");
  for (const Node& odd : {Node(), Node("x"), Node(7), Node(List{}), Node(List{Node(), Node()}),
                          Node(List{Node(), Node("x")}), Node(List{Node(), Node(12), Node()})}) {
    checkpoint_.log = odd;
    EXPECT_THAT(error(), HasSubstr("is damaged: state.json has no valid 'log'"));
  }
}

TEST_F(ResumedStateTest, AHistoryOfLossesIsOneOrIsNotThere) {
  checkpoint_.loss_history = Node("x");
  EXPECT_THAT(error(), HasSubstr("is damaged: state.json has no valid 'loss_history'"));
  checkpoint_.loss_history = Node();
  EXPECT_EQ(error(), "");
}

}  // namespace
}  // namespace weft
