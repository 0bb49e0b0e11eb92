// `weft serve` where it cannot go on: it ends, so that a supervisor starts it again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/folders.h"
#include "tests/sanitizers.h"
#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

TEST(ServeEnd, AServerThatCanAcceptNoConnectionsEndsWithAnError) {
  if (kHasSanitizer) GTEST_SKIP() << "a sanitizer has to be the first library that is loaded";
  const Outcome outcome =
      run_weft({"serve", source_path("tests/conformance/data/spacy_ner_tiny"), "--port", "0"},
               {"LD_PRELOAD=" + build_path("tests/failing_accepts.so")});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.err, ::testing::HasSubstr("accept connections any more"));
}

}  // namespace
}  // namespace weft::testing_tools
