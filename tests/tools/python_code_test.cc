// --code FILE.py of the program, which has no Python inside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

TEST(PythonCode, IsRefusedWithTheWayToRunIt) {
  const auto folder = fresh_folder();
  write_text(folder / "functions.py", "raise SystemExit('this must not run')\n");
  write_text(folder / "train.cfg", small_config());
  const Outcome outcome = run_weft({"debug", "config", (folder / "train.cfg").string(), "--code",
                                    (folder / "functions.py").string()});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, testing::HasSubstr("functions.py is Python"));
  EXPECT_THAT(outcome.err, testing::HasSubstr("python -m weft"));
}

}  // namespace
}  // namespace weft::testing_tools
