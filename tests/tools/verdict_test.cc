// `init config` and `debug config` end with a verdict: whether `train` takes the config.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/value/json.h"
#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// A component that is known and not built.
constexpr const char* kNotBuilt = "entity_linker";

std::string last_line(const std::string& text) {
  const auto end = text.find_last_not_of('\n');
  const auto start = text.rfind('\n', end);
  return text.substr(start + 1, end - start);
}

TEST(Verdict, OfAConfigThatTrainTakes) {
  const std::string file = (fresh_folder() / "a.cfg").string();
  const Outcome written = run_weft({"init", "config", file});
  EXPECT_EQ(written.code, 0);
  EXPECT_EQ(last_line(written.err), "verdict: weft can train this config");
  const Outcome checked = run_weft({"debug", "config", file});
  EXPECT_EQ(checked.code, 0);
  EXPECT_EQ(last_line(checked.err), "verdict: weft can train this config");
}

TEST(Verdict, NamesWhatIsNotBuilt) {
  const std::string file = (fresh_folder() / "a.cfg").string();
  const Outcome written = run_weft({"init", "config", file, "--pipeline", kNotBuilt});
  EXPECT_EQ(written.code, 2);
  EXPECT_THAT(written.err, HasSubstr("entity_linker is known, not built yet"));
  EXPECT_THAT(last_line(written.err), StartsWith("verdict: weft cannot train"));
  const Outcome checked = run_weft({"debug", "config", file});
  EXPECT_EQ(checked.code, 2);
  EXPECT_THAT(checked.out, HasSubstr("[components.entity_linker]"));  // the config all the same
  EXPECT_THAT(checked.err, HasSubstr("a.cfg:"));
  EXPECT_THAT(checked.err, HasSubstr("entity_linker is known, not built yet"));
  EXPECT_THAT(last_line(checked.err), StartsWith("verdict: weft cannot train"));
  // Names of the block are not told once more.
  EXPECT_EQ(checked.err.find("EntityLinker.v2"), checked.err.npos);
}

// They arise again while the pipeline is built, and end nothing.
TEST(Verdict, NotesAndWarningsAreNoObstacles) {
  const std::string file = (fresh_folder() / "a.cfg").string();
  ASSERT_EQ(run_weft({"init", "config", file, "--pipeline", "ner,doc_cleaner"}).code, 0);
  for (const std::string& parser : {std::string("true"), std::string("\"true\"")}) {
    const Outcome checked =
        run_weft({"debug", "config", file, "--components.ner.model.use_upper", parser});
    EXPECT_EQ(checked.code, 0) << checked.err;
    EXPECT_EQ(last_line(checked.err), "verdict: weft can train this config");
    const auto note = checked.err.find("attributes that a document has not are passed over");
    ASSERT_NE(note, checked.err.npos);
    EXPECT_EQ(checked.err.find("are passed over", note + 60), checked.err.npos) << "told once";
  }
}

// The logger takes its arguments, and says only when it is built that it is of no use.
TEST(Verdict, BuildsTheFunctionsOfTraining) {
  const std::string file = (fresh_folder() / "a.cfg").string();
  ASSERT_EQ(run_weft({"init", "config", file}).code, 0);
  const Outcome checked = run_weft({"debug", "config", file, "--training.logger",
                                    R"({"@loggers": "spacy.ClearMLLogger.v2",)"
                                    R"( "project_name": "a", "task_name": "b"})"});
  EXPECT_EQ(checked.code, 2);
  EXPECT_THAT(checked.err, HasSubstr("[training] logger: ClearML takes runs over the network"));
  EXPECT_EQ(last_line(checked.err), "verdict: weft cannot train this config, for the reason above");
}

TEST(Verdict, SaysNothingOfAComponentOutsideOfThePipeline) {
  const std::string file = (fresh_folder() / "a.cfg").string();
  write_text(file,
             "[nlp]\nlang = \"en\"\npipeline = [\"link\"]\n[components]\n"
             "[components.link]\nfactory = \"sentencizer\"\n"
             "[components.linker]\nfactory = \"" +
                 std::string(kNotBuilt) + "\"\n");
  const Outcome checked = run_weft({"debug", "config", file});
  EXPECT_EQ(checked.code, 0) << checked.err;
  EXPECT_EQ(checked.err.find("not built yet"), checked.err.npos);
}

TEST(Verdict, AStarterConfigHasWhatComponentsThatAreNotBuiltNeed) {
  const std::string file = (fresh_folder() / "a.cfg").string();
  const Outcome written = run_weft({"init", "config", file, "--pipeline", "transformer,ner"});
  EXPECT_EQ(written.code, 2);
  EXPECT_THAT(written.err, HasSubstr("transformer is known, not built yet"));
  EXPECT_EQ(written.err.find("missing"), written.err.npos) << written.err;
  EXPECT_THAT(read_text(file), HasSubstr("spacy-transformers.TransformerModel.v3"));
}

TEST(Verdict, NamesAComponentThatIsNoSection) {
  const std::string file = (fresh_folder() / "a.cfg").string();
  write_text(file, "[nlp]\nlang = \"en\"\npipeline = [\"a\"]\n[components]\na = 1\n");
  const Outcome checked = run_weft({"debug", "config", file});
  EXPECT_EQ(checked.code, 2);
  EXPECT_THAT(checked.err, HasSubstr("a.cfg:5"));
  EXPECT_THAT(checked.err, HasSubstr("expected a section, found an integer"));
}

TEST(Verdict, NotesALanguageWithoutRules) {
  const std::string file = (fresh_folder() / "a.cfg").string();
  const Outcome written = run_weft({"init", "config", file, "--lang", "tlh"});
  EXPECT_EQ(written.code, 0);
  EXPECT_THAT(written.err, HasSubstr("\"tlh\" has no tokenizer rules of its own"));
  const Outcome checked = run_weft({"debug", "config", file});
  EXPECT_EQ(checked.code, 0);
  EXPECT_THAT(checked.err, HasSubstr("has no tokenizer rules of its own"));
}

TEST(Verdict, RefusesWhatIsNoLanguage) {
  const std::string file = (fresh_folder() / "a.cfg").string();
  const Outcome written = run_weft({"init", "config", file, "--lang", "English, please"});
  EXPECT_EQ(written.code, 2);
  EXPECT_THAT(written.err, HasSubstr("is no language code"));
}

TEST(Verdict, NamesASourceThatIsNotThere) {
  const fs::path folder = fresh_folder();
  write_text(folder / "a.cfg",
             "[nlp]\nlang = \"en\"\npipeline = [\"ner\"]\n[components]\n"
             "[components.ner]\nsource = \"/absent\"\n");
  const Outcome checked = run_weft({"debug", "config", (folder / "a.cfg").string()});
  EXPECT_EQ(checked.code, 2);
  EXPECT_THAT(checked.err, HasSubstr("there is no pipeline folder /absent"));
}

TEST(Verdict, NamesListedComponentsThatThePipelineLacks) {
  const std::string file = (fresh_folder() / "a.cfg").string();
  ASSERT_EQ(run_weft({"init", "config", file, "--pipeline", "tok2vec,ner"}).code, 0);
  const auto with = [&](const std::string& setting, const std::string& names) {
    return run_weft({"debug", "config", file, "--training." + setting, names});
  };
  for (const std::string setting : {"frozen_components", "annotating_components"}) {
    const Outcome checked = with(setting, R"(["tok2vec", "nre", "parser"])");
    EXPECT_EQ(checked.code, 2);
    EXPECT_THAT(checked.err, HasSubstr("[training] " + setting +
                                       ": the pipeline has no component 'nre' (did you mean ner"));
    EXPECT_THAT(checked.err, HasSubstr("the pipeline has no component 'parser'"));
  }
  EXPECT_EQ(with("annotating_components", R"(["tok2vec"])").code, 0);
  EXPECT_EQ(with("frozen_components", R"(["tok2vec.embed"])").code, 0);
}

// As `train` refuses them, which a config alone shows.
TEST(Verdict, NamesComponentsAndRehearsalsThatHaveNothingToGoOnFrom) {
  const std::string file = (fresh_folder() / "a.cfg").string();
  ASSERT_EQ(run_weft({"init", "config", file, "--pipeline", "tok2vec,ner"}).code, 0);
  const auto told = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"debug", "config", file};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome checked = run_weft(words);
    EXPECT_EQ(checked.code, 2);
    return checked.err;
  };
  EXPECT_THAT(told({"--training.frozen_components", R"(["n*"])"}),
              HasSubstr("[training] frozen_components: 'ner' has no weights to keep"));
  write_text(file, read_text(file) + "\n[training.rehearsal]\ncorpus = \"corpora.odl\"\n");
  EXPECT_THAT(told({}),
              HasSubstr("[training.rehearsal] corpus: there is no section [corpora.odl]"));
  EXPECT_THAT(told({"--training.rehearsal.corpus", "corpora.train"}),
              HasSubstr("[training] rehearsal: no component has a `source`"));
}

TEST(Verdict, IsAmongTheProblemsOfJson) {
  const std::string file = (fresh_folder() / "a.cfg").string();
  ASSERT_EQ(run_weft({"init", "config", file, "--pipeline", kNotBuilt}).code, 2);
  const Outcome checked = run_weft({"debug", "config", file, "--json"});
  EXPECT_EQ(checked.code, 2);
  const auto document = parse_json(checked.out);
  ASSERT_TRUE(document);
  const List& problems = document->as_object().find("problems")->as_list();
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].as_object().find("kind")->as_string(), "not_built");
}

TEST(Verdict, AccuracyNamesWordVectors) {
  const fs::path folder = fresh_folder();
  const Outcome written =
      run_weft({"init", "config", (folder / "a.cfg").string(), "--optimize", "accuracy"});
  EXPECT_EQ(written.code, 0);
  EXPECT_THAT(written.err, HasSubstr("--paths.vectors"));
  const std::string config = read_text(folder / "a.cfg");
  EXPECT_THAT(config, HasSubstr("vectors = \"en_core_web_lg\""));
  EXPECT_THAT(config, HasSubstr("include_static_vectors = true"));
}

TEST(Verdict, NamesASourceThatHasNoSuchComponentOrIsARun) {
  const fs::path folder = fresh_folder();
  const std::string source = "[nlp]\nlang = \"en\"\npipeline = [\"ner\"]\n[components]\n";
  fs::create_directories(folder / "run");
  write_text(folder / "small.cfg", small_config());
  write_text(folder / "train.conll", small_corpus(4));
  ASSERT_EQ(run_weft({"init", "nlp", (folder / "small.cfg").string(),
                      (folder / "run/model-best").string(), "--paths.train",
                      (folder / "train.conll").string()})
                .code,
            0);
  write_text(folder / "run/config.cfg", source + "[components.ner]\nfactory = \"ner\"\n");
  const auto checked = [&](const std::string& from, const std::string& component) {
    write_text(folder / "a.cfg", source + "[components.ner]\nsource = \"" +
                                     (folder / from).string() + "\"\ncomponent = \"" + component +
                                     "\"\n");
    return run_weft({"debug", "config", (folder / "a.cfg").string()});
  };
  EXPECT_EQ(checked("run/model-best", "ner").code, 0);
  const Outcome other = checked("run/model-best", "entities");
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("a.cfg:6:10"));
  EXPECT_THAT(other.err, HasSubstr("has no component 'entities'; it has 'ner'"));
  const Outcome run = checked("run", "ner");
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr("is the folder of a run; a pipeline of it is"));
  // Its files are read: training would end with one that is not there.
  fs::remove(folder / "run/model-best/ner/model");
  const Outcome lacking = checked("run/model-best", "ner");
  EXPECT_EQ(lacking.code, 2);
  EXPECT_THAT(lacking.err, HasSubstr("run/model-best/ner/model"));
}

}  // namespace
}  // namespace weft::testing_tools
