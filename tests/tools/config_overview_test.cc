// `weft debug config -F` and `-V`: the functions of a config and its variables.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

class ConfigOverviewTest : public ::testing::Test {
 protected:
  void SetUp() override {
    file_ = (fresh_folder() / "a.cfg").string();
    ASSERT_EQ(run_weft({"init", "config", file_}).code, 0);
  }
  Outcome config(std::vector<std::string> more) const {
    more.insert(more.begin(), {"debug", "config", file_});
    return run_weft(more);
  }
  static std::string line_with(const std::string& text, const std::string& part) {
    const auto at = text.find(part);
    if (at == text.npos) return "";
    const auto start = text.rfind('\n', at) + 1;
    return text.substr(start, text.find('\n', at) - start);
  }
  std::string file_;
};

TEST_F(ConfigOverviewTest, FunctionsAreListedWithTheirPlaces) {
  const Outcome listed = config({"-F"});
  EXPECT_EQ(listed.code, 0) << listed.err;
  EXPECT_THAT(line_with(listed.out, "Adam.v1"),
              MatchesRegex("optimizers +Adam.v1 +.training.optimizer. +libweft"));
  EXPECT_THAT(line_with(listed.out, "[components.ner]"),
              MatchesRegex("factories +ner +.components.ner. +libweft"));
  EXPECT_THAT(listed.out, Not(HasSubstr("max_steps"))) << "in the place of the config";
  EXPECT_THAT(listed.err, HasSubstr("verdict: weft can train this config"));
}

TEST_F(ConfigOverviewTest, VariablesAreListedWithTheirValues) {
  const Outcome listed = config({"--show-variables", "--paths.train", "a \"b\".spacy"});
  EXPECT_EQ(listed.code, 0) << listed.err;
  EXPECT_THAT(line_with(listed.out, "paths.train"),
              MatchesRegex(R"(paths.train +"a \\"b\\".spacy" +command line --paths.train)"));
  EXPECT_THAT(line_with(listed.out, "paths.dev"), MatchesRegex("paths.dev +null +.*a.cfg:.*"));
  EXPECT_THAT(config({"-V", "-F"}).out, AllOf(HasSubstr("paths.dev"), HasSubstr("Adam.v1")));
}

TEST_F(ConfigOverviewTest, ArePrintedForPeople) {
  EXPECT_EQ(config({"-V", "--json"}).code, 2);
  EXPECT_EQ(config({"-F", "--json"}).code, 2);
}

}  // namespace
}  // namespace weft::testing_tools
