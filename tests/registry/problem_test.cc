#include "registry/base/problem.h"

#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

Problem misspelt() {
  Problem problem;
  problem.place = Origin::file(std::make_shared<const std::string>("train.cfg"), 41, 1);
  problem.path = "training.optimizer.learn_rat";
  problem.message = "unknown setting";
  problem.suggestion = "learn_rate";
  return problem;
}

TEST(ProblemTest, ShowsPlaceSectionKeyAndSuggestion) {
  EXPECT_EQ(misspelt().str(),
            "train.cfg:41:1  [training.optimizer] learn_rat: unknown setting "
            "(did you mean learn_rate?)");
}

TEST(ProblemTest, LeavesOutWhatIsNotKnown) {
  Problem problem;
  problem.message = "something is wrong";
  EXPECT_EQ(problem.str(), "something is wrong");
  problem.path = "training";
  EXPECT_EQ(problem.str(), "[training]: something is wrong");
}

TEST(ProblemTest, OnlyErrorsAreErrors) {
  Problem warning;
  warning.severity = Severity::warning;
  EXPECT_FALSE(has_errors({warning}));
  EXPECT_TRUE(has_errors({warning, misspelt()}));
}

TEST(ProblemTest, NamesOfKindsFollowTheirOrder) {
  EXPECT_EQ(name_of(ProblemKind::parse), "parse");
  EXPECT_EQ(name_of(ProblemKind::unknown_override), "unknown_override");
  EXPECT_EQ(name_of(ProblemKind::limit), "limit");
  EXPECT_EQ(name_of(Reason::unexpected), "unexpected");
}

TEST(OriginTest, SaysWhereAValueCameFrom) {
  const auto name = std::make_shared<const std::string>("a.cfg");
  EXPECT_EQ(Origin::file(name, 3, 5).str(), "a.cfg:3:5");
  EXPECT_EQ(Origin::file(name, 3, 0).str(), "a.cfg:3");
  EXPECT_EQ(Origin::file(name, 0, 0).str(), "a.cfg");
  EXPECT_EQ(Origin::command_line("--a.b").str(), "command line --a.b");
  EXPECT_EQ(Origin::environment("SPACY_CONFIG_OVERRIDES").str(), "SPACY_CONFIG_OVERRIDES");
  EXPECT_EQ(Origin::default_of("Adam.v1").str(), "default of Adam.v1");
  EXPECT_EQ(Origin().str(), "");
}

TEST(ErrorTest, JoinsProblemsOnePerLine) {
  Problem other;
  other.message = "second";
  const Error error(ErrorKind::config, {misspelt(), other});
  EXPECT_EQ(std::string(error.what()), misspelt().str() + "\nsecond");
  EXPECT_EQ(error.place().line, 41);
}

TEST(ErrorTest, PutsThePlaceBeforeTheMessage) {
  const Error error(ErrorKind::data, "the file ends too early", Origin::environment("V"));
  EXPECT_STREQ(error.what(), "V  the file ends too early");
  EXPECT_EQ(exit_code(error.kind()), 3);
}

TEST(ErrorTest, ExitCodes) {
  EXPECT_EQ(exit_code(ErrorKind::config), 2);
  EXPECT_EQ(exit_code(ErrorKind::plugin), 2);
  EXPECT_EQ(exit_code(ErrorKind::diverged), 4);
  EXPECT_EQ(exit_code(ErrorKind::memory), 5);
  EXPECT_EQ(exit_code(ErrorKind::internal), 1);
}

// The text of an exception ends with its first zero byte.
TEST(Error, AZeroByteDoesNotCutTheMessageOff) {
  const Error error(ErrorKind::data, std::string("the tag \"O\0X\" is none", 21));
  EXPECT_STREQ(error.what(), "the tag \"O\\u{0}X\" is none");
}

}  // namespace
}  // namespace weft
