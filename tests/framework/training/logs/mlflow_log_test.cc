#include "framework/training/logs/mlflow_log.h"

#include <limits>
#include <set>

#include <gmock/gmock.h>

#include "framework/training/logs/mlflow_store.h"
#include "registry/base/error.h"
#include "tests/framework/training/logs/log_fixture.h"

namespace weft {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;
namespace fs = std::filesystem;

class MlflowLogTest : public testing_logs::LogTest {
 protected:
  void SetUp() override {
    LogTest::SetUp();
    options_.folder = output_ / "mlruns";
    read_config(
        "[paths]\nkey = \"secret-1\"\n\n[training]\nL2 = 0.5\nnote = ${paths.key}\nnone = null\n"
        "use = true\nnames = [\"a\"]\n\n[training.optimizer]\n@optimizers = \"Adam.v1\"\n");
  }
  std::unique_ptr<LogSession> start(const Node* resumed = nullptr) {
    return mlflow_log(options_).start(setup(resumed));
  }
  fs::path run() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(options_.folder / "0")) {
      if (entry.is_directory()) found.push_back(entry.path());
    }
    EXPECT_EQ(found.size(), 1U);
    return found.front();
  }
  std::string metric(const std::string& name) const { return text_of(run() / "metrics" / name); }
  std::string param(const std::string& name) const { return text_of(run() / "params" / name); }
  std::set<std::string> metrics() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(run() / "metrics")) {
      names.insert(entry.path().filename().string());
    }
    return names;
  }

  MlflowOptions options_;
};

// spaCy's logger puts all points at step 0.
TEST_F(MlflowLogTest, HasAPointForEachEvaluationAtItsStep) {
  const auto log = start();
  log->evaluated(info(0, 0.25));
  log->evaluated(info(20, 0.5));
  EXPECT_THAT(metric("score"), MatchesRegex("[0-9]{13} 0.25 0\n[0-9]{13} 0.5 20\n"));
  EXPECT_THAT(metric("loss_ner"), MatchesRegex("[0-9]{13} 3.5 0\n[0-9]{13} 3.5 20\n"));
  EXPECT_EQ(metrics(),
            (std::set<std::string>{"score", "epoch", "words", "learn_rate", "words_per_second",
                                   "loss_ner", "ents_f", "ents_per_type.B_B.f", "speed"}));
  EXPECT_THAT(err_.str(), HasSubstr("'ents_per_type.B&B.f' as a name; it gets "
                                    "'ents_per_type.B_B.f'"));
}

TEST_F(MlflowLogTest, ParametersAreTheConfig) {
  start();
  for (const char* part : {"artifacts", "metrics", "params", "tags"}) {
    EXPECT_TRUE(fs::is_directory(run() / part)) << part;
  }
  EXPECT_EQ(param("training.L2"), "0.5");
  EXPECT_EQ(param("training.none"), "None");
  EXPECT_EQ(param("training.use"), "True");
  EXPECT_EQ(param("training.names"), "[\"a\"]");
  EXPECT_EQ(param("training.optimizer.optimizers"), "Adam.v1");
}

TEST_F(MlflowLogTest, RemovedSettingsReachNoFile) {
  options_.remove_config_values = {"paths.key"};
  start()->evaluated(info(0, 0.5));
  for (const auto& entry : fs::recursive_directory_iterator(output_)) {
    if (!entry.is_regular_file()) continue;
    EXPECT_THAT(text_of(entry.path()), Not(HasSubstr("secret"))) << entry.path();
    EXPECT_NE(entry.path().filename(), "training.note");
  }
}

TEST_F(MlflowLogTest, TheStoreSaysWhatTheRunIsAndHowItEnded) {
  options_.run_name = "first \"try\"";
  options_.tags.set("team", "us");
  const auto log = start();
  EXPECT_THAT(text_of(options_.folder / "0/meta.yaml"), HasSubstr("name: \"Default\""));
  EXPECT_THAT(text_of(run() / "meta.yaml"), HasSubstr("status: 1\n"));
  EXPECT_THAT(text_of(run() / "meta.yaml"), HasSubstr("end_time: null\n"));
  EXPECT_THAT(text_of(run() / "meta.yaml"), HasSubstr("run_name: \"first \\\"try\\\"\"\n"));
  EXPECT_EQ(text_of(run() / "tags/mlflow.runName"), "first \"try\"");
  EXPECT_EQ(text_of(run() / "tags/team"), "us");
  log->ended(LogEnd::interrupted);
  log->finish();
  EXPECT_THAT(text_of(run() / "meta.yaml"), HasSubstr("status: 5\n"));
  EXPECT_THAT(text_of(run() / "meta.yaml"), Not(HasSubstr("end_time: null")));
  EXPECT_THAT(err_.str(), HasSubstr("mlflow migrate-filestore --source "));
}

TEST_F(MlflowLogTest, NumbersThatAreNoneAreThoseOfPython) {
  TrainingInfo strange = info(1, std::numeric_limits<double>::quiet_NaN());
  strange.learn_rate = -std::numeric_limits<double>::infinity();
  start()->evaluated(strange);
  EXPECT_THAT(metric("score"), HasSubstr(" nan 1\n"));
  EXPECT_THAT(metric("learn_rate"), HasSubstr(" -inf 1\n"));
}

TEST_F(MlflowLogTest, AResumedRunIsTheSameRunWithoutDoublePoints) {
  Node position;
  {
    const auto log = start();
    log->evaluated(info(0, 0.25));
    position = log->position();
    TrainingInfo late = info(20, 0.5);
    late.other_scores.set("late", 1.0);
    log->evaluated(late);
    log->finish();
  }
  start(&position)->evaluated(info(20, 0.75));
  EXPECT_THAT(metric("score"), MatchesRegex("[0-9]{13} 0.25 0\n[0-9]{13} 0.75 20\n"));
  EXPECT_FALSE(metrics().contains("late"));
  EXPECT_THAT(text_of(run() / "meta.yaml"), HasSubstr("status: 1\n"));
}

TEST_F(MlflowLogTest, PositionsThatAreNoneAreRefused) {
  const auto log = start();
  log->evaluated(info(0, 0.25));
  const Node good = log->position();
  for (const auto& [key, value] :
       std::vector<std::pair<std::string, Node>>{{"run", "../../x"},
                                                 {"run", std::string(32, 'g')},
                                                 {"experiment", ".."},
                                                 {"experiment", ""},
                                                 {"metrics", 3}}) {
    Node bad = good;
    bad.as_object().set(key, value);
    EXPECT_THROW(start(&bad), Error) << key;
  }
  for (const char* file : {"../../victim", "", "..", "a/b", "score"}) {
    Node bad = good;
    bad.as_object().find("metrics")->as_object().find("epoch")->as_object().set("file", file);
    EXPECT_THROW(start(&bad), Error) << file;
  }
}

TEST_F(MlflowLogTest, ARunThatIsThereIsReplacedOnlyWhereThatWasAsked) {
  options_.run_id = std::string(32, 'a');
  start()->evaluated(info(0, 0.25));
  EXPECT_THROW(start(), Error);
  LogSetup over = setup();
  over.may_replace = true;
  mlflow_log(options_).start(over);
  EXPECT_EQ(metrics(), std::set<std::string>());
  EXPECT_EQ(param("training.L2"), "0.5");
}

TEST_F(MlflowLogTest, IdsThatAreNoneAreErrors) {
  options_.run_id = "short";
  EXPECT_THROW(start(), Error);
  options_ = {.folder = options_.folder, .experiment_id = "../x"};
  EXPECT_THROW(start(), Error);
}

// Of a hostile corpus with labels without number.
TEST_F(MlflowLogTest, MetricsHaveABound) {
  TrainingInfo many = info(0, 0.5);
  for (std::size_t i = 0; i < kMostMlflowMetrics; ++i) {
    many.other_scores.set("label" + std::to_string(i), 1.0);
  }
  start()->evaluated(many);
  EXPECT_EQ(metrics().size(), kMostMlflowMetrics);
  EXPECT_THAT(err_.str(), HasSubstr("2000 metrics at most"));
}

TEST(MlflowNamesTest, NamesAreThoseThatMlflowTakes) {
  EXPECT_EQ(mlflow_name("ents_per_type.GPE.f"), "ents_per_type.GPE.f");
  EXPECT_EQ(mlflow_name("Größe 2:a-b"), "Größe 2:a-b");
  EXPECT_EQ(mlflow_name("a/../b"), "a_.._b");
  EXPECT_EQ(mlflow_name(".."), "_.");
  EXPECT_EQ(mlflow_name("C++"), "C__");
  EXPECT_EQ(mlflow_name(""), "_");
  EXPECT_EQ(mlflow_name("a\n\xff"), "a_u_A__x_FF_");
  EXPECT_EQ(mlflow_name(std::string(300, 'a')).size(), 240U);
  EXPECT_LE(mlflow_name("x" + std::string(200, 'a') + "ääääääääääääääääääääääää").size(), 240U);
}

TEST(MlflowNamesTest, NamesThatWouldBeEqualGetNumbers) {
  MlflowNames names;
  EXPECT_EQ(names.of("B&B"), "B_B");
  EXPECT_EQ(names.of("B+B"), "B_B_2");
  EXPECT_EQ(names.of("B&B"), "B_B");
  EXPECT_EQ(names.changed(), "B&B");
}

}  // namespace
}  // namespace weft
