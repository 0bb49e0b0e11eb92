// The commands around a trained pipeline: init labels, debug model, assemble, benchmark.
#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/value/json.h"
#include "tests/tools/child.h"
#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ModelCommandsTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fresh_folder();
    write_text(folder_ / "ner.cfg", small_config());
    write_text(folder_ / "train.conll", small_corpus(60));
  }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  // `weft COMMAND... ner.cfg` with the training data.
  Outcome with_config(std::vector<std::string> words, std::vector<std::string> more = {}) const {
    words.push_back(path("ner.cfg"));
    words.insert(words.end(), more.begin(), more.end());
    for (const char* key : {"--paths.train", "--paths.dev"}) {
      words.emplace_back(key);
      words.push_back(path("train.conll"));
    }
    return run_weft(words);
  }

  void train() const {
    const Outcome trained =
        with_config({"train"}, {"-o", path("out"), "--training.max_steps", "5"});
    ASSERT_EQ(trained.code, 0) << trained.err;
  }

  static Object object_in(const Outcome& outcome) {
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    auto value = parse_json(outcome.out);
    EXPECT_TRUE(value && value->is_object()) << outcome.out;
    return value && value->is_object() ? value->as_object() : Object();
  }

  fs::path folder_;
};

// The folder is opened before the data is read, which can take minutes.
TEST_F(ModelCommandsTest, LabelsGoIntoTheFolderThatWasNamedThoughALinkTakesItsName) {
  write_text(folder_ / "train.conll", small_corpus(150000));
  fs::create_directory(folder_ / "foreign");
  Child child({"init", "labels", path("ner.cfg"), path("labels"), "--paths.train",
               path("train.conll"), "--paths.dev", path("train.conll")},
              folder_, folder_ / "told.txt");
  while (!child.has_open(fs::canonical(folder_) / "labels") && !child.ends_within(0.001)) {
  }
  child.send(SIGSTOP);
  ASSERT_TRUE(fs::is_empty(path("labels"))) << "before the data is read";
  fs::rename(path("labels"), path("moved"));
  fs::create_directory_symlink(path("foreign"), path("labels"));
  child.send(SIGCONT);
  EXPECT_EQ(child.wait(), 0) << read_text(folder_ / "told.txt");
  EXPECT_TRUE(fs::exists(path("moved/ner.json")));
  EXPECT_TRUE(fs::is_empty(path("foreign")));
}

TEST_F(ModelCommandsTest, DebugModelShowsShapesAndMemory) {
  const Object document = object_in(with_config({"debug", "model"}, {"--json"}));
  ASSERT_NE(document.find("ner"), nullptr);
  const Object& ner = document.find("ner")->as_object();
  std::int64_t parameters = 0;
  bool embeds = false;
  for (const Node& node : ner.find("layers")->as_list()) {
    const Object& layer = node.as_object();
    parameters += layer.find("parameters")->as_integer();
    EXPECT_EQ(layer.find("bytes")->as_integer(), 4 * layer.find("parameters")->as_integer());
    const Node* table = layer.find("params")->as_object().find("E");
    embeds = embeds || (table != nullptr && to_json(*table) == "[200, 16]");
  }
  EXPECT_TRUE(embeds);
  EXPECT_EQ(ner.find("parameters")->as_integer(), parameters);
  EXPECT_GT(parameters, 200 * 16 + 50 * 16);
  train();
  const Object saved = object_in(run_weft({"debug", "model", path("out/model-last"), "--json"}));
  EXPECT_TRUE(Node(saved).same_value(Node(document)));
  EXPECT_EQ(with_config({"debug", "model"}, {"--component", "nre"}).code, 2);
  const Outcome refused =
      run_weft({"debug", "model", path("out/model-last"), "--training.seed", "3"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("is a saved pipeline, whose layers no setting changes"));
}

TEST_F(ModelCommandsTest, InitLabelsWritesWhatTheConfigCanRead) {
  const Outcome outcome = with_config({"init", "labels"}, {path("labels")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(read_text(folder_ / "labels/ner.json"), HasSubstr("place"));
  write_text(
      folder_ / "ner.cfg",
      small_config("\n[initialize]\n\n[initialize.components]\n\n[initialize.components.ner]\n\n"
                   "[initialize.components.ner.labels]\n"
                   "@readers = \"spacy.read_labels.v1\"\npath = \"" +
                   path("labels/ner.json") + "\"\n"));
  train();
}

TEST_F(ModelCommandsTest, AssembleTakesSourcedComponentsAndRefusesUntrainedOnes) {
  train();
  write_text(folder_ / "both.cfg",
             "[nlp]\nlang = \"en\"\npipeline = [\"ner\"]\n\n[components]\n\n"
             "[components.ner]\nsource = \"" +
                 path("out/model-last") + "\"\n");
  const Outcome outcome = run_weft({"assemble", path("both.cfg"), path("both")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  write_text(folder_ / "in.txt", "Ada went to Oslo.\n");
  EXPECT_EQ(run_weft({"apply", path("both"), path("in.txt")}).out,
            run_weft({"apply", path("out/model-last"), path("in.txt")}).out);
  const Outcome untrained = with_config({"assemble"}, {path("bare")});
  EXPECT_EQ(untrained.code, 2);
  EXPECT_THAT(untrained.err,
              HasSubstr("[components] ner: the component has nothing to predict with"));
  EXPECT_FALSE(fs::exists(folder_ / "bare"));
}

TEST_F(ModelCommandsTest, BenchmarkSpeedGivesTheSpreadOverRepeats) {
  train();
  const Object document = object_in(run_weft({"benchmark", "speed", path("out/model-last"),
                                              path("train.conll"), "--json", "--repeats", "3"}));
  const Object& speed = document.find("words_per_second")->as_object();
  EXPECT_EQ(speed.find("repeats")->as_list().size(), 3u);
  EXPECT_LE(speed.find("min")->as_float(), speed.find("median")->as_float());
  EXPECT_LE(speed.find("median")->as_float(), speed.find("max")->as_float());
  EXPECT_GT(speed.find("min")->as_float(), 0.0);
  EXPECT_EQ(document.find("documents")->as_integer(), 60);
  const Object scores = object_in(
      run_weft({"benchmark", "accuracy", path("out/model-last"), path("train.conll"), "--json"}));
  EXPECT_NE(scores.find("ents_f"), nullptr);
  EXPECT_EQ(run_weft({"benchmark", "speed", path("out/model-last"), path("absent.conll")}).code, 2);
  EXPECT_EQ(run_weft({"benchmark", "speed", path("out/model-last"), path("train.conll"),
                      "--repeats", "0"})
                .code,
            2);
}

TEST_F(ModelCommandsTest, BenchmarkSpeedBeginsWithTextOrWithIds) {
  train();
  const auto speed_from = [&](const std::string& start) {
    return run_weft({"benchmark", "speed", path("out/model-last"), path("train.conll"), "--from",
                     start, "--repeats", "1", "--json"});
  };
  const Object text = object_in(speed_from("text")), ids = object_in(speed_from("ids"));
  for (const char* count : {"words", "documents"}) {
    EXPECT_EQ(text.find(count)->as_integer(), ids.find(count)->as_integer());
  }
  const Outcome wrong = speed_from("words");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("--from is text or ids, not \"words\""));
}

// The time of all ops lies within the time of the pass, and products say what they computed.
TEST_F(ModelCommandsTest, DebugProfileShowsWhereTimeGoes) {
  train();
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, std::vector<std::string>{"--train", "100"}}) {
    std::vector<std::string> words = {"debug", "profile", path("out/model-last"),
                                      path("train.conll"), "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Object profile = object_in(run_weft(words));
    const double seconds = profile.find("seconds")->as_float();
    double in_ops = 0.0, flops = 0.0;
    for (const Node& node : profile.find("ops")->as_list()) {
      const Object& share = node.as_object();
      EXPECT_GT(share.find("calls")->as_integer(), 0);
      in_ops += share.find("seconds")->as_float();
      flops += share.find("flops")->as_float();
    }
    EXPECT_GT(in_ops, 0.0);
    EXPECT_LE(in_ops, seconds);
    EXPECT_GT(flops, 1e4);
    EXPECT_LT(flops / seconds, 4 * profile.find("peak_flops")->as_float());
    double in_layers = 0.0;
    bool named = false;
    for (const Node& node : profile.find("layers")->as_list()) {
      in_layers += node.as_object().find("seconds")->as_float();
      const std::string& layer = node.as_object().find("layer")->as_string();
      named = named || layer.starts_with("components.");
    }
    EXPECT_NEAR(in_layers, in_ops, 1e-9);
    EXPECT_TRUE(named);
  }
  const Outcome table = run_weft({"debug", "profile", path("out/model-last"), path("train.conll")});
  EXPECT_THAT(table.out, HasSubstr("outside of ops"));
  EXPECT_THAT(table.out, HasSubstr("GFLOP/s"));
  EXPECT_THAT(table.out, HasSubstr("\nlayer "));
  EXPECT_THAT(table.out, HasSubstr("\ncomponents.ner.model"));
  EXPECT_EQ(table.err, "");
  EXPECT_EQ(
      run_weft({"debug", "profile", path("out/model-last"), path("train.conll"), "--train", "0"})
          .code,
      2);
}

TEST_F(ModelCommandsTest, DebugProfileTellsTheSpeedOfMoreThreads) {
  train();
  const auto profile = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"debug", "profile", path("out/model-last"),
                                      path("train.conll"), "--threads"};
    words.insert(words.end(), more.begin(), more.end());
    return run_weft(words);
  };
  for (const std::vector<std::string>& pass :
       {std::vector<std::string>{"1,2,16", "--json"}, {"1,2,16", "--train", "200", "--json"}}) {
    const Object work = object_in(profile(pass)).find("work")->as_object();
    const double seconds = work.find("seconds")->as_float();
    std::vector<double> expected;
    for (const Node& node : work.find("expected")->as_list()) {
      expected.push_back(node.as_object().find("seconds")->as_float());
    }
    ASSERT_EQ(expected.size(), 3u);
    EXPECT_NEAR(expected[0], seconds, 1e-6 * seconds);
    EXPECT_LT(expected[1], expected[0]);
    EXPECT_LE(expected[2], expected[1]);
    EXPECT_GE(expected[2], work.find("seconds_of_one_thread_alone")->as_float());
    EXPECT_FALSE(work.find("undivided_layers")->as_list().empty());
  }
  EXPECT_THAT(profile({"4, 8"}).out, HasSubstr("op, on 8 threads\n"));
  std::string many;
  for (int i = 0; i < 65; ++i) many += "4,";
  for (const std::string& list : {std::string("0"), std::string("2,x"), std::string("1025"),
                                  std::string(","), std::string("-1"), many}) {
    const Outcome refused = profile({list});
    EXPECT_EQ(refused.code, 2) << list;
    EXPECT_THAT(refused.err, HasSubstr("--threads takes numbers")) << list;
  }
}

// P070 is said where products take less than 30 % of the time of all ops.
TEST_F(ModelCommandsTest, DebugProfileSaysWhetherSixteenBitsPay) {
  train();
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, std::vector<std::string>{"--train", "100"}}) {
    std::vector<std::string> words = {
        "debug",       "profile", path("out/model-last"), path("train.conll"), "--json",
        "--precision", "O2"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome low = run_weft(words);
    const Object profile = object_in(low);
    double products = 0.0;
    for (const Node& node : profile.find("ops")->as_list()) {
      const Object& share = node.as_object();
      if (share.find("flops")->as_float() > 0) products += share.find("seconds")->as_float();
    }
    const double part = products / profile.find("seconds_in_ops")->as_float();
    EXPECT_EQ(low.err.find("O2 cannot help much here") != std::string::npos, part < 0.3) << part;
  }
}

}  // namespace
}  // namespace weft::testing_tools
