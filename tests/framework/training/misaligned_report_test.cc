#include "framework/training/misaligned_report.h"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/value/json.h"

namespace weft {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Misaligned found(bool kept) {
  Misaligned one{{"a.jsonl", 3, 2}, {3, 9, "PER", "", ""}, "hn\x1b[31m", "does not fit", {}, ""};
  if (kept) one.kept = {1, 3};
  return one;
}

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(MisalignedReportTest, CountsByWhatBecameOfThem) {
  std::ostringstream err;
  MisalignedReport report("corpora.train", AlignmentPolicy::expand, err);
  EXPECT_TRUE(report.counts().empty());
  const MisalignedSink sink = report.sink();
  for (int i = 0; i < 3; ++i) sink(found(true));
  sink(found(false));
  EXPECT_EQ(to_json(report.counts()), "{\"expand\": 3, \"drop\": 1}");
  report.summarize();
  EXPECT_THAT(err.str(), HasSubstr("4 entities of [corpora.train] do not fall on tokens: 1 left "
                                   "out, 3 repaired (on_misaligned = \"expand\")"));
  report.start_pass();
  EXPECT_TRUE(report.counts().empty());
}

TEST(MisalignedReportTest, ShowsTheFirstFewWithPlaceAndNothingRaw) {
  std::ostringstream err;
  MisalignedReport report("corpora.dev", AlignmentPolicy::drop, err);
  const MisalignedSink sink = report.sink();
  for (int i = 0; i < 50; ++i) sink(found(false));
  EXPECT_EQ(lines_of(err.str()), 6u) << err.str();
  EXPECT_THAT(err.str(), HasSubstr("a.jsonl:3  document 3: PER at characters 3 to 9"));
  EXPECT_THAT(err.str(), Not(HasSubstr("\x1b")));
  EXPECT_EQ(to_json(report.counts()), "{\"drop\": 50}");
}

TEST(MisalignedReportTest, SaysNothingOfACorpusThatFits) {
  std::ostringstream err;
  MisalignedReport report("corpora.dev", AlignmentPolicy::drop, err);
  report.summarize();
  EXPECT_EQ(err.str(), "");
}

}  // namespace
}  // namespace weft
