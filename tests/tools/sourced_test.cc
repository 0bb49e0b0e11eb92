// A component that comes from a saved pipeline: its scores count, and it learns new labels.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/value/json.h"
#include "tests/folders.h"
#include "tests/tools/component_runs.h"
#include "tests/tools/program.h"
#include "tests/tools/training_folder.h"

namespace weft::testing_tools {
namespace {

using testing::HasSubstr;
using testing::Not;
using Words = std::vector<std::string>;

class SourcedTest : public TrainingFolder {
 protected:
  // A base whose training data has places alone, and a config that takes its recognizer over.
  void SetUp() override {
    TrainingFolder::SetUp();
    all_ = read_text(folder_ / "train.conll");
    write_text(folder_ / "train.conll", without(all_, "person"));
    write_text(folder_ / "dev.conll", without(read_text(folder_ / "dev.conll"), "person"));
    ASSERT_EQ(train("base").code, 0);
    write_text(folder_ / "train.conll", all_);
    write_text(folder_ / "dev.conll", small_corpus(11));
    std::string text = read_text(folder_ / "ner.cfg");
    const std::size_t begin = text.find("[components.ner]"), end = text.find("[corpora]");
    text.replace(begin, end - begin,
                 "[components.ner]\nsource = ${paths.base}\ncomponent = \"ner\"\n\n");
    text.replace(text.find("[paths]\n"), 8,
                 "[paths]\nbase = \"" + path("base/model-best") + "\"\n");
    write_text(folder_ / "ner.cfg", text);
  }

  static std::string without(std::string text, const std::string& label) {
    for (const char* tag : {"B-", "I-"}) {
      for (std::size_t at; (at = text.find(tag + label)) != std::string::npos;) {
        text.replace(at, label.size() + 2, "O");
      }
    }
    return text;
  }

  std::string all_;
};

TEST_F(SourcedTest, OneOfAnotherLanguageIsNoDefault) {
  std::string text = read_text(folder_ / "ner.cfg");
  text.replace(text.find("lang = \"en\""), 11, "lang = \"de\"");
  write_text(folder_ / "de.cfg", text);
  const Outcome filled = run_weft({"init", "fill-config", path("de.cfg"), path("filled.cfg")});
  EXPECT_EQ(filled.code, 2);
  EXPECT_THAT(filled.err, HasSubstr("E150"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "filled.cfg"));
}

TEST_F(SourcedTest, ItBringsTheWeightsOfItsScores) {
  const Outcome filled = run_weft({"init", "fill-config", path("ner.cfg")});
  ASSERT_EQ(filled.code, 0) << filled.err;
  EXPECT_THAT(filled.out, HasSubstr("[training.score_weights]\nents_f = 1.0\nents_p = 0.0\n"
                                    "ents_r = 0.0\nents_per_type = null\n"));
  EXPECT_THAT(filled.out, HasSubstr("source = ${paths.base}"));
  const Outcome trained = train("out");
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_THAT(trained.out, HasSubstr("ENTS_F"));
  const std::string log = read_text(folder_ / "out/log.jsonl");
  const Node last = *parse_json(log.substr(log.rfind("{\"epoch\"")));
  EXPECT_GT(last.as_object().find("score")->as_float(), 0.0);
}

TEST_F(SourcedTest, OwnWeightsWinAndASourceThatIsNotThereIsToldByTheBuild) {
  const Outcome own = run_weft({"init", "fill-config", path("ner.cfg")},
                               {"WEFT_CONFIG_OVERRIDES=--training.score_weights.ents_p 1.0"});
  EXPECT_THAT(own.out, HasSubstr("ents_f = 0.5\nents_p = 0.5"));
  const Outcome absent = train("out", {"--paths.base", path("nowhere")});
  EXPECT_EQ(absent.code, 2);
  EXPECT_THAT(absent.err, HasSubstr("nowhere"));
}

TEST_F(SourcedTest, LabelsThatItWillLearnAreNotMissed) {
  const Outcome tuned = train("out");
  ASSERT_EQ(tuned.code, 0) << tuned.err;
  EXPECT_THAT(tuned.err, Not(HasSubstr("will not be found")));
  EXPECT_THAT(read_text(folder_ / "out/model-last/meta.json"), HasSubstr("person"));
  const Outcome streamed = train("streamed", {"--training.max_epochs", "-1"});
  ASSERT_EQ(streamed.code, 0) << streamed.err;
  EXPECT_THAT(streamed.err, Not(HasSubstr("will not be found")));
}

TEST_F(SourcedTest, LabelsThatNobodyLearnsAreStillMissed) {
  write_text(folder_ / "train.conll", without(all_, "person"));
  for (const char* epochs : {"0", "-1"}) {
    const Outcome lacking = train(std::string("out") + epochs, {"--training.max_epochs", epochs});
    ASSERT_EQ(lacking.code, 0) << lacking.err;
    EXPECT_THAT(lacking.err, HasSubstr("the training data has no 'person', which [corpora.dev]"));
  }
}

// Their networks hold the listener, and references to it, at different depths.
TEST_F(SourcedTest, ListenersOfEveryKindGetANetworkThatLearns) {
  const std::string data = source_path("configs/data/ud-en-ewt/phrases_");
  const auto corpus = [&data](const std::string& part) {
    return "[corpora." + part + "]\n@readers = \"spacy.Corpus.v1\"\nlimit = 20\npath = \"" + data +
           part + ".spacy\"\n";
  };
  for (const SmallRun& run : write_component_runs(folder_, {"--training.max_steps", "2"})) {
    if (run.name != "spancat" && run.name != "span_finder" && run.name != "parser") continue;
    const Outcome base = run_weft({"train", run.config.string(), "--output", path(run.name)});
    ASSERT_EQ(base.code, 0) << base.err;
    const std::string config = run.name + "_alone.cfg";
    write_text(folder_ / config, "[nlp]\nlang = \"en\"\npipeline = [\"" + run.name +
                                     "\"]\n[components]\n[components." + run.name +
                                     "]\nsource = \"" + path(run.name + "/model-last") +
                                     "\"\nreplace_listeners = [\"model.tok2vec\"]\n" +
                                     "[corpora]\n" + corpus("train") + corpus("dev") +
                                     "[training]\nmax_steps = 2\neval_frequency = 1\n");
    const Outcome alone = run_weft({"train", path(config), "--output", path(run.name + "_alone")});
    EXPECT_EQ(alone.code, 0) << run.name << ": " << alone.err;
    // Layers that hold the network have names of the listener; they keep them.
    const Words to_four = {"--training.max_steps", "4"};
    Words whole = {"train", path(config), "--output", path(run.name + "_whole")};
    Words rest = {"train", "--resume", "--output", path(run.name + "_alone")};
    for (Words* words : {&whole, &rest}) {
      words->insert(words->end(), to_four.begin(), to_four.end());
      const Outcome outcome = run_weft(*words);
      EXPECT_EQ(outcome.code, 0) << run.name << ": " << outcome.err;
    }
    const auto model_of = [&](const std::string& output) {
      return read_text(folder_ / (run.name + output) / "model-last" / run.name / "model");
    };
    EXPECT_TRUE(model_of("_whole") == model_of("_alone")) << run.name;
  }
}

}  // namespace
}  // namespace weft::testing_tools
