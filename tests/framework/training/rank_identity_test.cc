// The things that ranks must have alike.
#include "framework/training/rank_identity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/value/json.h"

namespace weft {
namespace {

using testing::HasSubstr;

RankIdentity sample(const std::string& training = R"({"dropout": 0.1, "seed": 0})") {
  RankIdentity identity;
  identity.config = *parse_json(R"({"training": )" + training +
                                R"(, "corpora": {"train": {"path": "a", "limit": 1}}})");
  identity.version = "1";
  identity.processor = "one";
  return identity;
}

TEST(RankIdentity, EqualOnesMayTrain) {
  EXPECT_EQ(difference_of(sample(), sample(), false), "");
}

TEST(RankIdentity, TheFirstSettingThatDiffersIsNamed) {
  EXPECT_THAT(difference_of(sample(), sample(R"({"dropout": 0.2, "seed": 0})"), false),
              HasSubstr("training.dropout is 0.2 there and 0.1 on rank 0"));
  EXPECT_THAT(difference_of(sample(), sample(R"({"dropout": 0.1})"), false),
              HasSubstr("training.seed is absent there and 0 on rank 0"));
  EXPECT_THAT(difference_of(sample(R"({"dropout": 0.1})"), sample(), false),
              HasSubstr("training.seed is 0 there and absent on rank 0"));
}

TEST(RankIdentity, PathsOfDataMayDiffer) {
  RankIdentity other = sample();
  other.config.as_object().find("corpora")->as_object().find("train")->as_object().set("path", "b");
  EXPECT_EQ(difference_of(sample(), other, false), "");
}

TEST(RankIdentity, VersionPluginsAndCheckpointHaveToAgree) {
  for (std::string RankIdentity::*member :
       {&RankIdentity::version, &RankIdentity::plugins, &RankIdentity::checkpoint}) {
    RankIdentity other = sample();
    other.*member = "other";
    EXPECT_THAT(difference_of(sample(), other, true), HasSubstr("other there"));
  }
}

TEST(RankIdentity, ProcessorsMayDifferWhereThatIsAllowed) {
  RankIdentity other = sample();
  other.processor = "two";
  EXPECT_THAT(difference_of(sample(), other, false), HasSubstr("--allow-mixed-hardware"));
  EXPECT_EQ(difference_of(sample(), other, true), "");
}

}  // namespace
}  // namespace weft
