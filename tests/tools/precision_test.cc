// The precision policy as a user meets it: training at each level, resuming, predicting, the plan.
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/value/json.h"
#include "tests/tools/program.h"
#include "tests/tools/small_runs.h"
#include "tests/tools/training_folder.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;
using Words = std::vector<std::string>;

class PrecisionTest : public TrainingFolder {
 protected:
  static Words at(const std::string& level, Words more = {}) {
    Words words = {"--training.precision.level", level, "--training.optimizer.learn_rate", "0.02"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  std::map<std::string, std::string> results(const std::string& output) const {
    return results_of(folder_ / output);
  }
};

// The gradients that a shared tok2vec is given overflow long before its parameters' do: that is a
// matter of the scale, not of the loss.
TEST_F(PrecisionTest, AScaleThatIsTooHighBacksOff) {
  std::string text = read_text(folder_ / "ner.cfg");
  const std::string own = "components.ner.model.tok2vec";
  for (std::size_t at; (at = text.find(own)) != std::string::npos;) {
    text.replace(at, own.size(), "components.tok2vec.model");
  }
  const std::string listener =
      "[components.ner.model.tok2vec]\n@architectures = \"spacy.Tok2VecListener.v1\"\n"
      "width = 16\nupstream = \"*\"\n\n[components.tok2vec]\nfactory = \"tok2vec\"\n\n";
  text.insert(text.find("[components.tok2vec.model]"), listener);
  text.replace(text.find("[\"ner\"]"), 7, "[\"tok2vec\", \"ner\"]");
  write_text(folder_ / "ner.cfg", text);
  for (const std::string level : {"O1", "O2"}) {
    const Outcome run =
        train(level, at(level, {"--training.precision.init_scale", "16777216.0",
                                "--training.precision.max_consecutive_skips", "40"}));
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(run.err, HasSubstr("overflow at step 0; scale 16777216 -> 8388608"));
    EXPECT_THAT(run.err, Not(HasSubstr("loss is")));
    EXPECT_THAT(run.out, Not(HasSubstr("nan")));
    EXPECT_THAT(run.out, Not(HasSubstr("inf")));
  }
}

TEST_F(PrecisionTest, AnInitialScaleBeyondTheLargestIsRefusedWithItsPlace) {
  const Outcome run = train("out", at("O2", {"--training.precision.init_scale", "33554432.0"}));
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr("command line --training.precision.init_scale  "));
  EXPECT_THAT(run.err, HasSubstr("init_scale = 33554432 is out of range (at most max_loss_scale = "
                                 "16777216)"));
}

TEST_F(PrecisionTest, AtO0TheBlockChangesNoByte) {
  std::string text = read_text(folder_ / "ner.cfg");
  ASSERT_EQ(train("without").code, 0);
  write_text(folder_ / "ner.cfg",
             text + "\n[training.precision]\n@precision = \"amp.v1\"\nlevel = \"O0\"\n");
  ASSERT_EQ(train("with").code, 0);
  const auto without = results("without"), with = results("with");
  for (const char* file : {"log.jsonl", "model-last/ner/model", "model-best/ner/model",
                           "checkpoint/optimizer.safetensors"}) {
    EXPECT_EQ(without.at(file), with.at(file)) << file;
  }
  EXPECT_THAT(with.at("log.jsonl"), Not(HasSubstr("scale")));
}

// A zero in the place of the letter O reads as a number.
TEST_F(PrecisionTest, AZeroForTheLetterIsRefusedWithItsPlaceWhereverItStands) {
  const auto hint = [](const std::string& level) {
    return "unknown level \"" + level +
           "\"; use O0, O1, O2, O3 (letter O), fp32, tf32 or bf16 [P001]";
  };
  for (const char* level : {"01", "1", "00"}) {
    const Outcome run = train("out", {"--training.precision.level", level});
    EXPECT_EQ(run.code, 2);
    EXPECT_THAT(run.err, HasSubstr("command line --training.precision.level  "
                                   "[training.precision] level: precision: "));
    EXPECT_THAT(run.err, HasSubstr(hint(level == std::string("00") ? "0" : "1")));
    EXPECT_THAT(run.err, Not(HasSubstr("expected")));
  }
  const Outcome variable = run_weft({"train", path("ner.cfg"), "--output", path("out")},
                                    {"SPACY_CONFIG_OVERRIDES=--training.precision.level 02"});
  EXPECT_EQ(variable.code, 2);
  EXPECT_THAT(variable.err, HasSubstr("SPACY_CONFIG_OVERRIDES  [training.precision] level: "));
  EXPECT_THAT(variable.err, HasSubstr(hint("2")));
  const std::string text = read_text(folder_ / "ner.cfg");
  const std::string block = "\n[training.precision]\n@precision = \"amp.v1\"\n";
  for (const auto& [written, read] : {std::pair("01", "01"), {"1", "1"}, {"\"o1\"", "o1"}}) {
    write_text(folder_ / "ner.cfg", text + block + "level = " + written + "\n");
    for (const Words& words : {Words{"train", path("ner.cfg"), "--output", path("out")},
                               Words{"debug", "config", path("ner.cfg")}}) {
      const Outcome run = run_weft(words);
      EXPECT_EQ(run.code, 2);
      EXPECT_THAT(run.err, HasSubstr("ner.cfg:"));
      EXPECT_THAT(run.err, HasSubstr(hint(read)));
    }
  }
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

TEST_F(PrecisionTest, ALevelMayStandInAVariable) {
  const std::string text = read_text(folder_ / "ner.cfg");
  write_text(folder_ / "ner.cfg", text +
                                      "\n[training.precision]\n@precision = \"amp.v1\"\n"
                                      "level = ${vars.level}\n\n[vars]\nlevel = \"O1\"\n");
  EXPECT_EQ(run_weft({"precision", "plan", path("ner.cfg")}).code, 0);
  const Outcome wrong = run_weft({"precision", "plan", path("ner.cfg"), "--vars.level", "01"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("P001"));
}

TEST_F(PrecisionTest, EveryLevelLearnsAndSavesF32) {
  for (const char* level : {"O1", "O2", "O3", "bf16", "tf32"}) {
    const Outcome run = train(level, at(level));
    ASSERT_EQ(run.code, 0) << run.err;
    const std::string log = results(level).at("log.jsonl");
    EXPECT_THAT(log, HasSubstr("\"level\": \"")) << level;
    EXPECT_THAT(log, HasSubstr("\"skipped\": 0")) << level;
    const Outcome scores = run_weft(
        {"evaluate", path(std::string(level) + "/model-best"), path("dev.conll"), "--json"});
    ASSERT_EQ(scores.code, 0) << scores.err;
    const auto parsed = parse_json(scores.out);
    EXPECT_GT(parsed->as_object().find("ents_f")->as_float(), 0.8) << level;
  }
}

TEST_F(PrecisionTest, ResumingGivesTheSameBytesAtEveryLevel) {
  for (const char* level : {"O1", "O2", "O3", "bf16", "tf32"}) {
    const std::string all = std::string(level) + "-all", part = std::string(level) + "-part";
    ASSERT_EQ(train(all, at(level, {"--training.max_steps", "30"})).code, 0);
    ASSERT_EQ(train(part, at(level, {"--training.max_steps", "13"})).code, 0);
    const Outcome resumed =
        run_weft({"train", "--resume", "--output", path(part), "--training.max_steps", "30"});
    ASSERT_EQ(resumed.code, 0) << resumed.err;
    const auto one = results(all), other = results(part);
    for (const char* file : {"log.jsonl", "model-last/ner/model", "model-best/ner/model",
                             "checkpoint/optimizer.safetensors", "checkpoint/state.json"}) {
      EXPECT_EQ(one.at(file), other.at(file)) << level << " " << file;
    }
  }
}

TEST_F(PrecisionTest, ResumingWithLowGradientsGivesTheSameBytes) {
  const Words low = {"--training.precision.grad_dtype",         "low",
                     "--training.precision.cast_model_outputs", "low",
                     "--training.precision.grad_norm",          "2.0"};
  const auto run = [&](const std::string& output, const std::string& steps) {
    Words words = at("O2", low);
    words.insert(words.end(), {"--training.max_steps", steps});
    return train(output, words);
  };
  ASSERT_EQ(run("all", "30").code, 0);
  ASSERT_EQ(run("part", "13").code, 0);
  const Outcome resumed =
      run_weft({"train", "--resume", "--output", path("part"), "--training.max_steps", "30"});
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  const auto one = results("all"), other = results("part");
  for (const char* file : {"model-last/ner/model", "checkpoint/optimizer.safetensors"}) {
    EXPECT_EQ(one.at(file), other.at(file)) << file;
  }
}

// The line that the table of a profiled run gives an op: its calls, milliseconds and share in
// percent.
struct OpLine {
  int calls = 0;
  double milliseconds = 0.0, percent = 0.0;
};

OpLine line_of(const std::string& table, const std::string& op) {
  OpLine line;
  const std::size_t begin = table.find('\n' + op + ' ');
  if (begin == std::string::npos) return line;
  std::istringstream words(table.substr(begin));
  std::string name;
  words >> name >> line.calls >> line.milliseconds >> line.percent;
  return line;
}

TEST_F(PrecisionTest, AProfiledRunSaysWhereTimeGoesAndChangesNothing) {
  const Outcome plain = train("plain", at("O2"));
  const Outcome profiled = train("profiled", at("O2", {"--profile"}));
  ASSERT_EQ(profiled.code, 0) << profiled.err;
  EXPECT_THAT(plain.err, Not(HasSubstr("layer_norm_forward")));
  EXPECT_THAT(profiled.err, HasSubstr("\ncomponents.ner.model"));
  double milliseconds = 0.0;
  for (const char* op : {"gemm", "layer_norm_forward", "cast", "adam_step"}) {
    // Beside a neighbour that holds a thread up, the time of a small op is rounded to nothing; its
    // calls are the same on every machine.
    EXPECT_GT(line_of(profiled.err, op).calls, 0) << op;
    EXPECT_LT(line_of(profiled.err, op).percent, 100.0) << op;
    milliseconds += line_of(profiled.err, op).milliseconds;
  }
  EXPECT_GT(milliseconds, 0.0);
  EXPECT_EQ(results("plain").at("model-last/ner/model"),
            results("profiled").at("model-last/ner/model"));
}

TEST_F(PrecisionTest, GrowthOfTheScaleIsToldOfWhereAskedFor) {
  const Words growing = {"--training.precision.growth_interval", "5"};
  Words verbose = growing;
  verbose.push_back("--verbose");
  EXPECT_THAT(train("quiet", at("O1", growing)).err, Not(HasSubstr("P027")));
  EXPECT_THAT(train("verbose", at("O1", verbose)).err, HasSubstr("after 5 applied steps [P027]"));
}

// Else it is looked for at the second skip in a row.
TEST_F(PrecisionTest, TheOriginOfTheFirstOverflowIsLookedForWhereAskedFor) {
  Words once =
      at("O2", {"--training.precision.init_scale", "16777216.0", "--training.max_steps", "1"});
  EXPECT_THAT(train("out", once).err, HasSubstr("origin not looked for; skipped 1 in a row"));
  once.push_back("--precision-debug");
  const std::string err = train("debugged", once).err;
  EXPECT_THAT(err, HasSubstr("origin components.ner.model"));
  EXPECT_THAT(err, HasSubstr("skipped 1 in a row [P025]"));
}

TEST_F(PrecisionTest, NumbersOfThreadsChangeNoByte) {
  ASSERT_EQ(train("one", at("O2", {"--threads", "1"})).code, 0);
  ASSERT_EQ(train("two", at("O2", {"--threads", "2"})).code, 0);
  EXPECT_EQ(difference(results("one"), results("two")), "");
}

TEST_F(PrecisionTest, ResumingAtAnotherLevelIsAllowedAndSaid) {
  ASSERT_EQ(train("out", at("O1", {"--training.max_steps", "13"})).code, 0);
  const Outcome resumed =
      run_weft({"train", "--resume", "--output", path("out"), "--training.max_steps", "20",
                "--training.precision.level", "O0"});
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_THAT(resumed.err, HasSubstr("checkpoint was O1, run is O0"));
}

TEST_F(PrecisionTest, SavedModelsDoNotDependOnTheLevelThatReadsThem) {
  // Long enough for margins that rounding does not change.
  ASSERT_EQ(train("out", at("O2", {"--training.max_steps", "60"})).code, 0);
  const std::string weights = read_text(folder_ / "out/model-best/ner/model");
  const Outcome plain = run_weft({"apply", path("out/model-best"), path("dev.conll")});
  ASSERT_EQ(plain.code, 0) << plain.err;
  EXPECT_THAT(plain.out, HasSubstr("person"));  // there is something to get wrong
  for (const char* level : {"O1", "O2", "O3", "tf32", "bf16"}) {
    const Outcome low =
        run_weft({"apply", path("out/model-best"), path("dev.conll"), "--precision", level});
    EXPECT_EQ(low.code, 0) << low.err;
    EXPECT_EQ(low.out, plain.out) << level;
  }
  EXPECT_EQ(read_text(folder_ / "out/model-best/ner/model"), weights);
}

TEST_F(PrecisionTest, EvaluateComparesLevels) {
  ASSERT_EQ(train("out").code, 0);
  const Words base = {"evaluate", path("out/model-best"), path("dev.conll")};
  const auto evaluate = [&](Words more) {
    more.insert(more.begin(), base.begin(), base.end());
    return run_weft(more);
  };
  const Outcome both = evaluate({"--precision", "bf16", "--compare-precision"});
  EXPECT_EQ(both.code, 0) << both.err;
  EXPECT_THAT(both.out, HasSubstr("difference"));
  EXPECT_THAT(both.out, HasSubstr("of 11 documents have other predictions"));
  const Outcome lone = evaluate({"--compare-precision"});
  EXPECT_EQ(lone.code, 2);
  EXPECT_THAT(lone.err, HasSubstr("--precision"));
  const Outcome torn = evaluate({"--precision", "O2", "--compare-precision", "--per-component"});
  EXPECT_EQ(torn.code, 2);
  EXPECT_THAT(torn.err, HasSubstr("leave --per-component out"));
  const Outcome wrong = evaluate({"--precision", "02"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("P001"));
}

TEST_F(PrecisionTest, ThePlanListsOpsAndParameters) {
  const Words base = {"precision", "plan", path("ner.cfg"), "--training.precision.level"};
  const auto plan = [&](const std::string& level, Words more = {}) {
    Words words = base;
    words.push_back(level);
    words.insert(words.end(), more.begin(), more.end());
    return run_weft(words);
  };
  const Outcome low = plan("O2");
  ASSERT_EQ(low.code, 0) << low.err;
  EXPECT_THAT(low.out, HasSubstr("components.ner.model"));
  EXPECT_THAT(low.out, HasSubstr("parser_upper"));
  EXPECT_THAT(low.out, HasSubstr("fp16"));
  const Outcome plain = plan("O0", {"--json"});
  ASSERT_EQ(plain.code, 0) << plain.err;
  EXPECT_THAT(plain.out, Not(HasSubstr("fp16")));
  EXPECT_TRUE(parse_json(plain.out)->is_list());
  EXPECT_EQ(plan("O9").code, 2);
}

}  // namespace
}  // namespace weft::testing_tools
