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
  EXPECT_THAT(run("1\nnot JSON\n3\n"), testing::HasSubstr(":2: the line is not valid JSON"));
  EXPECT_EQ(run("1\nnot JSON\n3\n", "skip = true"), "[1, 3]");
}

}  // namespace
}  // namespace weft
