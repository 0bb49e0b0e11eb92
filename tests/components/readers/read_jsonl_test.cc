#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "components/builtin.h"
#include "framework/io/atomic_file.h"
#include "registry/base/error.h"
#include "registry/building/resolve.h"
#include "registry/reading/cfg_reader.h"
#include "registry/value/json.h"

namespace weft {
namespace {

std::string run(const std::string& text, const std::string& more = "") {
  const auto path = std::filesystem::path(testing::TempDir()) /
                    testing::UnitTest::GetInstance()->current_test_info()->name();
  write_file(path, text);
  Catalogue catalogue;
  add_builtin(catalogue);
  Problems problems;
  const Config config = read_cfg(
      "[block]\n@readers = \"srsly.read_jsonl.v1\"\npath = \"" + path.string() + "\"\n" + more,
      "test", problems);
  try {
    const auto result = resolve_at(config, "block", catalogue, {}, problems);
    return problems.empty() ? to_json(result->data()) : problems.front().str();
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(ReadJsonl, GivesTheValuesOfAllLines) {
  EXPECT_EQ(run("{\"a\": 1}\n\n[2, null]\r\n\"x\""), R"([{"a": 1}, [2, null], "x"])");
  EXPECT_EQ(run(""), "[]");
}

TEST(ReadJsonl, NamesTheLineThatIsWrong) {
  EXPECT_THAT(run("1\nnot JSON\n3\n"), testing::HasSubstr(":2  the line is not valid JSON"));
  EXPECT_EQ(run("1\nnot JSON\n3\n", "skip = true"), "[1, 3]");
}

// It is the fault of the setting, told with its place.
TEST(ReadJsonl, AFileThatIsNotThereIsNamedWithItsSection) {
  Catalogue catalogue;
  add_builtin(catalogue);
  for (const std::string reader : {"srsly.read_jsonl.v1", "srsly.read_json.v1"}) {
    Problems problems;
    const Config config = read_cfg(
        "[block]\n@readers = \"" + reader + "\"\npath = \"/absent.json\"\n", "test.cfg", problems);
    EXPECT_FALSE(resolve_at(config, "block", catalogue, {}, problems));
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_THAT(problems[0].str(), testing::HasSubstr("test.cfg:"));
    EXPECT_THAT(problems[0].str(), testing::HasSubstr("there is no file '/absent.json'"));
  }
}

// Values take far more memory than their text.
TEST(ReadJsonl, ValuesBeyondTheBudgetOfAFileAreRefused) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "[1, 2]\n";
  ASSERT_EQ(::setenv("WEFT_READ_MIB", "1", 1), 0);
  EXPECT_THAT(run(text), testing::HasSubstr("the values would take more memory than the 1 MiB"));
  ASSERT_EQ(::unsetenv("WEFT_READ_MIB"), 0);
  EXPECT_EQ(run(text).size(), 20'000 * std::string("[1, 2], ").size());
}

}  // namespace
}  // namespace weft
