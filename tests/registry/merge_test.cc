#include "registry/value/merge.h"

#include <gtest/gtest.h>

#include "registry/value/json.h"
#include "tests/registry/reading.h"

namespace weft {
namespace {

std::string merged(std::string_view defaults, std::string_view updates, bool remove_extra = false) {
  return to_json(Node(merge(read(defaults).config, read(updates).config, remove_extra).root()));
}

TEST(MergeTest, UpdatesComeFirstAndListsAreReplaced) {
  EXPECT_EQ(merged("[a]\nx = [1, 2]\ny = 2\nz = 1\n", "[a]\nz = null\nx = [3]\n"),
            R"({"a": {"z": null, "x": [3], "y": 2}})");
}

TEST(MergeTest, FunctionBlocksOfOtherFunctionsAreTakenAlone) {
  EXPECT_EQ(merged("[s]\n@f = \"one\"\nx = 1\n", "[s]\n@f = \"two\"\nz = 9\n"),
            R"({"s": {"@f": "two", "z": 9}})");
  EXPECT_EQ(merged("[s]\n@f = \"one\"\nx = 1\n", "[s]\n@g = \"one\"\nz = 9\n"),
            R"({"s": {"@g": "one", "z": 9}})");
  EXPECT_EQ(merged("[s]\n@f = \"one\"\nx = 1\n", "[s]\nz = 9\n"),
            R"({"s": {"z": 9, "@f": "one", "x": 1}})");
}

TEST(MergeTest, RemovesExtrasExceptInForeignBlocks) {
  EXPECT_EQ(merged("[a]\nx = 1\n[s]\n@f = \"one\"\n",
                   "[a]\nx = 2\ny = 3\n[s]\n@f = \"two\"\nz = 1\n[q]\n", true),
            R"({"a": {"x": 2}, "s": {"@f": "two", "z": 1}})");
}

TEST(MergeTest, NodesKeepTheirOrigins) {
  const Config config = merge(read("[a]\nx = 1\n").config, read("[a]\n\ny = 2\n").config);
  EXPECT_EQ(config.find("a.y")->origin.line, 3);
  EXPECT_EQ(config.find("a.x")->origin.line, 2);
}

}  // namespace
}  // namespace weft
