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

class ReadLabels : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }

  std::string read(const std::string& more = "") const {
    Catalogue catalogue;
    add_builtin(catalogue);
    Problems problems;
    const Config config = read_cfg(
        "[block]\n@readers = \"spacy.read_labels.v1\"\npath = \"" + path_.string() + "\"\n" + more,
        "test", problems);
    try {
      const auto result = resolve_at(config, "block", catalogue, {}, problems);
      return problems.empty() ? to_json(result->data()) : problems.front().str();
    } catch (const Error& error) {
      return error.what();
    }
  }

  std::filesystem::path path_ = std::filesystem::path(testing::TempDir()) /
                                testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(ReadLabels, GivesTheValueOfTheFile) {
  write_file(path_, "[\"PER\", \"ORG\"]\n");
  EXPECT_EQ(read(), R"(["PER", "ORG"])");
}

TEST_F(ReadLabels, RefusesAFileThatIsNoJson) {
  write_file(path_, "PER\n");
  EXPECT_THAT(read(), testing::HasSubstr(":1:1  no valid JSON"));
}

TEST_F(ReadLabels, WithoutAFileLabelsComeFromTheDataUnlessItIsRequired) {
  EXPECT_EQ(read(), "null");
  const std::string missing = read("require = true\n");
  EXPECT_THAT(missing, testing::HasSubstr(path_.string()));
  EXPECT_THAT(missing, testing::HasSubstr("weft init labels"));
  EXPECT_THAT(missing, testing::HasSubstr("test:2:12  [block]"));
}

}  // namespace
}  // namespace weft
