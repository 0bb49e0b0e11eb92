#include "registry/value/nearest_settings.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::vector<std::string> kNames = {"nlp",
                                         "nlp.batch_size",
                                         "paths",
                                         "paths.train",
                                         "training",
                                         "training.batcher",
                                         "training.batcher.size",
                                         "training.max_steps",
                                         "training.optimizer",
                                         "training.optimizer.learn_rate"};

TEST(NearestSettings, AreKeysOfTheSection) {
  EXPECT_THAT(nearest_settings("training.max_step", kNames), ElementsAre("training.max_steps"));
  EXPECT_THAT(nearest_settings("training.optimizer.learning_rate", kNames),
              ElementsAre("training.optimizer.learn_rate"));
}

TEST(NearestSettings, ASectionMayBeMisspeltToo) {
  EXPECT_THAT(nearest_settings("path.train", kNames), ElementsAre("paths.train"));
  EXPECT_THAT(nearest_settings("trainin.max_step", kNames), ElementsAre("training.max_steps"));
}

TEST(NearestSettings, ThePathMayBeMadeOfTheSameWords) {
  EXPECT_THAT(nearest_settings("training.batch_size", kNames),
              ElementsAre("training.batcher.size", "nlp.batch_size"));
}

TEST(NearestSettings, NothingIsOfferedForWhatIsFarOff) {
  EXPECT_THAT(nearest_settings("quux.zzzzzz", kNames), IsEmpty());
  EXPECT_THAT(nearest_settings("training.max_steps", {}), IsEmpty());
}

TEST(NearestSettings, ARefusedNameIsNoHelp) {
  EXPECT_THAT(nearest_settings("paths.train", kNames), IsEmpty());
}

TEST(NearestSettings, LongListsAreNotSearched) {
  std::vector<std::string> names(20'001, "a.key");
  EXPECT_THAT(nearest_settings("a.kex", names), IsEmpty());
}

}  // namespace
}  // namespace weft
