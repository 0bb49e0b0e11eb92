// Plugins that throw something that is no std::exception.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

TEST(PluginFailure, EndsTheCommandWithAMessage) {
  const auto folder = fresh_folder();
  write_text(folder / "in.txt", "Ada left.\n");
  const Outcome outcome = run_weft(
      {"convert", (folder / "in.txt").string(), (folder / "out.jsonl").string(), "--converter",
       "test.throwing.v1", "--code", WEFT_BINARY_DIR "/tests/test_plugin_throwing.so"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, testing::HasSubstr("no std::exception, as only a plugin does"));
}

}  // namespace
}  // namespace weft::testing_tools
