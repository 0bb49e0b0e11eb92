#include "framework/training/logs/tensorboard_log.h"

#include <cmath>
#include <limits>
#include <map>

#include <gmock/gmock.h>

#include "framework/training/logs/event_messages.h"
#include "registry/base/error.h"
#include "tests/framework/training/logs/decoded.h"
#include "tests/framework/training/logs/log_fixture.h"

namespace weft {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_logs::Decoded;

constexpr const char* kConfig = R"([nlp]
lang = "en"

[paths]
key = "secret-1"

[components]

[components.ner]
factory = "ner"

[components.ner.model]
@architectures = "spacy.TransitionBasedParser.v2"
hidden_width = 64

[training]
seed = 7
dropout = 0.1
use = true
note = ${paths.key}
)";

class TensorBoardLogTest : public testing_logs::LogTest {
 protected:
  void SetUp() override {
    LogTest::SetUp();
    options_.folder = output_ / "tb";
    read_config(kConfig);
  }
  std::unique_ptr<LogSession> start(const Node* resumed = nullptr) {
    return tensorboard_log(options_).start(setup(resumed));
  }
  std::string contents() const { return text_of(output_ / "tb/events.out.tfevents.weft"); }
  std::vector<Decoded> events() const { return testing_logs::events_in(contents()); }

  // tag -> number of one event
  static std::map<std::string, float> scalars(const Decoded& event) {
    std::map<std::string, float> found;
    for (const Decoded& value : event.message(5).messages(1)) {
      if (value.has(2)) found[value.one(1).bytes] = value.one(2).as_float();
    }
    return found;
  }

  TensorBoardOptions options_;
};

TEST_F(TensorBoardLogTest, HasAnEventForEachEvaluationAtItsStep) {
  start()->evaluated(info(20, 0.5));
  const auto all = events();
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].one(3).bytes, "brain.Event:2");
  EXPECT_FALSE(all[0].has(5));
  EXPECT_EQ(all[2].one(2).integer, 20U);
  EXPECT_GT(all[2].one(1).as_double(), 1.7e9);
  const std::map<std::string, float> wanted = {{"score", 0.5F},
                                               {"progress/epoch", 1.0F},
                                               {"progress/words", 700.0F},
                                               {"optimizer/learn_rate", 0.25F},
                                               {"speed/words_per_second", 0.0F},
                                               {"speed/evaluation_words_per_second", 1234.5F},
                                               {"loss/ner", 3.5F},
                                               {"scores/ents_f", 0.5F},
                                               {"scores/ents_per_type/B&B/f", 0.25F}};
  EXPECT_EQ(scalars(all[2]), wanted);
}

TEST_F(TensorBoardLogTest, SettingsAndConfigStandAtTheStart) {
  start();
  const auto values = events().at(1).message(5).messages(1);
  ASSERT_EQ(values.size(), 2U);
  EXPECT_EQ(values[0].one(1).bytes, "_hparams_/session_start_info");
  const Decoded metadata = values[0].message(9);
  EXPECT_EQ(metadata.message(1).one(1).bytes, "hparams");
  EXPECT_EQ(metadata.one(4).integer, 2U);
  std::map<std::string, Decoded> settings;
  for (const Decoded& entry : Decoded(metadata.message(1).one(2).bytes).message(3).messages(1)) {
    settings.emplace(entry.one(1).bytes, entry.message(2));
  }
  EXPECT_EQ(settings.at("training.seed").one(2).as_double(), 7.0);
  EXPECT_EQ(settings.at("training.dropout").one(2).as_double(), 0.1);
  EXPECT_EQ(settings.at("training.use").one(4).integer, 1U);
  EXPECT_EQ(settings.at("nlp.lang").one(3).bytes, "en");
  EXPECT_EQ(settings.at("components.ner.factory").one(3).bytes, "ner");
  EXPECT_EQ(settings.at("components.ner.architecture").one(3).bytes,
            "spacy.TransitionBasedParser.v2");
  EXPECT_FALSE(settings.contains("paths.key"));
  EXPECT_EQ(values[1].one(1).bytes, "config");
  EXPECT_THAT(values[1].message(8).one(8).bytes, HasSubstr("    training.dropout = 0.1\n"));
}

TEST_F(TensorBoardLogTest, RemovedSettingsReachNoFile) {
  options_.remove_config_values = {"paths.key"};
  start()->evaluated(info(0, 0.5));
  EXPECT_THAT(contents(), Not(HasSubstr("secret")));
  EXPECT_THAT(contents(), HasSubstr("training.dropout"));
  options_.folder = output_ / "none";
  options_.remove_config_values = {"paths.kex"};
  EXPECT_THROW(start(), Error);
}

TEST_F(TensorBoardLogTest, TheEndIsTold) {
  for (const LogEnd end : {LogEnd::finished, LogEnd::failed, LogEnd::interrupted}) {
    options_.folder = output_ / std::to_string(static_cast<int>(end));
    const auto log = start();
    log->evaluated(info(20, 0.5));
    log->ended(end);
    log->finish();
    const auto last =
        testing_logs::events_in(text_of(options_.folder / "events.out.tfevents.weft")).back();
    const Decoded value = last.message(5).message(1);
    EXPECT_EQ(value.one(1).bytes, "_hparams_/session_end_info");
    const Decoded info = Decoded(value.message(9).message(1).one(2).bytes).message(4);
    EXPECT_EQ(info.one(1).integer, end == LogEnd::finished ? 1U : 2U);
  }
}

TEST_F(TensorBoardLogTest, NumbersThatAreNoneStayThat) {
  TrainingInfo strange = info(1, std::numeric_limits<double>::quiet_NaN());
  strange.learn_rate = std::numeric_limits<double>::infinity();
  start()->evaluated(strange);
  auto found = scalars(events().back());
  EXPECT_TRUE(std::isnan(found.at("score")));
  EXPECT_EQ(found.at("optimizer/learn_rate"), std::numeric_limits<float>::infinity());
}

TEST_F(TensorBoardLogTest, AResumedRunGoesOnWithoutDoubleRows) {
  Node position;
  {
    const auto log = start();
    log->evaluated(info(0, 0.25));
    position = log->position();
    log->evaluated(info(20, 0.5));
    log->finish();
  }
  start(&position)->evaluated(info(20, 0.75));
  const auto all = events();
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[2].one(2).integer, 0U);
  EXPECT_EQ(all[3].one(2).integer, 20U);
  EXPECT_EQ(scalars(all[3]).at("score"), 0.75F);
}

// A torn record would hide all that follows it.
TEST_F(TensorBoardLogTest, AFileThatWasCutIsRefusedAndOneThatIsGoneBegunAnew) {
  const auto log = start();
  log->evaluated(info(0, 0.25));
  const Node position = log->position();
  const std::filesystem::path file = output_ / "tb/events.out.tfevents.weft";
  std::filesystem::resize_file(file, 100);
  EXPECT_THROW(start(&position), Error);
  EXPECT_EQ(std::filesystem::file_size(file), 100U);
  std::filesystem::remove(file);
  start(&position)->evaluated(info(20, 0.5));
  EXPECT_EQ(events().size(), 3U);
}

TEST_F(TensorBoardLogTest, AnotherRunsFileIsReplacedOnlyWhereThatWasAsked) {
  start()->evaluated(info(0, 0.25));
  EXPECT_THROW(start(), Error);
  LogSetup over = setup();
  over.may_replace = true;
  tensorboard_log(options_).start(over);
  EXPECT_EQ(events().size(), 2U);
}

TEST_F(TensorBoardLogTest, CustomStatsAreLoggedUnderTheirNames) {
  options_.log_custom_stats = {"^sec", "oss"};
  start()->evaluated(info(3, 0.5));
  const auto found = scalars(events().back());
  EXPECT_EQ(found.at("custom/seconds"), 1.0F);
  EXPECT_EQ(found.at("custom/losses/ner"), 3.5F);
  EXPECT_FALSE(found.contains("custom/words"));
  options_.folder = output_ / "bad";
  options_.log_custom_stats = {"("};
  EXPECT_THROW(start(), Error);
}

TEST(EventMessages, AHistogramHasThreeDoublesForEachBucket) {
  const std::vector<HistogramBucket> buckets = {{-1.0, 0.0, 3.0}, {0.0, 2.5, 4.0}};
  const Decoded value(histogram_value("weights/W", buckets).bytes());
  EXPECT_EQ(value.message(9).message(1).one(1).bytes, "histograms");
  const Decoded tensor = value.message(8);
  EXPECT_EQ(tensor.one(1).integer, 2U);
  const auto sizes = tensor.message(2).messages(2);
  ASSERT_EQ(sizes.size(), 2U);
  EXPECT_EQ(sizes[0].one(1).integer, 2U);
  EXPECT_EQ(sizes[1].one(1).integer, 3U);
  const std::string content = tensor.one(4).bytes;
  ASSERT_EQ(content.size(), 48U);
  EXPECT_EQ(std::bit_cast<double>(testing_logs::little_endian(content.substr(32, 8))), 2.5);
}

}  // namespace
}  // namespace weft
