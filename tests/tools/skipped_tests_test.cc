// The report of the test script on tests that were skipped (tools/skipped_tests.py).
#include <cstdlib>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "tests/folders.h"
#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class SkippedTestsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("command -v python3 >/dev/null") != 0) GTEST_SKIP() << "no python3";
    folder_ = fresh_folder();
  }
  static std::string passed(const std::string& name) {
    return "<testcase name=\"" + name +
           "\" status=\"run\"><system-out>x.cc:1: Skipped\nnot "
           "really</system-out></testcase>\n";
  }
  static std::string skipped(const std::string& name, const std::string& output) {
    return "<testcase name=\"" + name +
           "\" status=\"notrun\"><skipped message=\"SKIP_REGULAR_EXPRESSION_MATCHED\"/>"
           "<properties/><system-out>" +
           output + "</system-out></testcase>\n";
  }
  std::string told(const std::string& cases) const {
    write_text(folder_ / "results.xml",
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"x\">\n" + cases +
                   "</testsuite>\n");
    const std::string command = "python3 '" + source_path("tools/skipped_tests.py") + "' '" +
                                (folder_ / "results.xml").string() + "' >'" +
                                (folder_ / "out").string() + "' 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0);
    return read_text(folder_ / "out");
  }

  fs::path folder_;
};

TEST_F(SkippedTestsTest, GroupsThemByReasonAndCountsThem) {
  const std::string gpu =
      "[ RUN      ] A\n../tests/a_test.cc:114: Skipped\nno device cuda\n\n"
      "[  SKIPPED ] A (0 ms)\n";
  EXPECT_EQ(told(passed("A.One") + skipped("B.One", gpu) + skipped("B.Two", gpu) +
                 skipped("spacy", "SKIPPED: no Python with spaCy\n")),
            "Skipped: 3 of 4 tests\n     2  no device cuda\n     1  no Python with spaCy\n");
}

TEST_F(SkippedTestsTest, SaysSoWhereNoneWas) {
  EXPECT_EQ(told(passed("A.One") + passed("A.Two")), "Skipped: none of 2 tests\n");
}

TEST_F(SkippedTestsTest, WhatGivesNoReasonIsNamedItself) {
  const std::string text = told(skipped("C.Three", "x.cc:7: Skipped\n\n[  SKIPPED ] C.Three"));
  EXPECT_THAT(text, HasSubstr("1  no reason given, as in C.Three"));
}

TEST_F(SkippedTestsTest, LongReasonsAreCut) {
  const std::string text = told(skipped("D", "x.cc:7: Skipped\n" + std::string(500, 'y') + "\n"));
  EXPECT_THAT(text, HasSubstr("yyy ...\n"));
  EXPECT_LT(text.size(), 200U);
}

}  // namespace
}  // namespace weft::testing_tools
