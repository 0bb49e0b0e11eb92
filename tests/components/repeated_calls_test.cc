// A pipeline that is called again and again, whose weights are packed once for all calls.
#include <filesystem>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "components/weft.h"
#include "framework/pipeline/number_formats.h"
#include "framework/precision/policy.h"
#include "framework/precision/precision_settings.h"
#include "framework/text/example.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

class RepeatedCalls : public ::testing::Test {
 protected:
  RepeatedCalls() {
    for (int i = 0; i < 8; ++i) {
      Doc doc = nlp_->make_doc(i % 2 == 0 ? "good good tea here" : "a bad cup of coffee");
      doc.set_cats({{"A", i % 2 == 0 ? 1.0 : 0.0}, {"B", i % 2 == 0 ? 0.0 : 1.0}});
      examples_.push_back(Example::from_reference(std::move(doc)));
    }
    nlp_->initialize(examples_);
    for (int step = 0; step < 20; ++step) nlp_->update(examples_);  // scores are 0.5 before
  }

  static std::vector<double> scores(const Language& nlp) {
    std::vector<double> scores;
    for (const char* text : {"good coffee", "a bad cup of tea , or of coffee", "good coffee"}) {
      for (const TextCategory& cat : nlp(text).cats()) {
        scores.push_back(std::get<double>(cat.value));
      }
    }
    return scores;
  }
  // Of a pipeline that nobody called before.
  std::vector<double> fresh_scores(const std::string& level = "O0") const {
    const fs::path folder =
        fs::path(::testing::TempDir()) / ("repeated_calls_" + std::to_string(::getpid()) + level);
    nlp_->to_disk(folder);
    const auto fresh = load(folder);
    fs::remove_all(folder);
    if (level != "O0") fresh->set_formats(formats(level, *fresh));
    return scores(*fresh);
  }
  static std::shared_ptr<RunFormats> formats(const std::string& level, const Language& nlp) {
    PrecisionSettings settings;
    settings.level = level;
    settings.dtype = LowFormat::bf16;
    return make_formats(make_precision_policy(settings), nlp);
  }

  std::shared_ptr<Language> nlp_ = blank("en", {"textcat"});
  std::vector<Example> examples_;
};

TEST_F(RepeatedCalls, GiveTheSameNumbers) {
  const std::vector<double> expected = fresh_scores();
  ASSERT_EQ(expected.size(), 6U);
  EXPECT_NE(expected[0], expected[2]);
  for (int call = 0; call < 3; ++call) EXPECT_EQ(scores(*nlp_), expected) << call;
}

TEST_F(RepeatedCalls, SeeWeightsThatChangedInBetween) {
  const std::vector<double> before = scores(*nlp_);
  for (int step = 0; step < 3; ++step) {
    nlp_->update(examples_);
    const std::vector<double> expected = fresh_scores();
    EXPECT_NE(expected, before);
    EXPECT_EQ(scores(*nlp_), expected) << step;
    EXPECT_EQ(scores(*nlp_), expected) << step;
  }
}

TEST_F(RepeatedCalls, FollowTheFormatsOfThePipeline) {
  for (const char* level : {"O0", "bf16", "O2", "O3", "bf16", "O0"}) {
    nlp_->set_formats(level == std::string("O0") ? nullptr : formats(level, *nlp_));
    const std::vector<double> expected = fresh_scores(level);
    EXPECT_EQ(scores(*nlp_), expected) << level;
    EXPECT_EQ(scores(*nlp_), expected) << level;
  }
}

}  // namespace
}  // namespace weft
