#include "framework/training/logs/wandb_log.h"

#include <limits>
#include <map>

#include <gmock/gmock.h>

#include "registry/base/error.h"
#include "tests/framework/training/logs/decoded.h"
#include "tests/framework/training/logs/log_fixture.h"

namespace weft {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;
using testing_logs::Decoded;
namespace fs = std::filesystem;

// Fields of a record.
constexpr int kHistory = 2, kSummary = 3, kRun = 17, kExit = 18, kHeader = 21;

class WandbLogTest : public testing_logs::LogTest {
 protected:
  void SetUp() override {
    LogTest::SetUp();
    options_ = {.folder = output_ / "wandb", .project = "names"};
    read_config("[paths]\nkey = \"secret-1\"\n\n[training]\nL2 = 0.5\nnote = ${paths.key}\n");
  }
  std::unique_ptr<LogSession> start(const Node* resumed = nullptr) {
    return wandb_log(options_).start(setup(resumed));
  }
  std::vector<fs::path> runs() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(options_.folder)) found.push_back(entry.path());
    return found;
  }
  fs::path file() const {
    EXPECT_EQ(runs().size(), 1U);
    const std::string name = runs().front().filename().string();
    return runs().front() / ("run-" + name.substr(name.rfind('-') + 1) + ".wandb");
  }
  std::vector<Decoded> records() const { return testing_logs::wandb_records_in(text_of(file())); }

  static std::map<std::string, std::string> items(const Decoded& row) {
    std::map<std::string, std::string> found;
    for (const Decoded& item : row.messages(1)) {
      std::string name;
      for (const auto& part : item.all(2)) name += (name.empty() ? "" : "|") + part.bytes;
      found[name] = item.one(16).bytes;
    }
    return found;
  }

  WandbOptions options_;
};

TEST_F(WandbLogTest, BeginsWithHeaderAndRun) {
  options_.entity = "us";
  options_.run_name = "first";
  start();
  EXPECT_THAT(runs().front().filename().string(),
              MatchesRegex("offline-run-[0-9]{8}_[0-9]{6}-[a-z0-9]{8}"));
  const auto all = records();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].one(1).integer, 1U);
  EXPECT_EQ(all[0].message(kHeader).message(1).one(2).bytes, "0.70.0");
  const Decoded run = all[1].message(kRun);
  EXPECT_EQ("run-" + run.one(1).bytes + ".wandb", file().filename().string());
  EXPECT_EQ(run.one(2).bytes, "us");
  EXPECT_EQ(run.one(3).bytes, "names");
  EXPECT_EQ(run.one(8).bytes, "first");
  EXPECT_GT(run.message(17).one(1).integer, 1'700'000'000U);
  const auto config = run.message(4).messages(1);
  ASSERT_EQ(config.size(), 2U);
  EXPECT_EQ(config[1].one(1).bytes, "training");
  EXPECT_EQ(config[1].one(16).bytes, R"({"L2": 0.5, "note": "secret-1"})");
}

// spaCy logs three rows for each evaluation, whose numbers are not those of the steps.
TEST_F(WandbLogTest, HasOneRowForEachEvaluationAtItsStep) {
  const auto log = start();
  log->evaluated(info(0, 0.25));
  log->evaluated(info(20, 0.5));
  log->ended(LogEnd::finished);
  log->finish();
  const auto all = records();
  ASSERT_EQ(all.size(), 7U);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i].one(1).integer, i + 1);
  const Decoded row = all[4].message(kHistory);
  EXPECT_EQ(row.message(2).one(1).integer, 20U);
  auto values = items(row);
  EXPECT_EQ(values.at("_step"), "20");
  EXPECT_EQ(values.at("score"), "0.5");
  EXPECT_EQ(values.at("epoch"), "1");
  EXPECT_EQ(values.at("words"), "700");
  EXPECT_EQ(values.at("loss_ner"), "3.5");
  EXPECT_EQ(values.at("ents_f"), "0.5");
  EXPECT_EQ(values.at("ents_per_type|B&B|f"), "0.25");
  EXPECT_TRUE(values.contains("_timestamp"));
  EXPECT_TRUE(values.contains("_runtime"));
  EXPECT_FALSE(values.contains("ents_p")) << "it could not be computed";
  EXPECT_EQ(items(all[5].message(kSummary)), values);
  EXPECT_EQ(all[6].message(kExit).one(1).integer, 0U);
}

TEST_F(WandbLogTest, ARunThatFailsSaysSo) {
  const auto log = start();
  log->ended(LogEnd::failed);
  log->finish();
  EXPECT_EQ(records().back().message(kExit).one(1).integer, 1U);
  EXPECT_THAT(err_.str(), HasSubstr("wandb sync " + options_.folder.string() + "/offline-run-"));
}

TEST_F(WandbLogTest, NumbersThatAreNoneAreTheBareWords) {
  TrainingInfo strange = info(1, std::numeric_limits<double>::quiet_NaN());
  strange.learn_rate = -std::numeric_limits<double>::infinity();
  strange.losses["ner"] = std::numeric_limits<double>::infinity();
  start()->evaluated(strange);
  const auto values = items(records()[2].message(kHistory));
  EXPECT_EQ(values.at("score"), "NaN");
  EXPECT_EQ(values.at("learn_rate"), "-Infinity");
  EXPECT_EQ(values.at("loss_ner"), "Infinity");
}

TEST_F(WandbLogTest, RemovedSettingsReachNoFile) {
  options_.remove_config_values = {"paths"};
  start()->evaluated(info(0, 0.5));
  EXPECT_THAT(text_of(file()), Not(HasSubstr("secret")));
  EXPECT_THAT(text_of(file()), HasSubstr("L2"));
}

TEST_F(WandbLogTest, CustomStatsAreAdded) {
  options_.log_custom_stats = {"checkpoints|output_path"};
  start()->evaluated(info(4, 0.5));
  const auto values = items(records()[2].message(kHistory));
  EXPECT_EQ(values.at("checkpoints"), "[[0.5, 4]]");
  EXPECT_THAT(values.at("output_path"), HasSubstr("model-last"));
  EXPECT_FALSE(values.contains("seconds"));
}

TEST_F(WandbLogTest, AResumedRunIsTheSameRunWithoutDoubleRows) {
  Node position;
  {
    const auto log = start();
    log->evaluated(info(0, 0.25));
    position = log->position();
    log->evaluated(info(20, 0.5));
    log->finish();
  }
  const auto log = start(&position);
  log->evaluated(info(20, 0.75));
  log->finish();
  const auto all = records();
  ASSERT_EQ(all.size(), 7U);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i].one(1).integer, i + 1);
  EXPECT_EQ(items(all[4].message(kHistory)).at("score"), "0.75");
}

TEST_F(WandbLogTest, AFileThatIsGoneIsBegunAnewForTheSameRun) {
  const auto log = start();
  const Node position = log->position();
  const fs::path gone = file();
  fs::remove(gone);
  start(&position);
  EXPECT_EQ(file(), gone);
  EXPECT_EQ(records().size(), 2U);
}

// A checkpoint of strangers must not lead to other files.
TEST_F(WandbLogTest, PositionsThatAreNoneAreRefused) {
  const Node good = start()->position();
  for (const auto& [key, value] : std::vector<std::pair<std::string, Node>>{
           {"folder", "../offline-run-20260101_000000-abcdefgh"},
           {"folder", "offline-run-20260101_000000-abc/../x"},
           {"id", "abcdefgh"},
           {"id", 3},
           {"records", -1},
           {"started", "now"},
           {"log", nullptr}}) {
    Node bad = good;
    bad.as_object().set(key, value);
    if (key == "log") bad.as_object().erase("log");
    EXPECT_THROW(start(&bad), Error) << key;
  }
  const Node list(List{});
  EXPECT_THROW(start(&list), Error);
}

TEST_F(WandbLogTest, ProjectsThatWandbWouldRefuseAreToldOfAtOnce) {
  for (const std::string& name : {std::string(), std::string("a/b"), std::string("50%"),
                                  std::string("a\x1b"), std::string(129, 'a')}) {
    options_.project = name;
    EXPECT_THROW(start(), Error) << name;
  }
}

}  // namespace
}  // namespace weft
