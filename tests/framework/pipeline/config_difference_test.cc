// Changes between two configs: settings, not sections, in the order of the later config.
#include "framework/pipeline/config_difference.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/reading/cfg_reader.h"
#include "registry/value/json.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

Config read(const std::string& text) {
  Problems problems;
  return read_cfg(text, "test.cfg", problems, {.interpolate = false});
}

std::vector<std::string> changes(const std::string& before, const std::string& after) {
  std::vector<std::string> lines;
  const auto shown = [](const std::optional<Node>& value) {
    return value ? to_standard_json(*value) : std::string("nothing");
  };
  for (const ConfigChange& change : changes_between(read(before), read(after))) {
    lines.push_back(change.path + ": " + shown(change.before) + " > " + shown(change.after));
  }
  return lines;
}

TEST(ConfigDifference, EqualConfigsHaveNone) {
  EXPECT_THAT(changes("[a]\nx = 1\n[a.b]\ny = [1, 2]\n", "[a]\nx = 1\n[a.b]\ny = [1,2]\n"),
              IsEmpty());
}

TEST(ConfigDifference, ValuesThatWereAddedChangedAndTakenAway) {
  EXPECT_THAT(changes("[a]\nx = 1\ny = 2\nz = null\n", "[a]\nz = null\nw = \"t\"\nx = 3\n"),
              ElementsAre("a.w: nothing > \"t\"", "a.x: 1 > 3", "a.y: 2 > nothing"));
}

// A value in the place of a section: each of its settings is gone, the section itself is none.
TEST(ConfigDifference, ASectionThatBecomesAValue) {
  EXPECT_THAT(
      changes("[a]\n[a.b]\nx = 1\n[a.b.c]\ny = 2\n", "[a]\nb = 5\n"),
      UnorderedElementsAre("a.b: nothing > 5", "a.b.c.y: 2 > nothing", "a.b.x: 1 > nothing"));
  EXPECT_THAT(changes("[a]\nb = 5\n", "[a]\n[a.b]\nx = 1\n"),
              ElementsAre("a.b.x: nothing > 1", "a.b: 5 > nothing"));
}

TEST(ConfigDifference, NullIsAValue) {
  EXPECT_THAT(changes("[a]\nx = null\n", "[a]\n"), ElementsAre("a.x: null > nothing"));
  EXPECT_THAT(changes("[a]\nx = null\n", "[a]\nx = 1\n"), ElementsAre("a.x: null > 1"));
}

}  // namespace
}  // namespace weft
