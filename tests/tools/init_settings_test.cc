// Settings of [initialize.components.NAME], and pipelines that cannot be built: told when the
// config is checked, all of them, with their places, and before any data is read.
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

// A pipeline of components with their factories' defaults; a name is that of its factory.
std::string pipeline_of(const std::vector<std::string>& components, const std::string& more) {
  std::string names;
  std::string sections;
  for (const std::string& name : components) {
    names += (names.empty() ? "\"" : ", \"") + name + "\"";
    sections += "\n[components." + name + "]\nfactory = \"" + name + "\"\n";
  }
  return "[paths]\ntrain = null\ndev = null\n\n[nlp]\nlang = \"en\"\npipeline = [" + names +
         "]\n\n[corpora]\n\n[corpora.train]\n@readers = \"spacy.Corpus.v1\"\n"
         "path = ${paths.train}\n\n[corpora.dev]\n@readers = \"spacy.Corpus.v1\"\n"
         "path = ${paths.dev}\n\n[components]\n" +
         sections + more;
}

std::string settings_of(const std::string& component, const std::string& settings) {
  return "\n[initialize]\n\n[initialize.components]\n\n[initialize.components." + component +
         "]\n" + settings;
}

// The path of a setting as messages have it.
std::string shown(const std::string& component, const std::string& setting) {
  return "[initialize.components." + component + "] " + setting + ": ";
}

class InitSettingsTest : public testing::Test {
 protected:
  void SetUp() override { folder_ = fresh_folder(); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string config(const std::string& text) const {
    write_text(folder_ / "test.cfg", text);
    return path("test.cfg");
  }
  Outcome debug(const std::string& text, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"debug", "config", config(text)};
    words.insert(words.end(), more.begin(), more.end());
    return run_weft(words);
  }
  // `debug config` of one component with these settings.
  Outcome given(const std::string& component, const std::string& settings) const {
    return debug(pipeline_of({component}, settings_of(component, settings)));
  }
  fs::path folder_;
};

TEST_F(InitSettingsTest, ThoseThatAComponentDoesNotTakeAreRefused) {
  for (const char* component :
       {"tagger", "morphologizer", "trainable_lemmatizer", "parser", "beam_parser", "ner",
        "beam_ner", "spancat", "spancat_singlelabel", "textcat", "textcat_multilabel"}) {
    const Outcome outcome = given(component, "lables = []\n");
    EXPECT_EQ(outcome.code, 2) << component;
    EXPECT_THAT(outcome.err, HasSubstr("test.cfg:")) << component;
    EXPECT_THAT(outcome.err,
                HasSubstr(shown(component, "lables") + "unknown setting (did you mean labels?)"));
  }
  for (const char* component : {"entity_ruler", "span_ruler", "future_entity_ruler"}) {
    EXPECT_THAT(given(component, "paterns = []\n").err,
                HasSubstr("unknown setting (did you mean patterns?)"));
  }
  EXPECT_THAT(given("attribute_ruler", "tag_maps = {}\n").err, HasSubstr("did you mean tag_map?"));
  EXPECT_THAT(given("lemmatizer", "lookup = null\n").err, HasSubstr("did you mean lookups?"));
  for (const char* component : {"tok2vec", "senter", "span_finder", "sentencizer", "doc_cleaner",
                                "merge_entities", "token_splitter"}) {
    const Outcome outcome = given(component, "labels = []\n");
    EXPECT_EQ(outcome.code, 2) << component;
    EXPECT_THAT(outcome.err,
                HasSubstr(shown(component, "labels") + "unknown setting; there are none here"));
  }
  EXPECT_EQ(given("textcat", "positive_label = null\n").code, 0);
  EXPECT_THAT(given("textcat_multilabel", "positive_label = null\n").err,
              HasSubstr(shown("textcat_multilabel", "positive_label") + "unknown setting"));
}

TEST_F(InitSettingsTest, ValuesThatDoNotFitAreRefused) {
  const auto wrong = [&](const std::string& component, const std::string& setting,
                         const std::string& value, const std::string& told) {
    const Outcome outcome = given(component, setting + " = " + value + "\n");
    EXPECT_EQ(outcome.code, 2) << component;
    EXPECT_THAT(outcome.err, HasSubstr("[initialize.components." + component)) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(told)) << component << " " << outcome.err;
  };
  wrong("tagger", "labels", "3", "labels: expected list of strings or null, found an integer 3");
  wrong("tagger", "labels", "[1]", "expected string, found an integer 1");
  wrong("textcat", "labels", "\"POS\"", "expected list of strings or null");
  wrong("textcat", "positive_label", "3", "positive_label: expected string or null");
  wrong("spancat", "labels", "{\"A\": 1}", "expected list of strings or null");
  wrong("morphologizer", "labels", "[\"A\"]", "labels: expected ");
  wrong("trainable_lemmatizer", "labels", "[\"A\"]", "labels: expected ");
  wrong("parser", "labels", "[\"A\"]", "labels: expected ");
  wrong("ner", "labels", "3", "labels: expected list of strings");
  wrong("entity_ruler", "patterns", "\"x\"", "patterns: expected list of ");
  wrong("entity_ruler", "patterns", "[\"x\"]", "found a string \"x\"");
  wrong("attribute_ruler", "tag_map", "[1]", "tag_map: expected ");
  wrong("lemmatizer", "lookups", "\"x\"", "lookups: expected lookups or null");
}

TEST_F(InitSettingsTest, RightOnesAreTaken) {
  write_text(folder_ / "labels.json", R"(["A", "B"])");
  const std::string file =
      "\n[initialize.components.tagger.labels]\n"
      "@readers = \"spacy.read_labels.v1\"\npath = \"" +
      path("labels.json") + "\"\n";
  for (const auto& [component, settings] : std::vector<std::pair<std::string, std::string>>{
           {"tagger", "labels = [\"A\"]\n"},
           {"tagger", "labels = null\n"},
           {"tagger", file},
           {"ner", "labels = [\"A\"]\n"},
           {"ner", "labels = {\"0\": {}, \"1\": {\"A\": 2}}\n"},
           {"textcat", "labels = [\"A\", \"B\"]\npositive_label = \"A\"\n"},
           {"entity_ruler", "patterns = [{\"label\": \"X\", \"pattern\": \"Oslo\"}]\n"},
           {"attribute_ruler", "tag_map = {\"NN\": {\"POS\": \"NOUN\"}}\n"}}) {
    const Outcome outcome = given(component, settings);
    EXPECT_EQ(outcome.code, 0) << component << " " << settings << outcome.err;
  }
}

TEST_F(InitSettingsTest, ThoseOfAComponentThatThereIsNotAreRefused) {
  const Outcome outcome =
      debug(pipeline_of({"tagger"}, settings_of("taggr", "labels = [\"A\"]\n")));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("[initialize.components] taggr: there is no such component "
                                     "(did you mean tagger?)"));
  // One that the pipeline leaves out has its sections as before.
  const std::string other = "\n[components.ner]\nfactory = \"ner\"\n";
  EXPECT_EQ(debug(pipeline_of({"tagger"}, other + settings_of("ner", "labels = [\"A\"]\n"))).code,
            0);
}

TEST_F(InitSettingsTest, AllProblemsAreToldAtOnce) {
  const std::string text =
      pipeline_of({"tagger", "textcat"},
                  settings_of("tagger", "lables = []\n") +
                      "\n[initialize.components.textcat]\nlabels = 3\npositiv_label = \"A\"\n");
  const Outcome outcome = debug(text);
  EXPECT_EQ(outcome.code, 2);
  for (const char* part : {"tagger] lables: ", "textcat] labels: ", "textcat] positiv_label: "}) {
    EXPECT_THAT(outcome.err, HasSubstr(part));
  }
  // Beside errors of other sections too.
  const Outcome both = debug(text, {"--training.dropout", "1.5"});
  EXPECT_EQ(both.code, 2);
  EXPECT_THAT(both.err, HasSubstr("dropout"));
  EXPECT_THAT(both.err, HasSubstr("tagger] lables: "));
}

TEST_F(InitSettingsTest, EveryCommandThatInitialisesRefusesThem) {
  write_text(folder_ / "train.conll", small_corpus(4));
  const std::string file = config(small_config(settings_of("ner", "lables = [\"person\"]\n")));
  const std::vector<std::string> paths = {"--paths.train", path("train.conll"), "--paths.dev",
                                          path("train.conll")};
  for (std::vector<std::string> words : {std::vector<std::string>{"init", "nlp", file, path("out")},
                                         {"train", file},
                                         {"train", file, "--dry-run"},
                                         {"assemble", file, path("out")}}) {
    words.insert(words.end(), paths.begin(), paths.end());
    const Outcome outcome = run_weft(words);
    EXPECT_EQ(outcome.code, 2) << words[0];
    EXPECT_THAT(outcome.err,
                HasSubstr(shown("ner", "lables") + "unknown setting (did you mean labels?)"));
  }
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

// The type of what a function gives is known once it was called.
TEST_F(InitSettingsTest, WhatAFileHoldsHasToFitToo) {
  write_text(folder_ / "train.conll", small_corpus(4));
  write_text(folder_ / "labels.json", "3");
  const std::string file =
      config(small_config(settings_of("ner",
                                      "\n[initialize.components.ner.labels]\n@readers = "
                                      "\"spacy.read_labels.v1\"\npath = \"" +
                                          path("labels.json") + "\"\n")));
  const Outcome outcome =
      run_weft({"init", "nlp", file, path("out"), "--paths.train", path("train.conll")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("test.cfg:"));
  EXPECT_THAT(outcome.err, HasSubstr(shown("ner", "labels") + "expected list of strings"));
}

// `train` would refuse them at once.
TEST_F(InitSettingsTest, AFileOfLabelsThatDoesNotFitIsInTheVerdict) {
  for (const char* component : {"ner", "tagger"}) {
    const std::string labels = "\n[initialize.components." + std::string(component) +
                               ".labels]\n@readers = \"spacy.read_labels.v1\"\npath = \"" +
                               path("labels.json") + "\"\n";
    for (const char* wrong : {"5", "\"x\"", "[[[\"a\"]]]"}) {
      write_text(folder_ / "labels.json", wrong);
      const Outcome outcome = given(component, labels);
      EXPECT_EQ(outcome.code, 2) << wrong;
      EXPECT_THAT(outcome.err, HasSubstr("weft cannot train this config")) << wrong;
      EXPECT_THAT(outcome.err, HasSubstr("expected")) << wrong;
    }
    write_text(folder_ / "labels.json", "[\"A\"]");
    const Outcome outcome = given(component, labels);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
  }
}

TEST_F(InitSettingsTest, AssembledComponentsGetThem) {
  const std::string file = config(pipeline_of(
      {"entity_ruler"},
      settings_of("entity_ruler", "patterns = [{\"label\": \"X\", \"pattern\": \"Oslo\"}]\n")));
  const Outcome outcome = run_weft({"assemble", file, path("out")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(read_text(folder_ / "out/entity_ruler/patterns.jsonl"), HasSubstr("Oslo"));
}

const char* const kVectors = R"(
[components.tok2vec.model]
@architectures = "spacy.HashEmbedCNN.v2"
pretrained_vectors = null
width = 32
depth = 1
embed_size = 200
window_size = 1
maxout_pieces = 2
subword_features = true
)";

std::string listening(const std::string& width) {
  return "\n[components.tagger.model]\n@architectures = \"spacy.Tagger.v2\"\n\n"
         "[components.tagger.model.tok2vec]\n@architectures = \"spacy.Tok2VecListener.v1\"\n"
         "width = " +
         width + "\n";
}

TEST_F(InitSettingsTest, PipelinesThatCannotBeBuiltAreNoneToTrain) {
  EXPECT_EQ(debug(pipeline_of({"tok2vec", "tagger"}, kVectors + listening("32"))).code, 0);
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, std::vector<std::string>{"--resolve"}}) {
    const Outcome alone = debug(pipeline_of({"tagger"}, listening("32")), more);
    EXPECT_EQ(alone.code, 2);
    EXPECT_THAT(alone.err, HasSubstr("test.cfg:"));
    EXPECT_THAT(alone.err, HasSubstr("[components.tagger] model: it listens to token vectors"));
    EXPECT_THAT(alone.err, HasSubstr("verdict: weft cannot train this config"));
    const Outcome misspelt = debug(
        pipeline_of({"tok2vec", "tagger"}, kVectors + listening("32") + "upstream = \"tok2vek\"\n"),
        more);
    EXPECT_EQ(misspelt.code, 2);
    EXPECT_THAT(misspelt.err, HasSubstr("no component has that name (did you mean tok2vec?)"));
    const Outcome width =
        debug(pipeline_of({"tok2vec", "tagger"}, kVectors + listening("48")), more);
    EXPECT_EQ(width.code, 2);
    EXPECT_THAT(width.err, HasSubstr("[components.tagger] model: it listens to vectors of width "
                                     "48, and those of 'tok2vec' have 32"));
  }
}

TEST_F(InitSettingsTest, AModelOfAnotherComponentIsToldWithItsPlace) {
  const auto tagging = [](const std::string& name) {
    return "\n[components." + name +
           ".model]\n@architectures = \"spacy.Tagger.v2\"\n\n[components." + name +
           ".model.tok2vec]\n@architectures = \"spacy.Tok2Vec.v2\"\n\n[components." + name +
           ".model.tok2vec.embed]\n@architectures = \"spacy.MultiHashEmbed.v2\"\nwidth = 16\n"
           "attrs = [\"NORM\"]\nrows = [100]\ninclude_static_vectors = false\n\n[components." +
           name +
           ".model.tok2vec.encode]\n@architectures = \"spacy.MaxoutWindowEncoder.v2\"\n"
           "width = 16\ndepth = 1\nwindow_size = 1\nmaxout_pieces = 2\n";
  };
  const Outcome outcome = debug(pipeline_of(
      {"ner", "parser", "spancat"}, tagging("ner") + tagging("parser") + tagging("spancat")));
  EXPECT_EQ(outcome.code, 2);
  for (const char* name : {"ner", "parser", "spancat"}) {
    EXPECT_THAT(outcome.err, HasSubstr(std::string("  [components] ") + name + ": the model ("));
  }
  EXPECT_THAT(outcome.err, HasSubstr("test.cfg:"));
}

TEST_F(InitSettingsTest, TablesThatALemmatizerLacksAreTold) {
  const Outcome outcome = debug(pipeline_of({"lemmatizer"}, ""));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("test.cfg:"));
  EXPECT_THAT(outcome.err, HasSubstr("there is no table lemma_rules"));
  EXPECT_THAT(outcome.err, HasSubstr("lemmatizer"));
  const Outcome made = run_weft({"assemble", config(pipeline_of({"lemmatizer"}, "")), path("out")});
  EXPECT_EQ(made.code, 2);
  EXPECT_THAT(made.err, HasSubstr("[components] lemmatizer: "));
  EXPECT_THAT(made.err, HasSubstr("there is no table lemma_rules"));
  // Patterns are compiled as well.
  EXPECT_THAT(
      given("entity_ruler", "patterns = [{\"label\": \"X\", \"pattern\": [{\"NOPE\": 1}]}]\n").err,
      HasSubstr("NOPE"));
}

// Networks that give rows for other things than the component reads them for.
TEST_F(InitSettingsTest, NetworksOfAnotherFormEndTheInitialisation) {
  write_text(folder_ / "train.csv", "text,label\nAda went home,A\nGrace left London,B\n");
  write_text(folder_ / "train.conllu",
             "1\tAda\tAda\tPROPN\tNNP\t_\t2\tnsubj\t_\t_\n2\twent\tgo\tVERB\tVBD\t_\t0\troot\t_\t"
             "_\n\n");
  const std::string bag =
      "@architectures = \"spacy.TextCatBOW.v3\"\nexclusive_classes = true\nlength = 1024\n"
      "ngram_size = 1\nno_output_layer = false\n";
  const std::string tags =
      "@architectures = \"spacy.Tagger.v2\"\n\n[components.textcat.model.tok2vec]\n"
      "@architectures = \"spacy.HashEmbedCNN.v2\"\npretrained_vectors = null\nwidth = 16\n"
      "depth = 1\nembed_size = 100\nwindow_size = 1\nmaxout_pieces = 2\nsubword_features = true\n";
  const auto init = [&](const std::string& component, const std::string& model,
                        const std::string& reader, const std::string& data) {
    std::string text = pipeline_of({component}, "\n[components." + component + ".model]\n" + model);
    const std::string usual = "spacy.Corpus.v1";
    text.replace(text.find(usual), usual.size(), reader);
    return run_weft({"init", "nlp", config(text), path("out"), "--paths.train", path(data)});
  };
  for (const char* component : {"tagger", "morphologizer"}) {
    const Outcome outcome = init(component, bag, "weft.ConlluCorpus.v1", "train.conllu");
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("test.cfg:"));
    EXPECT_THAT(outcome.err, HasSubstr(std::string("[components] ") + component + ": its model ("));
    EXPECT_THAT(outcome.err, HasSubstr("gives a row for each document, and not a row for each "
                                       "token, document by document; take spacy.Tagger.v2"));
  }
  const Outcome outcome = init("textcat", tags, "weft.CsvCorpus.v1", "train.csv");
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("[components] textcat: its model ("));
  EXPECT_THAT(outcome.err, HasSubstr("and not a row for each document"));
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

}  // namespace
}  // namespace weft::testing_tools
