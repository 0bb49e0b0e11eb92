// Mistakes in the input are named with file and place, the exit code says whose fault it is, and
// nothing half-written is left.
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "components/weft.h"
#include "framework/nn/model.h"
#include "registry/base/error.h"
#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class BadInputTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fresh_folder();
    write_text(folder_ / "ner.cfg", small_config());
    write_text(folder_ / "train.conll", small_corpus(20));
    write_text(folder_ / "dev.conll", small_corpus(5));
    write_text(folder_ / "blank.conll", "\n\n");
  }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  // Replaces every `from` in the config by `to`.
  void change_config(const std::string& from, const std::string& to) const {
    std::string text = read_text(folder_ / "ner.cfg");
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
      text.replace(at, from.size(), to);
    }
    write_text(folder_ / "ner.cfg", text);
  }

  Outcome train(const std::string& data, const std::string& dev,
                std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {
        "train",    path("ner.cfg"), "--paths.train",        path(data), "--paths.dev", path(dev),
        "--output", path("out"),     "--training.max_steps", "2"};
    words.insert(words.end(), more.begin(), more.end());
    return run_weft(words);
  }

  // The output of a run that could not start: nothing that a user could take for a pipeline.
  void expect_nothing_written() const {
    for (const char* name : {"out/model-last", "out/model-best", "out/checkpoint"}) {
      EXPECT_FALSE(fs::exists(folder_ / name)) << name;
    }
  }

  void make_spacy_file(const std::string& name) const {
    ASSERT_EQ(run_weft({"convert", path("train.conll"), path(name)}).code, 0);
    change_config("weft.ConllCorpus.v1", "spacy.Corpus.v1");
  }

  fs::path folder_;
};

TEST_F(BadInputTest, AMessageHoldsNothingThatSteersATerminal) {
  const Outcome missing = run_weft({"convert", path("\x1b[2J\u202e.conll"), path("out.spacy")});
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(missing.err, HasSubstr("\\u{1B}[2J\\u{202E}.conll"));
  EXPECT_EQ(missing.err.find('\x1b'), std::string::npos);
  write_text(folder_ / "hostile.cfg", "[nlp]\n\x1b[31mlong = \"en\"\n");
  const Outcome config = run_weft({"debug", "config", path("hostile.cfg")});
  EXPECT_EQ(config.code, 2);
  EXPECT_EQ(config.err.find('\x1b'), std::string::npos) << config.err;
}

TEST_F(BadInputTest, ACorpusWithoutExamplesIsNamed) {
  const Outcome training = train("blank.conll", "dev.conll");
  EXPECT_EQ(training.code, 3);
  EXPECT_THAT(training.err, HasSubstr("no example in [corpora.train], " + path("blank.conll")));
  expect_nothing_written();
  const Outcome development = train("train.conll", "blank.conll");
  EXPECT_EQ(development.code, 3);
  EXPECT_THAT(development.err, HasSubstr("no example in [corpora.dev], " + path("blank.conll")));
  expect_nothing_written();
}

TEST_F(BadInputTest, DocumentsThatAreAllTooLongAreSaidToBe) {
  change_config("path = ${paths.train}", "path = ${paths.train}\nmax_length = 3");
  const Outcome outcome = train("train.conll", "dev.conll");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("no example in [corpora.train], " + path("train.conll") +
                                     " (documents of max_length = 3 tokens"));
  expect_nothing_written();
}

TEST_F(BadInputTest, DataWithoutEntitiesIsNamedWithTheComponent) {
  write_text(folder_ / "train.conll", "Ada\tO\nwent\tO\n\nGrace\tO\n\n");
  const Outcome outcome = train("train.conll", "dev.conll");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("component 'ner': no entity in the training data"));
  EXPECT_THAT(outcome.err, HasSubstr("[corpora.train], " + path("train.conll")));
  expect_nothing_written();
}

// Even where its message has the name of the corpus, as that of something else.
TEST_F(BadInputTest, DataWithoutSpansIsNamedWhateverTheirGroupIsCalled) {
  ASSERT_EQ(run_weft({"init", "config", path("spans.cfg"), "--pipeline", "spancat"}).code, 0);
  ASSERT_EQ(run_weft({"convert", path("train.conll"), path("train.spacy")}).code, 0);
  const Outcome outcome =
      run_weft({"train", path("spans.cfg"), "--paths.train", path("train.spacy"), "--paths.dev",
                path("train.spacy"), "--output", path("out"), "--components.spancat.spans_key",
                "corpora.train"});
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("the group \"corpora.train\""));
  EXPECT_THAT(outcome.err, HasSubstr("[corpora.train], " + path("train.spacy")));
  expect_nothing_written();
}

TEST_F(BadInputTest, ALabelThatTheTrainingDataLacksIsAWarning) {
  write_text(folder_ / "dev.conll", "Ada\tB-zebra\nwent\tO\n\n");
  const Outcome outcome = train("train.conll", "dev.conll");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("warning: the training data has no 'zebra'"));
}

TEST_F(BadInputTest, ATruncatedSpacyFileIsNamedByEveryCommand) {
  make_spacy_file("whole.spacy");
  fs::copy(folder_ / "whole.spacy", folder_ / "cut.spacy");
  fs::resize_file(folder_ / "cut.spacy", fs::file_size(folder_ / "whole.spacy") * 2 / 3);
  const Outcome training = train("cut.spacy", "whole.spacy");
  EXPECT_EQ(training.code, 3);
  EXPECT_THAT(training.err, HasSubstr(path("cut.spacy")));
  expect_nothing_written();
  const Outcome development = train("whole.spacy", "cut.spacy");
  EXPECT_EQ(development.code, 3);
  EXPECT_THAT(development.err, HasSubstr(path("cut.spacy")));
  expect_nothing_written();
  ASSERT_EQ(train("whole.spacy", "whole.spacy").code, 0);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"evaluate", path("out/model-last"), path("cut.spacy")},
        {"apply", path("out/model-last"), path("cut.spacy"), "-o", path("applied.jsonl")},
        {"benchmark", "speed", path("out/model-last"), path("cut.spacy")},
        {"convert", path("cut.spacy"), path("applied.jsonl")}}) {
    const Outcome outcome = run_weft(words);
    EXPECT_EQ(outcome.code, 3) << words[0];
    EXPECT_THAT(outcome.err, HasSubstr(path("cut.spacy")));
    EXPECT_FALSE(fs::exists(folder_ / "applied.jsonl")) << words[0];
  }
}

TEST_F(BadInputTest, TokensThatDoNotAlignAreNamedWithFileLineAndText) {
  write_text(folder_ / "off.jsonl",
             "{\"text\": \"Ada went.\", \"entities\": [[0, 3, \"person\"]]}\n"
             "{\"text\": \"Ada Lovelace went.\", \"entities\": [[0, 5, \"person\"]]}\n");
  change_config("weft.ConllCorpus.v1", "spacy.JsonlCorpus.v1");
  const Outcome outcome = train("off.jsonl", "off.jsonl");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("off.jsonl:2"));
  EXPECT_THAT(outcome.err, HasSubstr("\"Ada L\", does not fall on token boundaries"));
  expect_nothing_written();
}

TEST_F(BadInputTest, ANanInAWeightIsNamedWithItsFile) {
  ASSERT_EQ(train("train.conll", "dev.conll").code, 0);
  // The file is damaged: no pipeline writes such a number.
  fs::copy(folder_ / "out/model-last", folder_ / "broken", fs::copy_options::recursive);
  std::string bytes = read_text(folder_ / "broken/ner/model");
  const std::string mark =
      "\xc4\x04"
      "data";  // a key, then the bytes of an array
  const std::size_t at = bytes.rfind(mark);
  ASSERT_NE(at, std::string::npos);
  const char width = bytes[at + mark.size()];  // of the length before the numbers
  const std::size_t header = width == '\xc4' ? 2 : width == '\xc5' ? 3 : 5;
  const float bad = std::numeric_limits<float>::quiet_NaN();
  bytes.replace(at + mark.size() + header, sizeof bad, reinterpret_cast<const char*>(&bad),
                sizeof bad);
  write_text(folder_ / "broken/ner/model", bytes);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"evaluate", path("broken"), path("dev.conll")},
        {"apply", path("broken"), path("dev.conll"), "-o", path("applied.jsonl")}}) {
    const Outcome outcome = run_weft(words);
    EXPECT_EQ(outcome.code, 3) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr((folder_ / "broken/ner/model").string()));
    EXPECT_FALSE(fs::exists(folder_ / "applied.jsonl"));
  }
}

// Nor where a pipeline stood before.
TEST_F(BadInputTest, ANanInAWeightIsNotSaved) {
  ASSERT_EQ(train("train.conll", "dev.conll").code, 0);
  const auto nlp = load(folder_ / "out/model-last");
  nlp->to_disk(folder_ / "saved");
  const std::string before = read_text(folder_ / "saved/ner/model");
  Model* last = nullptr;
  for (Model* node : nlp->find("ner")->models().front()->walk()) {
    if (!node->params().empty()) last = node;
  }
  ASSERT_NE(last, nullptr);
  const float good = last->params().front()->value.data<float>()[0];
  for (const float bad : {std::nanf(""), HUGE_VALF, -HUGE_VALF}) {
    last->params().front()->value.data<float>()[0] = bad;
    for (const char* folder : {"saved", "fresh"}) {
      try {
        nlp->to_disk(folder_ / folder);
        ADD_FAILURE() << bad << " was saved";
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::data);
        EXPECT_THAT(error.message(), HasSubstr("parameter ner/"));
        EXPECT_THAT(error.message(), HasSubstr("holds a NaN or an infinity"));
      }
    }
  }
  EXPECT_EQ(read_text(folder_ / "saved/ner/model"), before);
  EXPECT_FALSE(fs::exists(folder_ / "fresh"));
  last->params().front()->value.data<float>()[0] = good;
  nlp->to_disk(folder_ / "fresh");
  EXPECT_EQ(read_text(folder_ / "fresh/ner/model"), before);
}

TEST_F(BadInputTest, AComponentThatIsNotBuiltInIsNamedWithItsPlace) {
  ASSERT_EQ(train("train.conll", "dev.conll").code, 0);
  const fs::path config = folder_ / "out/model-last/config.cfg";
  std::string text = read_text(config);
  text.replace(text.find("factory = \"ner\""), 15, "factory = \"acme.ner\"");
  write_text(config, text);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"evaluate", path("out/model-last"), path("dev.conll")},
        {"apply", path("out/model-last"), path("dev.conll")},
        {"assemble", config.string(), path("assembled")},
        {"train", config.string(), "-o", path("again")}}) {
    const Outcome outcome = run_weft(words);
    EXPECT_EQ(outcome.code, 2) << words[0];
    EXPECT_THAT(outcome.err, ::testing::ContainsRegex("config.cfg:[0-9]+:[0-9]+ +.components.ner. "
                                                      "factory: no function \"acme.ner\""));
  }
  EXPECT_FALSE(fs::exists(folder_ / "assembled"));
  EXPECT_FALSE(fs::exists(folder_ / "again"));
}

TEST_F(BadInputTest, APipelineWhoseConfigIsEmptyIsNamed) {
  ASSERT_EQ(train("train.conll", "dev.conll").code, 0);
  write_text(folder_ / "out/model-last/config.cfg", "");
  const Outcome outcome = run_weft({"apply", path("out/model-last"), path("dev.conll")});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("model-last/config.cfg is no pipeline's: it has no [nlp]"));
}

TEST_F(BadInputTest, AModelThatIsNoParsersIsNamed) {
  const std::string corpus =
      "@readers = \"weft.ConllCorpus.v1\"\npath = \"" + path("train.conll") + "\"\n";
  for (const std::string component : {"ner", "parser"}) {
    SCOPED_TRACE(component);
    write_text(folder_ / "other.cfg",
               "[nlp]\nlang = \"en\"\npipeline = [\"" + component +
                   "\"]\n[components]\n[components." + component + "]\nfactory = \"" + component +
                   "\"\n[components." + component +
                   ".model]\n@layers = \"Linear.v1\"\n[corpora]\n[corpora.train]\n" + corpus +
                   "[corpora.dev]\n" + corpus);
    const Outcome made = run_weft({"init", "nlp", path("other.cfg"), path("made")});
    EXPECT_EQ(made.code, 2);
    EXPECT_THAT(made.err, HasSubstr("the model (linear) is none of a parser"));
  }
}

// Of another kind than is asked for, or nothing at all.
TEST_F(BadInputTest, AFileInThePlaceOfAnotherIsNamedAsWhatItIs) {
  write_text(folder_ / "empty.spacy", "");
  write_text(folder_ / "lines.spacy", "{\"text\": \"a\"}\n");
  write_text(folder_ / "json.cfg", "{\"nlp\": {}}\n");
  const auto fault = [&](std::vector<std::string> words) { return run_weft(words).err; };
  EXPECT_THAT(fault({"convert", path("empty.spacy"), path("o.jsonl")}),
              HasSubstr("the file is empty"));
  EXPECT_THAT(fault({"convert", path("lines.spacy"), path("o.jsonl")}),
              HasSubstr("`weft convert` makes them of other formats"));
  EXPECT_THAT(fault({"debug", "config", path("json.cfg")}), HasSubstr("JSON is no config"));
  EXPECT_THAT(fault({"evaluate", path("train.conll"), path("ner.cfg")}),
              HasSubstr("train.conll is a file, and a pipeline is a folder"));
}

TEST_F(BadInputTest, AMissingFileIsAMistakeOfTheCommandLine) {
  ASSERT_EQ(train("train.conll", "dev.conll").code, 0);
  const std::string pipeline = path("out/model-last");
  const std::string absent = path("absent.conll");
  for (const std::vector<std::string>& words : {std::vector<std::string>{"train", absent},
                                                {"evaluate", pipeline, absent},
                                                {"evaluate", absent, path("dev.conll")},
                                                {"apply", pipeline, absent},
                                                {"tokenize", pipeline, absent},
                                                {"tokenize", "--lang", "en", absent},
                                                {"benchmark", "speed", pipeline, absent},
                                                {"benchmark", "accuracy", pipeline, absent},
                                                {"assemble", absent, path("x")},
                                                {"debug", "model", absent},
                                                {"init", "labels", absent, path("x")},
                                                {"convert", absent, path("x.spacy")},
                                                {"info", absent}}) {
    const Outcome outcome = run_weft(words);
    EXPECT_EQ(outcome.code, 2) << words[0] << ": " << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("absent.conll")) << words[0];
  }
  EXPECT_FALSE(fs::exists(folder_ / "x"));
  EXPECT_FALSE(fs::exists(folder_ / "x.spacy"));
}

TEST_F(BadInputTest, AVeryLongDocumentIsAnnotatedLikeAnyOther) {
  ASSERT_EQ(train("train.conll", "dev.conll").code, 0);
  std::string text;
  for (int i = 0; i < 60000; ++i) text += "Ada went to Oslo yesterday ";
  write_text(folder_ / "long.txt", text + "\n");
  const Outcome outcome =
      run_weft({"apply", path("out/model-last"), path("long.txt"), "-o", path("long.jsonl")});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_GT(fs::file_size(folder_ / "long.jsonl"), text.size());
}

}  // namespace
}  // namespace weft::testing_tools
