// The check of the project's words finds planted ones, with their lines (tools/check_words.py).
#include <cstdlib>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/folders.h"
#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

// In two parts, as it is no page of the project.
const std::string kPage = std::string("docs/") + "x.md";

class CheckWordsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("command -v python3 git >/dev/null") != 0) GTEST_SKIP() << "no python3 or git";
    folder_ = fresh_folder();
    ASSERT_EQ(std::system(("git init -q '" + folder_.string() + "'").c_str()), 0);
  }
  void plant(const std::string& file, const std::string& text) {
    fs::create_directories((folder_ / file).parent_path());
    write_text(folder_ / file, text);
  }
  // The output of the script; `found`: whether it has to exit with 1.
  std::string told(bool found) const {
    const std::string command = "python3 '" + source_path("tools/check_words.py") + "' '" +
                                folder_.string() + "' >'" + (folder_ / "out").string() + "' 2>&1";
    EXPECT_EQ(std::system(command.c_str()) != 0, found);
    return read_text(folder_ / "out");
  }

  fs::path folder_;
};

TEST_F(CheckWordsTest, FindsIdentifiersCommentsAndDocuments) {
  plant("framework/backends/x.cc",
        "#include \"framework/training/settings.h\"\n"
        "// Kept for the way back.\n"
        "LyingRows multiply(const Product& p);  // a strip\n");
  plant(kPage, "# Rows\n\nCall `of_fresh`.\nThe rooms of the code.\n");
  const std::string out = told(true);
  EXPECT_THAT(out, HasSubstr("framework/backends/x.cc:1: \"settings.h\"; the word is"));
  EXPECT_THAT(out, HasSubstr("framework/backends/x.cc:2: \"way back\"; the word is backward pass"));
  EXPECT_THAT(out, HasSubstr("framework/backends/x.cc:3: \"LyingRows\"; the word is StridedRows"));
  EXPECT_THAT(out, HasSubstr("framework/backends/x.cc:3: \"Product\"; the word is"));
  EXPECT_THAT(out, HasSubstr("framework/backends/x.cc:3: \"strip\"; the word is"));
  EXPECT_THAT(out, HasSubstr(kPage + ":3: \"of_fresh\"; the word is"));
  EXPECT_THAT(out, HasSubstr(kPage + ":4: \"rooms\"; the word is module"));
}

TEST_F(CheckWordsTest, FindsSentencesThatBeginWithWhatOrWho) {
  plant("framework/x.h",
        "// What a layer keeps.\n"
        "int a;  // Fine. Who reads it rounds it.\n"
        "// A sentence that asks\n// What it may.\n"
        "int b;  // in a row\n// What stands behind code begins a sentence.\n");
  plant("tools/x.py", "\"\"\"What it does.\"\"\"\nx = 1  # Whoever calls it waits.\n");
  plant(kPage, "* What is new.\n\nWhat next?\n\nThe rest. Who writes it is told.\n");
  const std::string out = told(true);
  for (const std::string& place :
       std::vector<std::string>{"framework/x.h:1:", "framework/x.h:2:", "framework/x.h:6:",
                                "tools/x.py:1:", "tools/x.py:2:", kPage + ":1:", kPage + ":5:"}) {
    EXPECT_THAT(out, HasSubstr(place));
  }
  EXPECT_THAT(out, testing::Not(HasSubstr("framework/x.h:4:")));
  EXPECT_THAT(out, testing::Not(HasSubstr(kPage + ":3:")));
}

TEST_F(CheckWordsTest, FindsWhatAndSuchInThePlaceOfAThing) {
  plant("framework/x.h",
        "// A stream; what is written to it stays.\n"
        "int a;  // `b` is freed, so what it held is gone\n"
        "// A row. Such rows are rounded.\n"
        "// It tells what it holds, such as a name; `what()` joins them.\n");
  plant(kPage,
        "A stream of rows;\nwhoever reads it waits.\n\n```\ny = x   the way back is this\n```\n");
  const std::string out = told(true);
  for (const std::string& place : std::vector<std::string>{
           "framework/x.h:1: the subject", "framework/x.h:2: the subject",
           "framework/x.h:3: the subject", kPage + ":2: the subject", kPage + ":5: \"way back\""}) {
    EXPECT_THAT(out, HasSubstr(place));
  }
  EXPECT_THAT(out, testing::Not(HasSubstr("framework/x.h:4:")));
}

TEST_F(CheckWordsTest, LeavesLiteralsAndOtherWordsAlone) {
  plant("framework/x.cc",
        "const char* text = \"16-bit products, the way back // What\";\n"
        "const auto more = R\"(What\nKept)\";\n"
        "// A dot product; a row block.\n");
  plant(kPage, "| path | rows |\n\nThe backward pass of a GEMM.\n");
  EXPECT_THAT(told(false), IsEmpty());
}

}  // namespace
}  // namespace weft::testing_tools
