// Parts of a pipeline that are frozen up to a step, or for good.
#include "framework/training/freeze_schedule.h"

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/training/training_settings.h"
#include "registry/base/error.h"
#include "tests/framework/pipeline/one_weight_component.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

class FreezeScheduleTest : public ::testing::Test {
 protected:
  FreezeScheduleTest() {
    for (const char* name : {"a_tagger", "b_tagger", "ner"}) {
      nlp_.add({name, std::make_shared<testing::OneWeight>()});
    }
  }
  FreezeSchedule schedule(const std::vector<std::string>& frozen,
                          const std::vector<std::string>& names = {},
                          const std::vector<std::int64_t>& steps = {}) {
    settings_.frozen_components = frozen;
    List name_list, step_list;
    for (const std::string& name : names) name_list.push_back(name);
    for (const std::int64_t step : steps) step_list.push_back(step);
    settings_.unfreeze.set("names", std::move(name_list));
    settings_.unfreeze.set("steps", std::move(step_list));
    return {nlp_, settings_};
  }

  Language nlp_{Config(), testing::plain_settings()};
  TrainingSettings settings_;
};

TEST_F(FreezeScheduleTest, NothingIsFrozenUnlessItIsNamed) {
  EXPECT_THAT(FreezeSchedule().at(0).components, IsEmpty());
  EXPECT_THAT(schedule({}).at(5).components, IsEmpty());
}

TEST_F(FreezeScheduleTest, TheStepThatIsGivenIsTheFirstThatTrains) {
  const FreezeSchedule freezing = schedule({"ner", "a_tagger"}, {"ner"}, {10});
  EXPECT_THAT(freezing.at(0).components, ElementsAre("ner", "a_tagger"));
  EXPECT_THAT(freezing.at(9).components, ElementsAre("ner", "a_tagger"));
  EXPECT_THAT(freezing.at(10).components, ElementsAre("a_tagger"));
  EXPECT_THAT(freezing.for_good().components, ElementsAre("a_tagger"));
}

TEST_F(FreezeScheduleTest, StepZeroNeverFreezes) {
  EXPECT_THAT(schedule({"ner"}, {"ner"}, {0}).at(0).components, IsEmpty());
}

// Two entries may mean the same component: it is frozen while one of them is, and named once.
TEST_F(FreezeScheduleTest, AComponentOfTwoEntriesIsFrozenByEither) {
  const FreezeSchedule freezing = schedule({"*_tagger", "a_tagger"}, {"*_tagger"}, {10});
  EXPECT_THAT(freezing.at(0).components, ElementsAre("a_tagger", "b_tagger"));
  EXPECT_THAT(freezing.at(10).components, ElementsAre("a_tagger"));
}

TEST_F(FreezeScheduleTest, SettingsGetTheNamesThatAreFrozenForGood) {
  schedule({"*_tagger", "ner"}, {"ner"}, {3});
  resolve_freezing(nlp_, settings_);
  EXPECT_THAT(settings_.frozen_components, ElementsAre("a_tagger", "b_tagger"));
  EXPECT_THAT(settings_.freezing.at(2).components, ElementsAre("a_tagger", "b_tagger", "ner"));
}

TEST_F(FreezeScheduleTest, NamesThatCannotBeUnfrozenAreRefused) {
  EXPECT_THAT([&] { schedule({"ner"}, {"ner"}, {}); },
              ThrowsMessage<Error>(HasSubstr("give each name its step")));
  EXPECT_THAT(
      [&] {
        schedule({"ner", "a_tagger"}, {"a_tager"}, {1});
      },
      ThrowsMessage<Error>(HasSubstr("(did you mean a_tagger?)")));
  // The entry as it is written, not a component that it means.
  EXPECT_THAT([&] { schedule({"*_tagger"}, {"a_tagger"}, {1}); },
              ThrowsMessage<Error>(HasSubstr("not in frozen_components as it stands")));
  EXPECT_THROW(schedule({"parser"}), Error);
}

}  // namespace
}  // namespace weft
