// Loggers as configs name them, without a run.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/training/logger.h"
#include "tests/components/building.h"
#include "tests/framework/training/logs/log_fixture.h"

namespace weft {
namespace {

using ::testing::HasSubstr;

class Loggers : public testing_logs::LogTest {};

TEST_F(Loggers, CsvWritesARowForEachEvaluation) {
  const auto path = (output_ / "log.csv").string();
  const auto logger =
      testing::build<Logger>("@loggers = \"weft.CsvLogger.v1\"\npath = \"" + path + "\"\n");
  const auto session = logger.start(setup());
  session->evaluated(info(20, 0.5));
  session->finish();
  EXPECT_THAT(text_of(path), HasSubstr("\n20,0.5,"));
}

TEST_F(Loggers, LookupPrintsTheValuesThatItIsAskedFor) {
  const auto logger =
      testing::build<Logger>("@loggers = \"spacy.LookupLogger.v1\"\npatterns = [\"^score$$\"]\n");
  const auto session = logger.start(setup());
  session->evaluated(info(20, 0.5));
  session->finish();
  EXPECT_EQ(out_.str(), "score -> 0.5\n");
}

}  // namespace
}  // namespace weft
