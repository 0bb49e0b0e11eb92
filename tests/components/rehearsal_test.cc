// Rehearsal: a component that equals its tutor is left as it is, one that has moved is drawn back;
// in a run old labels are kept, losses have names of their own, and the table tells of both
// pipelines that are saved.
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "components/weft.h"
#include "framework/io/atomic_file.h"
#include "framework/nn/parameter.h"
#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/shard_runner.h"
#include "framework/pipeline/worker_pool.h"
#include "framework/text/example.h"
#include "framework/training/train_pipeline.h"
#include "registry/value/json.h"
#include "tests/components/training_fixture.h"
#include "tests/folders.h"

namespace weft {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;
using testing_training::sentences;

// ---- the gradient of one batch, of saved pipelines with components of each kind

class RehearsalGradients : public ::testing::TestWithParam<const char*> {
 protected:
  RehearsalGradients() : nlp_(made()), tutor_(made()), runner_(*nlp_, pool_, {}) {
    for (const char* text : {"Ada went to the old town of Oslo.", "It rains.",
                             "They never saw what he had bought there, did they?"}) {
      Doc doc = nlp_->make_doc(text);
      examples_.emplace_back(doc, doc);
    }
    for (Example& example : examples_) batch_.push_back(&example);
  }
  // The records have what components learnt, and no table of strings.
  static std::shared_ptr<Language> made() {
    const fs::path folder = fs::path(source_path("tests/conformance/data")) / GetParam();
    static const Catalogue catalogue = [] {
      Catalogue all;
      add_builtin(all);
      return all;
    }();
    Problems problems;
    const Config config = load_pipeline_config(folder / "config.cfg", {}, catalogue, problems);
    auto nlp = build_pipeline(config, catalogue);
    for (const NamedComponent& named : nlp->pipeline()) {
      if (named.component->has_state()) named.component->from_disk(folder / named.name);
    }
    return nlp;
  }

  Losses rehearse(double weight = 1.0) {
    runner_.gradients().clear();
    return runner_.rehearse(batch_, *tutor_, weight, 0);
  }
  double sum_of_squares() {
    double sum = 0.0;
    for (const NamedParameter& named : runner_.parameters()) {
      const Tensor* gradient = runner_.gradients().find(*named.parameter);
      for (std::int64_t i = 0; gradient != nullptr && i < gradient->size(); ++i) {
        sum += std::pow(double{gradient->data<float>()[i]}, 2);
      }
    }
    return sum;
  }
  // A step of that length down the gradient.
  void step(float length) {
    const float rate = length / static_cast<float>(std::sqrt(sum_of_squares()));
    for (const NamedParameter& named : runner_.parameters()) {
      const Tensor* gradient = runner_.gradients().find(*named.parameter);
      float* value = named.parameter->value.data<float>();
      for (std::int64_t i = 0; gradient != nullptr && i < gradient->size(); ++i) {
        value[i] -= rate * gradient->data<float>()[i];
      }
      ++named.parameter->version;
    }
  }

  std::shared_ptr<Language> nlp_, tutor_;
  WorkerPool pool_{1};
  ShardRunner runner_;
  std::vector<Example> examples_;
  std::vector<Example*> batch_;
};

TEST_P(RehearsalGradients, EqualModelsHaveNoLossAndNoGradient) {
  const Losses losses = rehearse();
  EXPECT_FALSE(losses.empty());
  for (const auto& [name, loss] : losses) EXPECT_EQ(loss, 0.0) << name;
  EXPECT_EQ(sum_of_squares(), 0.0);
}

TEST_P(RehearsalGradients, AModelThatMovedIsDrawnBack) {
  int number = 0;
  for (const NamedParameter& named : runner_.parameters()) {
    float* value = named.parameter->value.data<float>();
    for (std::int64_t i = 0; i < named.parameter->value.size(); ++i) {
      value[i] += 0.02F * std::sin(static_cast<float>(++number));
    }
    ++named.parameter->version;
  }
  const Losses first = rehearse();
  for (const auto& [name, loss] : first) EXPECT_GT(loss, 0.0) << name;
  const double gradient = sum_of_squares();
  EXPECT_GT(gradient, 0.0);
  rehearse(0.5);
  EXPECT_NEAR(sum_of_squares() / gradient, 0.25, 1e-4);
  for (int i = 0; i < 20; ++i) {
    rehearse();
    step(0.01F);
  }
  double before = 0.0, after = 0.0;
  for (const auto& [name, loss] : rehearse()) after += loss;
  for (const auto& [name, loss] : first) before += loss;
  EXPECT_LT(after, before);
}

INSTANTIATE_TEST_SUITE_P(Kinds, RehearsalGradients,
                         ::testing::Values("spacy_ner_tiny", "components/tagger_v1/model",
                                           "components/morphologizer_chars/model",
                                           "components/senter_small/model",
                                           "components/parser_listener/model",
                                           "textcat/textcat_bow3/model",
                                           "textcat/textcat_multilabel_cnn/model"));

// ---- a run

class Rehearsals : public testing_training::TrainingFixture {
 protected:
  // A recognizer of people and places, and data in which only people are marked, under a new label.
  void SetUp() override {
    TrainingFixture::SetUp();
    train(ner({{"training.max_steps", 40}}), "base");
    write_file(folder_ / "old.conll", sentences(30, "person"));
    std::string text = sentences(30, "hero");
    for (std::size_t at; (at = text.find("B-place")) != std::string::npos;)
      text.replace(at, 7, "O");
    write_file(folder_ / "train.conll", text);
  }

  // Both components go on from the base; the lines are those of [training.rehearsal], if any.
  Config more(const std::string& rehearsal, const Overrides& overrides = {}) const {
    const std::string source = "source = \"" + path("base/model-last") + "\"\n";
    std::string sections = "\n[corpora.old]\n@readers = \"weft.ConllCorpus.v1\"\npath = \"" +
                           path("old.conll") + "\"\n";
    if (!rehearsal.empty()) {
      sections += "\n[training.rehearsal]\ncorpus = \"corpora.old\"\n" + rehearsal;
    }
    return config(R"(["tok2vec", "ner"])",
                  "\n[components.tok2vec]\n" + source + "\n[components.ner]\n" + source, overrides,
                  sections);
  }
  double f_of_places(const std::string& output) const {
    const Node log = *parse_json(last_line(read_file(folder_ / output / "log.jsonl")));
    const Node* types = log.as_object().find("scores")->as_object().find("ents_per_type");
    return types->as_object().find("place")->as_object().find("f")->as_float();
  }
  static std::string last_line(const std::string& text) {
    return text.substr(text.rfind('\n', text.size() - 2) + 1);
  }
};

TEST_F(Rehearsals, OldLabelsAreKeptAndTheirLossHasAName) {
  const Overrides steps = {{"training.max_steps", 30}};
  train(more("", steps), "without");
  const TrainedPipeline with = train(more("every = 1\n", steps), "with");
  EXPECT_LT(f_of_places("without"), 0.5);
  EXPECT_GT(f_of_places("with"), 0.95);
  EXPECT_THAT(out_.str(), HasSubstr("LOSS REHEA..."));
  EXPECT_THAT(read_file(folder_ / "with/log.jsonl"), HasSubstr("\"rehearsal_ner\""));
  EXPECT_EQ(with.lost_too_much, "");
}

TEST_F(Rehearsals, ItIsDueEverySoManySteps) {
  const Overrides overrides = {{"training.eval_frequency", 1}, {"training.max_steps", 5}};
  train(more("every = 3\n", overrides), "out");
  const std::string log = read_file(folder_ / "out/log.jsonl");
  std::vector<bool> due;
  for (std::size_t at = 0; at < log.size(); at = log.find('\n', at) + 1) {
    const std::string line = log.substr(at, log.find('\n', at) - at);
    due.push_back(line.find("\"rehearsal_ner\"") != std::string::npos);
  }
  EXPECT_EQ(due, (std::vector<bool>{true, false, false, true, false, false}));
}

// Both pipelines that a run leaves are held to max_drop: the best may be from before it forgot.
TEST_F(Rehearsals, TheTableAndTheLimitTellOfTheBestAndOfTheLastPipeline) {
  const Overrides overrides = {{"training.max_steps", 30}, {"training.eval_frequency", 100}};
  const TrainedPipeline trained = train(more("weight = 0.0\nmax_drop = 60.0\n", overrides), "out");
  EXPECT_THAT(out_.str(), HasSubstr("OLD LABEL                         F BEFORE      BEST    CHANGE"
                                    "      LAST    CHANGE\n"));
  // After the first step nothing is lost yet; the last one was not evaluated.
  EXPECT_THAT(trained.lost_too_much, Not(HasSubstr("model-best")));
  EXPECT_THAT(trained.lost_too_much, HasSubstr("ents_per_type: place lost 100.00 in model-last"));
  EXPECT_THAT(out_.str(), HasSubstr("ents_per_type: place                100.00    100.00     +0.00"
                                    "      0.00   -100.00\n"));
}

TEST_F(Rehearsals, WithoutAnOutputTheLastStepIsScoredAsWell) {
  const Overrides overrides = {{"training.max_steps", 30}, {"training.eval_frequency", 100}};
  const TrainedPipeline trained = train(more("weight = 0.0\nmax_drop = 60.0\n", overrides));
  EXPECT_THAT(trained.lost_too_much, HasSubstr("place lost 100.00 in model-last"));
}

TEST_F(Rehearsals, ALimitThatNoScoreCanCheckIsToldAndEndsNothing) {
  train(ner({{"training.max_steps", 5}, {"components.ner.scorer", Node()}}), "base");
  const Overrides overrides = {{"training.max_steps", 2}};
  const std::string note = "max_drop: no score of this pipeline has an F for each old label";
  const TrainedPipeline trained = train(more("max_drop = 5.0\n", overrides), "out");
  EXPECT_THAT(err_.str(), HasSubstr("warning: [training.rehearsal] " + note));
  EXPECT_EQ(trained.lost_too_much, "");
  train(more("every = 1\n", overrides), "without");
  EXPECT_THAT(err_.str(), Not(HasSubstr(note)));
}

TEST_F(Rehearsals, WithoutASourceThereIsNothingToRehearse) {
  Overrides overrides;
  overrides.emplace_back("training.rehearsal", *parse_json(R"({"corpus": "corpora.train"})"));
  try {
    train(ner(overrides), "out");
    FAIL() << "it works";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::config);
    EXPECT_THAT(error.what(), HasSubstr("no component with a `source` can rehearse"));
  }
}

}  // namespace
}  // namespace weft
