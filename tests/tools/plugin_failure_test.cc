// Plugins that throw something that is no std::exception.
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/folders.h"
#include "tests/sanitizers.h"
#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

TEST(PluginFailure, EndsTheCommandWithAMessage) {
  const auto folder = fresh_folder();
  write_text(folder / "in.txt", "Ada left.\n");
  const Outcome outcome = run_weft(
      {"convert", (folder / "in.txt").string(), (folder / "out.jsonl").string(), "--converter",
       "test.throwing.v1", "--code", build_path("tests/test_plugin_throwing.so")});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, testing::HasSubstr("no std::exception, as only a plugin does"));
}

TEST(PluginFailure, WhileItIsLoadedNamesThePlugin) {
  if (kHasThreadSanitizer) GTEST_SKIP() << "ThreadSanitizer ends a program that throws in dlopen";
  for (const auto& [name, words] :
       {std::pair{"failing", "it threw while it was loaded: there is no licence"},
        std::pair{"hooking", "it threw while its functions were added: there is no licence"},
        std::pair{"ending", "it ended the program while it was loaded"}}) {
    const std::string file = build_path("tests/test_plugin_") + name + ".so";
    const Outcome outcome = run_weft({"registry", "--code", file});
    EXPECT_EQ(outcome.code, 2) << name;
    EXPECT_EQ(outcome.out, "") << name;
    EXPECT_THAT(outcome.err, testing::HasSubstr(file + " cannot be used: " + words)) << outcome.err;
  }
}

}  // namespace
}  // namespace weft::testing_tools
