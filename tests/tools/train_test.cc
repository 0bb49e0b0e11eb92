// Training end to end: what a user sees, and that a result depends on nothing but its inputs.
#include <algorithm>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "registry/value/json.h"
#include "tests/folders.h"
#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class TrainTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fresh_folder();
    write_text(folder_ / "ner.cfg", small_config());
    write_text(folder_ / "train.conll", small_corpus(150));
    write_text(folder_ / "dev.conll", small_corpus(23));
  }

  Outcome train(const std::string& output, std::vector<std::string> more = {},
                const std::vector<std::string>& environment = {}) const {
    std::vector<std::string> words = {
        "train",       path("ner.cfg"),   "--paths.train", path("train.conll"),
        "--paths.dev", path("dev.conll"), "--output",      path(output)};
    words.insert(words.end(), more.begin(), more.end());
    return run_weft(words, environment);
  }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  // Every file below a folder, by its name; config.cfg holds the given paths, which are equal here.
  static std::map<std::string, std::string> files_below(const fs::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file()) {
        files[fs::relative(entry.path(), folder).string()] = read_text(entry.path());
      }
    }
    return files;
  }

  std::vector<Node> log_lines(const std::string& output) const {
    std::vector<Node> lines;
    const std::string text = read_text(folder_ / output / "log.jsonl");
    for (std::size_t start = 0; start < text.size();) {
      const std::size_t end = text.find('\n', start);
      lines.push_back(*parse_json(text.substr(start, end - start)));
      start = end + 1;
    }
    return lines;
  }

  fs::path folder_;
};

// Faults that only the pipeline, or the first look at a file, can show.
TEST_F(TrainTest, FaultsOfSettingsHaveTheirPlaces) {
  std::string text = read_text(folder_ / "ner.cfg");
  const std::string header = "[training]\n";
  const std::size_t at = text.find(header);
  ASSERT_NE(at, std::string::npos);
  const auto line = std::to_string(std::count(text.begin(), text.begin() + at, '\n') + 2);
  const auto refused = [&](const std::string& setting) {
    std::string other = text;
    write_text(folder_ / "ner.cfg", other.insert(at + header.size(), setting + "\n"));
    const Outcome outcome = train("out");
    EXPECT_EQ(outcome.code, 2);
    EXPECT_FALSE(fs::exists(folder_ / "out"));
    return outcome.err;
  };
  const std::string place = path("ner.cfg") + ":" + line + ":";
  EXPECT_THAT(refused("annotating_components = [\"nor\"]"),
              HasSubstr(place + "25  [training] annotating_components: the pipeline has no "
                                "component 'nor' (did you mean ner?)"));
  EXPECT_THAT(refused("frozen_components = [\"nor\"]"),
              HasSubstr(place + "21  [training] frozen_components: the pipeline has nothing called "
                                "'nor' (did you mean ner"));
  EXPECT_THAT(refused("shuffle_window = 10"), HasSubstr(place + "18  [training] shuffle_window: "));
  write_text(folder_ / "ner.cfg", text);
  EXPECT_THAT(train("out", {"--initialize.vectors", "nowhere"}).err,
              HasSubstr("command line --initialize.vectors  [initialize] vectors: 'nowhere' is no "
                        "folder of a pipeline"));
}

TEST_F(TrainTest, ASettingThatIsMissingIsToldWithTheSectionThatLacksIt) {
  std::string text = read_text(folder_ / "ner.cfg");
  const std::size_t at = text.find("lang = ");
  ASSERT_NE(at, std::string::npos);
  text.erase(at, text.find('\n', at) + 1 - at);
  write_text(folder_ / "ner.cfg", text);
  const std::size_t section = text.find("[nlp]\n");
  const auto line = std::to_string(std::count(text.begin(), text.begin() + section, '\n') + 1);
  const Outcome refused = train("out");
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr(path("ner.cfg") + ":" + line + ":1  [nlp] lang: missing"));
}

TEST_F(TrainTest, ShowsTheTableAndWritesAPipelineThatScoresAsTheLogSays) {
  const Outcome trained = train("out", {"--training.optimizer.learn_rate", "0.02"});
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_THAT(trained.out, HasSubstr("LOSS NER  ENTS_F  ENTS_P  ENTS_R  SCORE"));
  const std::vector<Node> lines = log_lines("out");
  ASSERT_EQ(lines.size(), 3u);  // steps 0, 20, 40
  EXPECT_EQ(lines.back().as_object().find("step")->as_integer(), 40);
  EXPECT_TRUE(lines.back().as_object().find("time")->is_object());
  const Outcome scored =
      run_weft({"evaluate", path("out/model-last"), path("dev.conll"), "--json"});
  ASSERT_EQ(scored.code, 0) << scored.err;
  const auto scores = parse_json(scored.out);
  ASSERT_TRUE(scores);
  const Object& logged = lines.back().as_object().find("scores")->as_object();
  for (const char* name : {"ents_p", "ents_r", "ents_f", "ents_per_type"}) {
    EXPECT_TRUE(scores->as_object().find(name)->same_value(*logged.find(name))) << name;
  }
  EXPECT_GT(scores->as_object().find("ents_f")->as_float(), 0.5);
  EXPECT_EQ(read_text(folder_ / "out/model-last/config.cfg").find("null\ndev"), std::string::npos);
}

TEST_F(TrainTest, SameSeedGivesTheSameBytesForAnyNumberOfThreads) {
  ASSERT_EQ(train("a", {"--threads", "1"}).code, 0);
  ASSERT_EQ(train("b", {"--threads", "1"}).code, 0);
  ASSERT_EQ(train("c", {}, {"WEFT_NUM_THREADS=3"}).code, 0);
  const auto first = files_below(folder_ / "a/model-last");
  EXPECT_GE(first.size(), 8u);
  EXPECT_EQ(first, files_below(folder_ / "b/model-last"));
  EXPECT_EQ(first, files_below(folder_ / "c/model-last"));
  EXPECT_EQ(files_below(folder_ / "a/model-best"), files_below(folder_ / "c/model-best"));
  ASSERT_EQ(train("d", {"--system.seed", "1"}).code, 0);
  EXPECT_NE(first.at("ner/model"), files_below(folder_ / "d/model-last").at("ner/model"));
}

TEST_F(TrainTest, ARunIsMadeAgainFromTheConfigInItsFolder) {
  const Outcome first = train("first",
                              {"--training.dropout", "0.3", "--training.optimizer.learn_rate",
                               "0.004", "--system.seed", "7"},
                              {"WEFT_CONFIG_OVERRIDES=--training.max_steps 9"});
  ASSERT_EQ(first.code, 0) << first.err;
  const Outcome again = run_weft({"train", path("first/config.cfg"), "--output", path("again")});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(read_text(folder_ / "first/config.cfg"), read_text(folder_ / "again/config.cfg"));
  EXPECT_EQ(files_below(folder_ / "first/model-last"), files_below(folder_ / "again/model-last"));
  EXPECT_EQ(files_below(folder_ / "first/model-best"), files_below(folder_ / "again/model-best"));
}

TEST_F(TrainTest, AFolderWithSomethingInItIsRefused) {
  fs::create_directories(folder_ / "out");
  write_text(folder_ / "out/notes.txt", "mine");
  const Outcome refused = train("out");
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--overwrite"));
  EXPECT_EQ(train("out", {"--overwrite", "--training.max_steps", "1"}).code, 0);
  EXPECT_EQ(read_text(folder_ / "out/notes.txt"), "mine");
}

TEST_F(TrainTest, AMissingFileIsNamedWithThePlaceThatNamesIt) {
  const Outcome outcome = train("out", {"--paths.train", path("absent.conll")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("absent.conll"));
  EXPECT_THAT(outcome.err, HasSubstr("[corpora.train] path"));
  EXPECT_THAT(outcome.err, HasSubstr("command line --paths.train"));
  EXPECT_FALSE(fs::exists(folder_ / "out"));
  const Outcome none = run_weft({"train", path("ner.cfg")});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("no file is given; write it there or as --paths.train FILE"));
}

TEST_F(TrainTest, AMalformedLineIsNamedWithFileAndLine) {
  write_text(folder_ / "train.conll", "Ada\tB-person\nwent\n\n");
  const Outcome outcome = train("out");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("train.conll:2"));
}

TEST_F(TrainTest, AMisspeltKeyIsNamedWithFileAndLine) {
  write_text(folder_ / "ner.cfg", small_config("\n[training.optimizer]\n@optimizers = \"Adam.v1\"\n"
                                               "learn_rat = 0.1\n"));
  const Outcome outcome = train("out");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("[training.optimizer] learn_rat: "));
  EXPECT_THAT(outcome.err, HasSubstr("did you mean learn_rate?"));
  EXPECT_THAT(outcome.err, testing::ContainsRegex("ner.cfg:[0-9]+:1"));
}

TEST_F(TrainTest, AnEmptyCorpusAndADataSetWithoutEntitiesAreSaidSo) {
  write_text(folder_ / "train.conll", "\n");
  const Outcome empty = train("out");
  EXPECT_EQ(empty.code, 3);
  EXPECT_THAT(empty.err, HasSubstr("no example in [corpora.train], " + path("train.conll")));
  EXPECT_FALSE(fs::exists(folder_ / "out/model-last"));
}

TEST_F(TrainTest, OverridesOfSettingsThatDoNotExistAreRefusedWithTheNearest) {
  const Outcome outcome = train("out", {"--training.batch_size", "128"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("did you mean training.batcher.size or nlp.batch_size?"));
}

TEST_F(TrainTest, TheEnvironmentWinsOverTheCommandLineWithAWarning) {
  const Outcome outcome = train("out", {"--training.max_steps", "30"},
                                {"SPACY_CONFIG_OVERRIDES=--training.max_steps 2",
                                 "WEFT_CONFIG_OVERRIDES=--training.max_steps 3"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("warning"));
  EXPECT_THAT(read_text(folder_ / "out/model-last/config.cfg"), HasSubstr("max_steps = 3\n"));
}

TEST_F(TrainTest, AGpuThatCannotBeUsedIsAnError) {
  const Outcome outcome = train("out", {"--gpu-id", "0"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("no GPU can be used"));
}

// As a variable of a script that is not set leaves it: nothing would be saved.
TEST_F(TrainTest, AnEmptyPathIsRefused) {
  const Outcome alone = run_weft({"train", path("ner.cfg"), "-o", ""});
  EXPECT_EQ(alone.code, 2);
  EXPECT_EQ(alone.err, "weft: --output is empty; give a path\n");
  EXPECT_EQ(run_weft({"pretrain", path("ner.cfg"), ""}).err, "weft: DIR is empty; give a path\n");
}

TEST_F(TrainTest, APipeIsNoCorpus) {
  const std::string pipe = path("pipe.conll");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const Outcome outcome = train("out", {"--paths.dev", pipe});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err,
              HasSubstr("'" + pipe + "' is a pipe, and a corpus is read more than once"));
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

TEST_F(TrainTest, WidthsOfANetworkThatDifferAreNamedWithTheirSection) {
  const Outcome outcome = train("out", {"--components.ner.model.tok2vec.embed.width", "24"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("ner.cfg:"));
  EXPECT_THAT(outcome.err, HasSubstr("[components] ner: layer maxout"));
  EXPECT_THAT(outcome.err, HasSubstr("a size of the network differs from that of the layer"));
}

TEST_F(TrainTest, AMissingPathIsNamed) {
  const Outcome outcome = run_weft({"train", path("ner.cfg")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("[corpora.train] path"));
}

TEST_F(TrainTest, TheListenerPipelineTrainsAndAnnotates) {
  const std::string listener = source_path("configs/ner_tok2vec.cfg");
  const Outcome trained =
      run_weft({"train", listener, "--paths.train", path("train.conll"), "--paths.dev",
                path("dev.conll"), "--output", path("out"), "--training.max_steps", "40",
                "--training.batcher.size", "300", "--training.optimizer.learn_rate", "0.01"});
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_THAT(trained.out, HasSubstr("LOSS TOK2VEC  LOSS NER"));
  write_text(folder_ / "texts.txt", "Ada went to London.\n\nGrace Smith went to Oslo yesterday.\n");
  const Outcome applied = run_weft({"apply", path("out/model-last"), path("texts.txt")});
  ASSERT_EQ(applied.code, 0) << applied.err;
  EXPECT_EQ(std::count(applied.out.begin(), applied.out.end(), '\n'), 3) << "an empty line is one";
  EXPECT_THAT(applied.out, HasSubstr(R"("label": "person")"));
  ASSERT_EQ(
      run_weft({"apply", path("out/model-last"), path("texts.txt"), "-o", path("a.spacy")}).code,
      0);
  ASSERT_EQ(run_weft({"convert", path("a.spacy"), path("a.jsonl")}).code, 0);
  EXPECT_EQ(read_text(folder_ / "a.jsonl"), applied.out);
  const Outcome evaluated =
      run_weft({"benchmark", "accuracy", path("out/model-last"), path("a.spacy")});
  EXPECT_THAT(evaluated.out, HasSubstr("ents_f              100.00"));
}

TEST_F(TrainTest, PatienceAndMaxStepsEndTheRun) {
  ASSERT_EQ(
      train("out", {"--training.max_steps", "0", "--training.patience", "7",
                    "--training.eval_frequency", "2", "--training.optimizer.learn_rate", "0.0"})
          .code,
      0);
  EXPECT_EQ(log_lines("out").back().as_object().find("step")->as_integer(),
            6);  // 8 updates: 0 ... 7
}

}  // namespace
}  // namespace weft::testing_tools
