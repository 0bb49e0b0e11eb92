// Inputs far larger than any config: a clear problem or success, in time and memory that grow with
// the input alone.

#include <gmock/gmock.h>

#include "tests/registry/reading.h"

namespace weft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string sections(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "[s" + std::to_string(i) + "]\nx = 1\n";
  return text;
}

TEST(LimitsTest, HundredMegabytesOfBrackets) {
  EXPECT_THAT(read(std::string(100'000'000, '[')).texts(ProblemKind::limit),
              ElementsAre("x.cfg:1:1  the line is longer than 64 MiB"));
  std::string lines = "[a]\nx =\n";
  const std::string line = " " + std::string(999, '[') + "\n";
  for (int i = 0; i < 100'000; ++i) lines += line;
  EXPECT_THAT(read(lines).texts(ProblemKind::limit),
              ElementsAre(HasSubstr("nest deeper than 512")));
}

std::string repeated(std::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

// Every node takes hundreds of bytes, and a run keeps several copies of its config.
TEST(LimitsTest, SectionsSettingsAndValuesAreCounted) {
  const std::string told = "holds more than 262144 sections, settings and values in lists";
  const auto keys = [](int count) {
    std::string text = "[a]\n";
    for (int i = 0; i < count; ++i) text += "k" + std::to_string(i) + "=1\n";
    return text;
  };
  const auto lists = [](int count) {
    return "[a]\nx = [" + repeated("1,", count - 1) + "1]\ny = [" + repeated("1,", count - 1) +
           "1]\n";
  };
  for (const std::string& text :
       {sections(1'000'000), keys(1'500'000), lists(1'500'000), lists(200'000)}) {
    EXPECT_THAT(read(text).texts(ProblemKind::limit), ElementsAre(HasSubstr(told)));
  }
  for (const std::string& text : {sections(100'000), keys(200'000), lists(100'000)}) {
    EXPECT_THAT(read(text).problems, IsEmpty());
  }
  for (const std::string& text : {keys(300'000), lists(200'000)}) {
    EXPECT_THAT(read_toml_text(text).texts(ProblemKind::limit),
                ElementsAre(HasSubstr("holds more than 262144 tables, settings")));
  }
  EXPECT_TRUE(read("[a]\nx = [" + repeated("1,", 3'000'000) + "1]\n").has(ProblemKind::limit))
      << "more than JSON may have";
}

TEST(LimitsTest, LongLinesAndManyLines) {
  const Reading reading = read("[a]\nx = " + std::string(10'000'000, 'y') + "\n");
  EXPECT_THAT(reading.problems, IsEmpty());
  EXPECT_EQ(reading.config.find("a.x")->as_string().size(), 10'000'000U);
  EXPECT_TRUE(read(std::string(17'000'000, '\n')).has(ProblemKind::limit));
}

TEST(LimitsTest, DeepSections) {
  std::string name = "a";
  std::string text = "[a]\n";
  for (int i = 1; i < 512; ++i) text += "[" + (name += ".a") + "]\n";
  EXPECT_THAT(read(text).problems, IsEmpty());
  EXPECT_TRUE(read(text + "[" + name + ".a]\n").has(ProblemKind::limit));
  EXPECT_TRUE(read("[" + std::string(1'000'000, '.') + "]\n").has(ProblemKind::limit));
}

// Every key of a section is called by its whole name in messages.
TEST(LimitsTest, LongNamesOfSections) {
  const std::string longest(1024, 's');
  for (const std::string above : {"", "[a]\n"}) {
    const std::string start = above.empty() ? "" : "a.";
    const std::string name = longest.substr(start.size());
    const std::string keys = "]\nx = 1\ny = 2\n";
    EXPECT_THAT(read(above + "[" + start + name + keys).problems, IsEmpty());
    EXPECT_THAT(read_toml_text(above + "[" + start + name + keys).problems, IsEmpty());
    const std::string beyond = above + "[" + start + name + "s" + keys;
    EXPECT_THAT(read(beyond).texts(ProblemKind::limit),
                ElementsAre(HasSubstr("a section's name is longer than 1024 bytes")));
    EXPECT_THAT(read_toml_text(beyond).texts(ProblemKind::limit),
                ElementsAre(HasSubstr("a section's name is longer than 1024 bytes")));
  }
}

TEST(LimitsTest, NulBytesAreOrdinaryText) {
  const Reading reading = read(std::string_view("[a]\nx = 1\0\n", 11));
  EXPECT_THAT(reading.problems, IsEmpty());
  EXPECT_EQ(reading.config.find("a.x")->as_string(), std::string("1\0", 2));
}

// Were time to grow with the square of their number, this would take minutes.
TEST(LimitsTest, AHundredThousandSections) {
  const Reading reading = read(sections(100'000));
  EXPECT_THAT(reading.problems, IsEmpty());
  EXPECT_EQ(reading.config.root().size(), 100'000U);
}

}  // namespace
}  // namespace weft
