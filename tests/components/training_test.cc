// The promises of [training], [initialize] and [nlp]: callbacks, frozen, annotating and sourced
// components, limits of a run, averages, weights of scores.
#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/io/atomic_file.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/prediction_groups.h"
#include "framework/pipeline/worker_pool.h"
#include "framework/training/train_pipeline.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"
#include "registry/value/json.h"
#include "tests/components/training_fixture.h"

namespace weft {
namespace {

namespace fs = std::filesystem;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using testing_training::kNer;
using testing_training::sentences;

// ---- functions of this test: callbacks and components that record what happens to them

std::vector<std::string>& events() {
  static std::vector<std::string> events;
  return events;
}

struct RecordSettings {
  std::string name;
};
template <class V>
void fields(V& v, RecordSettings& c) {
  v.required("name", c.name, "what to write down");
}
Callback record(const RecordSettings& c) {
  return {[name = c.name](CallbackCall& call) {
    std::string event = name;
    if (call.step >= 0) event += " " + std::to_string(call.step);
    events().push_back(event + " " + std::to_string(call.nlp.pipeline().size()));
  }};
}
const Registration recorder{"test.record.v1", record, "writes down that it was called"};

// Saves another pipeline in the place of the trained one.
Callback save_blank() {
  return {[](CallbackCall& call) { call.save_instead = blank("de"); }};
}
const Registration blank_saver{"test.save_blank.v1", save_blank, "saves an empty pipeline"};

class Marker final : public Component {
 public:
  void initialize(InitContext&) override {}
  void predict(Context&, std::span<Doc* const> docs, Slots&) const override {
    for (Doc* doc : docs) doc->set_cat("MARKED", 1.0);
  }
};
ComponentPtr marker() {
  return std::make_shared<Marker>();
}
const Registration marker_factory{"test.marker", marker, "marks documents"};

// Writes down in training how many documents it sees that are marked.
class Watcher final : public Component {
 public:
  void initialize(InitContext&) override {}
  void predict(Context&, std::span<Doc* const>, Slots&) const override {}
  void end_batch(Batch& batch) override {
    std::size_t marked = 0;
    for (const Example* example : batch.examples) marked += example->predicted().cats().size();
    events().push_back(marked == 0                       ? "none marked"
                       : marked == batch.examples.size() ? "all marked"
                                                         : "some marked");
  }
};
ComponentPtr watcher() {
  return std::make_shared<Watcher>();
}
const Registration watcher_factory{"test.watcher", watcher, "looks at documents"};

class Training : public testing_training::TrainingFixture {
 protected:
  void SetUp() override {
    events().clear();
    TrainingFixture::SetUp();
  }

  static std::vector<std::int64_t> steps_of(const TrainingState& state) {
    std::vector<std::int64_t> steps;
    for (const auto& [score, step] : state.results) steps.push_back(step);
    return steps;
  }

  static std::int64_t updates() {
    return std::count_if(events().begin(), events().end(),
                         [](const std::string& event) { return event.starts_with("update "); });
  }
  static Overrides counting(Overrides overrides) {
    overrides.emplace_back("training.before_update",
                           *parse_json(R"({"@callbacks": "test.record.v1", "name": "update"})"));
    return overrides;
  }
};

// ---- limits

TEST_F(Training, MaxStepsIsTheNumberOfTheLastStep) {
  const TrainedPipeline trained = train(ner(counting({})));
  EXPECT_THAT(steps_of(trained.state), ElementsAre(0, 2, 4));
  EXPECT_EQ(updates(), 5);
}

TEST_F(Training, MaxEpochsEndsAfterSoManyPasses) {
  // 30 examples in batches of 10: three updates for each pass.
  train(ner(counting({{"training.max_epochs", 2}, {"training.max_steps", 0}})), "out");
  EXPECT_EQ(updates(), 6);
  EXPECT_TRUE(fs::exists(folder_ / "out/model-last/meta.json"));
}

TEST_F(Training, AStreamedCorpusGoesOnUntilMaxSteps) {
  const TrainedPipeline trained =
      train(ner(counting({{"training.max_epochs", -1}, {"training.max_steps", 7}})));
  EXPECT_EQ(updates(), 8);
  EXPECT_EQ(trained.state.epoch, 2);
}

TEST_F(Training, PatienceCountsFromTheEarliestBestScore) {
  const TrainedPipeline trained = train(ner(counting({{"training.patience", 3},
                                                      {"training.max_steps", 0},
                                                      {"training.eval_frequency", 1},
                                                      {"training.optimizer.learn_rate", 0.0}})));
  EXPECT_THAT(steps_of(trained.state), ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(updates(), 4);
}

TEST_F(Training, AnEvalFrequencyBeyondTheEndStillEvaluatesTheFirstStep) {
  const TrainedPipeline trained = train(ner({{"training.eval_frequency", 100}}), "out");
  EXPECT_THAT(steps_of(trained.state), ElementsAre(0));
  EXPECT_TRUE(fs::exists(folder_ / "out/model-best"));
  EXPECT_NE(read_file(folder_ / "out/model-best/ner/model"),
            read_file(folder_ / "out/model-last/ner/model"));
}

// ---- scores

TEST_F(Training, ANullWeightLeavesAScoreOutOfTableAndSum) {
  const TrainedPipeline trained = train(ner({{"training.score_weights.ents_f", Node()},
                                             {"training.score_weights.ents_p", 0.0},
                                             {"training.score_weights.ents_r", 1.0},
                                             {"training.max_steps", 2}}),
                                        "out");
  EXPECT_THAT(out_.str(), Not(HasSubstr("ENTS_F")));
  EXPECT_THAT(out_.str(), HasSubstr("ENTS_R"));
  WorkerPool pool(1);
  std::vector<Example> dev;
  for (int i = 0; i < 6; ++i) {
    dev.push_back(Example::from_tags(
        Doc::from_words(trained.nlp->vocab(), {"Ada", "went", "to", "Oslo", "."}),
        {"U-person", "O", "O", "U-place", "O"}));
  }
  const Scores scores = load(folder_ / "out/model-last")->evaluate(dev, pool);
  EXPECT_EQ(scores.find("ents_r")->as_float(), trained.state.results.back().first);
  EXPECT_GT(trained.state.results.back().first, 0.0);
  EXPECT_NE(scores.find("ents_r")->as_float(), scores.find("ents_p")->as_float());
}

TEST_F(Training, AWeightForAScoreThatNobodyGivesIsWarnedOfOnceInItsLine) {
  const Config weighted = config(R"(["tok2vec", "ner"])", kNer, {},
                                 "\n[training.score_weights]\nents_ff = 0.4\nspeed = 0.0\n");
  train(weighted);
  const Origin& place = weighted.find("training.score_weights.ents_ff")->key_origin;
  ASSERT_GT(place.line, 1);
  const std::string told = err_.str();
  const std::string warning = "warning: " + path("test.cfg") + ":" + std::to_string(place.line) +
                              ":1  [training.score_weights] ents_ff: no component gave this score";
  EXPECT_THAT(told, HasSubstr(warning));
  EXPECT_THAT(told, HasSubstr("did you mean ents_f"));
  EXPECT_EQ(told.find("ents_ff"), told.rfind("ents_ff")) << told;
  EXPECT_THAT(told, Not(HasSubstr("speed")));
}

TEST_F(Training, LabelsThatTheTrainingDataLacksAreTold) {
  write_file(folder_ / "dev.conll", sentences(6, "zebra"));
  train(ner());
  EXPECT_THAT(
      err_.str(),
      HasSubstr("warning: the training data has no 'zebra', which [corpora.dev] has 6 times"));
  write_file(folder_ / "dev.conll", sentences(6, "person"));
  train(ner());
  EXPECT_EQ(err_.str(), "");
}

// ---- averages

TEST_F(Training, WithAveragesTheyAreSavedAndTheParametersGoOn) {
  const auto differ = [&](bool use_averages, const std::string& output) {
    const TrainedPipeline trained =
        train(ner({{"training.optimizer.use_averages", use_averages}}), output);
    trained.nlp->to_disk(folder_ / "memory");
    return read_file(folder_ / "memory/ner/model") !=
           read_file(folder_ / output / "model-last/ner/model");
  };
  EXPECT_FALSE(differ(false, "plain"));
  EXPECT_TRUE(differ(true, "averaged"));
}

// ---- components

TEST_F(Training, FrozenAndSourcedComponentsComeWithTheirWeightsAndKeepThem) {
  train(ner(), "first");
  const std::string source = "source = \"" + path("first/model-last") + "\"\n";
  const std::string both =
      "\n[components.tok2vec]\n" + source + "\n[components.ner]\n" + source + "\n";
  const auto model = [&](const char* output, const char* component) {
    return read_file(folder_ / output / "model-last" / component / "model");
  };
  const Config frozen =
      config(R"(["tok2vec", "ner"])", both, {{"training.frozen_components", List{"tok2vec"}}});
  train(frozen, "second");
  EXPECT_EQ(model("second", "tok2vec"), model("first", "tok2vec"));
  EXPECT_NE(model("second", "ner"), model("first", "ner"));
  EXPECT_THAT(out_.str(), Not(HasSubstr("LOSS TOK2VEC")));

  train(config(R"(["tok2vec", "ner"])", both), "third");
  EXPECT_NE(model("third", "tok2vec"), model("first", "tok2vec"));
}

TEST_F(Training, ASourcedComponentMayHaveAnotherName) {
  train(ner({{"training.max_steps", 30}}), "first");
  const std::string source = "source = \"" + path("first/model-last") + "\"\n";
  const auto nlp =
      build_pipeline(config(R"(["tok2vec", "names"])", "\n[components.tok2vec]\n" + source +
                                                           "\n[components.names]\n" + source +
                                                           "component = \"ner\"\n"),
                     catalogue());
  EXPECT_EQ(nlp->find("names")->labels(), (std::vector<std::string>{"person", "place"}));
  EXPECT_EQ((*nlp)("Ada went to Oslo.").ents().size(),
            (*load(folder_ / "first/model-last"))("Ada went to Oslo.").ents().size());
}

TEST_F(Training, ASourceWithoutThatComponentIsNamed) {
  train(ner(), "first");
  try {
    build_pipeline(config(R"(["tagger"])",
                          "\n[components.tagger]\nsource = \"" + path("first/model-last") + "\"\n"),
                   catalogue());
    FAIL() << "it works";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::config);
    EXPECT_THAT(error.what(), HasSubstr("has no component 'tagger'"));
  }
}

TEST_F(Training, LaterComponentsSeeWhatAnnotatingOnesPredict) {
  const std::string extra =
      "\n[components.marker]\nfactory = \"test.marker\"\n\n[components.watcher]\nfactory = "
      "\"test.watcher\"\n";
  const std::string names = R"(["tok2vec", "ner", "marker", "watcher"])";
  train(config(names, kNer + extra));
  EXPECT_THAT(events(), Each("none marked"));
  events().clear();
  train(config(names, kNer + extra, {{"training.annotating_components", List{"marker"}}}));
  EXPECT_THAT(events(), Each("all marked"));
  EXPECT_EQ(events().size(), 5u);
  events().clear();
  // A frozen component annotates too.
  train(config(names, kNer + extra,
               {{"training.annotating_components", List{"marker"}},
                {"training.frozen_components", List{"marker"}}}));
  EXPECT_THAT(events(), Each("all marked"));
}

// Predictions are for others to see: they take neither the dropout nor the backward pass from the
// vectors that listeners train.
TEST_F(Training, AnnotatingNetworksAreTrainedAsOthers) {
  const Overrides some_steps = {{"training.max_steps", 4}, {"training.eval_frequency", 4}};
  train(ner(some_steps), "plain");
  for (const List& annotating : {List{"tok2vec"}, List{"tok2vec", "ner"}, List{"ner"}}) {
    Overrides overrides = some_steps;
    overrides.emplace_back("training.annotating_components", annotating);
    train(ner(overrides), "annotated");
    for (const char* model : {"model-last/tok2vec/model", "model-last/ner/model"}) {
      EXPECT_EQ(read_file(folder_ / "annotated" / model), read_file(folder_ / "plain" / model))
          << model;
    }
    fs::remove_all(folder_ / "annotated");
  }
}

TEST_F(Training, NamesThatThePipelineLacksAreRefused) {
  for (const char* key : {"training.frozen_components", "training.annotating_components"}) {
    try {
      train(ner({{key, List{"nre"}}}), "out");
      FAIL() << key;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::config);
      EXPECT_THAT(error.what(), HasSubstr("'nre'"));
    }
    EXPECT_FALSE(fs::exists(folder_ / "out"));
  }
}

// ---- callbacks

TEST_F(Training, CallbacksAreCalledAtTheirPlaces) {
  Overrides overrides = {{"training.max_steps", 2}};
  for (const char* key :
       {"nlp.before_creation", "nlp.after_creation", "nlp.after_pipeline_creation",
        "initialize.before_init", "initialize.after_init", "training.before_update",
        "training.before_to_disk"}) {
    const std::string name = std::string(key).substr(std::string(key).find('.') + 1);
    overrides.emplace_back(
        key, *parse_json(R"({"@callbacks": "test.record.v1", "name": ")" + name + "\"}"));
  }
  train(ner(overrides), "out");
  const std::vector<std::string> all = events();
  ASSERT_GE(all.size(), 10u);
  EXPECT_THAT(
      std::vector<std::string>(all.begin(), all.begin() + 7),
      ElementsAre("before_creation 0", "after_creation 0", "after_pipeline_creation 2",
                  "before_init 2", "after_init 2", "before_update 0 2", "before_to_disk 2"));
  EXPECT_EQ(std::count(all.begin(), all.end(), "before_update 2 2"), 1);
  EXPECT_EQ(all.back(), "before_to_disk 2");
}

TEST_F(Training, BeforeToDiskMaySaveAnotherPipeline) {
  train(ner({{"training.before_to_disk", *parse_json(R"({"@callbacks": "test.save_blank.v1"})")}}),
        "out");
  EXPECT_EQ(load(folder_ / "out/model-last")->lang(), "de");
  EXPECT_TRUE(load(folder_ / "out/model-best")->pipeline().empty());
}

// A signal is asked for between steps and, so that a long evaluation does not hold it up, between
// the documents of an evaluation, of which nothing is kept then.
TEST_F(Training, InterruptedAtAnyQuestionItGoesOnToTheSame) {
  const TrainedPipeline whole = train(ner(), "whole");
  int in_evaluation = 0;
  bool interrupted = true;
  for (int at = 1; interrupted; at += 5) {
    int asked = 0;
    TrainOptions options;
    options.output = folder_ / "part";
    options.interrupted = [&] { return ++asked >= at; };
    fs::remove_all(options.output);
    const TrainingState stopped = train_pipeline(ner(), catalogue(), options, out_, err_).state;
    interrupted = asked >= at;
    in_evaluation += stopped.step == 1 && stopped.results.empty() ? 1 : 0;
    options.interrupted = {};
    options.resume_from = options.output / "checkpoint";
    const TrainingState rest = train_pipeline(ner(), catalogue(), options, out_, err_).state;
    ASSERT_EQ(rest.results, whole.state.results) << "interrupted at question " << at;
    for (const char* file : {"model-last/ner/model", "model-best/tok2vec/model"}) {
      ASSERT_EQ(read_file(options.output / file), read_file(folder_ / "whole" / file)) << at;
    }
  }
  EXPECT_GE(in_evaluation, 1);
}

// Between evaluations it would be added to what steps need.
TEST_F(Training, AnEvaluationGivesTheMemoryOfItsPredictionsBack) {
  release_prediction_memory();
  const TrainedPipeline trained = train(ner());
  ASSERT_FALSE(trained.state.results.empty());
  EXPECT_EQ(release_prediction_memory(), 0U);
  (*trained.nlp)("Anna went home .");
  EXPECT_GT(release_prediction_memory(), 0U);
  EXPECT_EQ(release_prediction_memory(), 0U);
}

}  // namespace
}  // namespace weft
