#include "components/reserved/reserved_names.h"

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "components/builtin.h"
#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/check_config.h"
#include "framework/pipeline/load_config.h"
#include "registry/base/error.h"
#include "registry/building/resolve.h"
#include "registry/plugins/plugin.h"
#include "registry/reading/cfg_reader.h"
#include "registry/value/json.h"
#include "registry/writing/describe.h"
#include "tests/folders.h"

namespace weft {
namespace {

using Kind = FunctionParameter::Kind;

std::string file_text() {
  std::ifstream stream(source_path("components/reserved/reserved_names.txt"));
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

// Reads names and parameters; gives how many names there are.
int read_whole(std::string_view text) {
  Catalogue catalogue;
  add_reserved_names(catalogue, text);
  int count = 0;
  for (const std::string& kind : catalogue.kinds()) {
    for (const std::string& name : catalogue.names(kind)) {
      static_cast<void>(catalogue.find(kind, name)->signature());
      ++count;
    }
  }
  return count;
}

TEST(ReservedNames, ParametersAreRead) {
  const Signature signature = reserved_signature(
      "  size int\n  names [str] = [\"a\",\n      \"b c\"]\n  *\n  rate float? = null\n"
      "  some [int]?");
  ASSERT_EQ(signature.parameters.size(), 4U);
  const FunctionParameter& size = signature.parameters[0];
  EXPECT_EQ(size.name, "size");
  EXPECT_TRUE(size.required());
  EXPECT_EQ(size.type.str(), Type::integer().str());
  EXPECT_EQ(to_json(*signature.parameters[1].default_value), R"(["a", "b c"])");
  EXPECT_EQ(signature.parameters[2].kind, Kind::keyword_only);
  EXPECT_TRUE(signature.parameters[2].type.admits_null());
  EXPECT_TRUE(signature.parameters[2].default_value->is_null());
  EXPECT_EQ(signature.parameters[3].type.str(), "list of integers or null");
}

TEST(ReservedNames, ValuesByPlaceEndThoseWithAPlace) {
  const Signature signature = reserved_signature("  *layers any\n  width int = 3\n");
  EXPECT_EQ(signature.parameters[0].kind, Kind::variadic);
  EXPECT_EQ(signature.parameters[0].name, "layers");
  EXPECT_EQ(signature.parameters[1].kind, Kind::keyword_only);
}

TEST(ReservedNames, WrongParametersAreRefused) {
  for (const char* wrong :
       {"size int\n", "  size\n", "  size  int\n", "   size int\n", "  size int 3\n",
        "  size int =\n", "  size int = \n", "  size int = not JSON\n", "  size number\n",
        "  size [int\n", "  size int]\n", "  size []\n", "  size ?\n", "  size int??\n",
        "  * any\n"}) {
    EXPECT_THROW(reserved_signature(wrong), Error) << wrong;
  }
}

TEST(ReservedNames, WrongLinesAboveParametersAreRefused) {
  for (const char* wrong : {"one.v1\n", "[]\n", "[things\n", "[things]\n size\n",
                            "[things]\n\n  size int\n", "[things]\none.v1  two.v1\n",
                            "[things]\none.v1\none.v1\n", "[things]\none.v1\n  meta [1]\n"}) {
    EXPECT_THROW(read_whole(wrong), Error) << wrong;
  }
}

TEST(ReservedNames, AreAddedWithoutReadingTheirParameters) {
  Catalogue catalogue;
  add_reserved_names(catalogue,
                     "# text\n\n[things]\none.v1\n    uno.v1\n  size nonsense = {\ntwo.v1\n"
                     "  meta {\"a\":\n    1}\n");
  EXPECT_EQ(catalogue.names("things"), (std::vector<std::string>{"one.v1", "two.v1", "uno.v1"}));
  EXPECT_FALSE(catalogue.find("things", "one.v1")->built());
  EXPECT_EQ(catalogue.find("things", "two.v1")->meta().as_object().size(), 1U);
  EXPECT_TRUE(catalogue.find("things", "two.v1")->signature().parameters.empty());
  for (const char* name : {"one.v1", "uno.v1"}) {
    EXPECT_THROW(catalogue.find("things", name)->signature(), Error);
  }
}

TEST(ReservedNamesFile, EveryLineIsOneOfThoseItTellsOf) {
  const std::regex line(
      "|#.*|\\[[a-z_]+\\]|[\\w.-]+( [\\w.-]+)*|  \\*|  \\*?[A-Za-z]\\w* [a-z?\\[\\]]+( = \\S.*)?|"
      "  meta \\{.*|    +\\S.*");
  std::istringstream lines(file_text());
  int number = 0;
  for (std::string text; std::getline(lines, text);) {
    ++number;
    EXPECT_TRUE(std::regex_match(text, line)) << number << ": " << text;
    EXPECT_LE(text.size(), 100U) << number;
  }
}

TEST(ReservedNamesFile, AWrongLineAnywhereIsFound) {
  const std::string text = file_text();
  ASSERT_GT(read_whole(text), 50);
  int tried = 0;
  for (std::size_t at = text.find("\n  "); at != text.npos; at = text.find("\n  ", at + 1)) {
    std::string wrong = text;
    wrong.insert(at + 1, "  wrong any any\n");
    EXPECT_THROW(read_whole(wrong), Error) << text.substr(at, 40);
    ++tried;
  }
  EXPECT_GT(tried, 100);
}

TEST(ReservedNamesFile, IsReadWithinItsBoundsWhereverItEnds) {
  const std::string text = file_text();
  for (std::size_t size = 0; size < text.size(); size += 11) {
    const std::vector<char> part(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(size));
    try {
      read_whole(std::string_view(part.data(), part.size()));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::internal);
    }
  }
}

class ReservedInConfigs : public testing::Test {
 protected:
  ReservedInConfigs() { add_builtin(catalogue_); }
  Config filled(const std::string& text) {
    Config config = read_cfg(text, "test.cfg", problems_, {.interpolate = false});
    return fill_pipeline_config(config, catalogue_, problems_);
  }
  Catalogue catalogue_;
  Problems problems_;
};

TEST_F(ReservedInConfigs, AllAreKnownNotBuiltAndNameNoParameterTwice) {
  Catalogue reserved;
  const std::string text = file_text();
  add_reserved_names(reserved, text);
  for (const std::string& kind : reserved.kinds()) {
    for (const std::string& name : reserved.names(kind)) {
      const Function* function = catalogue_.find(kind, name);
      ASSERT_NE(function, nullptr) << kind << ' ' << name;
      EXPECT_FALSE(function->built()) << kind << ' ' << name;
      const auto parameters = function->signature().names();
      EXPECT_EQ(std::set<std::string>(parameters.begin(), parameters.end()).size(),
                parameters.size())
          << kind << ' ' << name;
    }
  }
}

TEST_F(ReservedInConfigs, AConfigIsFilledAndBuildingItSaysSo) {
  const Config config = filled(
      "[nlp]\nlang = \"en\"\npipeline = [\"entity_linker\"]\n\n[components]\n\n"
      "[components.entity_linker]\nfactory = \"entity_linker\"\n");
  EXPECT_FALSE(has_errors(problems_)) << problems_.front().str();
  EXPECT_EQ(config.find("components.entity_linker.model.tok2vec.width")->as_integer(), 96);
  EXPECT_EQ(config.find("components.entity_linker.scorer.@scorers")->as_string(),
            "spacy.entity_linker_scorer.v1");
  EXPECT_EQ(config.find("training.score_weights.nel_micro_f")->as_float(), 1.0);
  Problems building;
  check_buildable(config, catalogue_, building);
  ASSERT_TRUE(has_errors(building));
  std::string text;
  for (const Problem& problem : building) text += problem.str();
  EXPECT_THAT(text, testing::HasSubstr("entity_linker is known, not built yet"));
}

// With what spacy-transformers writes around it: all of it is known, so that the message is that
// transformers are not built.
TEST_F(ReservedInConfigs, ATransformerIsKnownWithAllItsParts) {
  const Config config = filled(R"([nlp]
lang = "en"
pipeline = ["transformer"]

[components]

[components.transformer]
factory = "transformer"
set_extra_annotations = {"@annotation_setters":"spacy-transformers.null_annotation_setter.v1"}

[components.transformer.model]
@architectures = "spacy-transformers.TransformerModel.v3"
name = "roberta-base"

[components.transformer.model.get_spans]
@span_getters = "spacy-transformers.strided_spans.v1"
window = 128
stride = 96
)");
  EXPECT_FALSE(has_errors(problems_)) << problems_.front().str();
  Problems building;
  check_buildable(config, catalogue_, building);
  std::string text;
  for (const Problem& problem : building) text += problem.str() + "\n";
  EXPECT_THAT(text, testing::HasSubstr("transformer is known, not built yet"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("no kind of functions")));
}

TEST_F(ReservedInConfigs, WrongSettingsOfThemAreFound) {
  filled(
      "[nlp]\nlang = \"en\"\npipeline = [\"tagger\"]\n\n[components]\n\n"
      "[components.tagger]\nfactory = \"tagger\"\noverwrit = true\nneg_prefix = [1]\n");
  std::string text;
  for (const Problem& problem : problems_) text += problem.str() + "\n";
  EXPECT_THAT(text, testing::HasSubstr("overwrit"));
  EXPECT_THAT(text, testing::HasSubstr("neg_prefix"));
}

TEST_F(ReservedInConfigs, PretrainingIsCheckedWhereItIsNotEmpty) {
  filled("[nlp]\nlang = \"en\"\n\n[pretraining]\n");
  EXPECT_FALSE(has_errors(problems_));
  const Config config = filled(
      "[nlp]\nlang = \"en\"\n\n[pretraining]\nmax_epochs = 1.5\ndropout = 0.2\n"
      "n_save_every = null\nn_save_epoch = null\ncomponent = \"tok2vec\"\nlayer = \"\"\n"
      "corpus = \"corpora.pretrain\"\n\n[pretraining.batcher]\n"
      "@batchers = \"spacy.batch_by_words.v1\"\nsize = 3000\ndiscard_oversize = false\n"
      "tolerance = 0.2\n\n[pretraining.objective]\n@architectures ="
      " \"spacy.PretrainCharacters.v1\"\nmaxout_pieces = 3\nhidden_size = 300\n"
      "n_characters = 4\n");
  std::string text;
  for (const Problem& problem : problems_) text += problem.str() + "\n";
  EXPECT_THAT(text, testing::HasSubstr("[pretraining] max_epochs"));
  EXPECT_THAT(text, testing::HasSubstr("[pretraining] optimizer"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("objective")));
  EXPECT_TRUE(config.find("pretraining.batcher.get_length") != nullptr);
}

// The plugin's parameters, defaults and function take the place of the reservation.
TEST_F(ReservedInConfigs, APluginSuppliesOne) {
  const std::string plugin = build_path("tests/test_plugin_supplying.so");
  Catalogue other;
  load_plugin(plugin, other);
  add_builtin(other);
  load_plugin(plugin, catalogue_);
  const Config config = read_cfg("[kb]\n@misc = \"spacy.EmptyKB.v1\"\n", "kb.cfg", problems_);
  for (const Catalogue& catalogue : {catalogue_, other}) {
    const auto made = resolve_at(config, "kb", catalogue, Schemas(), problems_);
    ASSERT_TRUE(made) << problems_.front().str();
    EXPECT_EQ(made->data().as_integer(), 256);
    const std::string shown = describe_text(*catalogue.find("misc", "spacy.EmptyKB.v1"));
    EXPECT_THAT(shown, testing::HasSubstr("From: test_plugin_supplying 0.1.0"));
    EXPECT_THAT(shown, testing::HasSubstr("default 64"));
    EXPECT_THAT(shown, testing::Not(testing::HasSubstr("not built")));
  }
  EXPECT_THROW(load_plugin(plugin, catalogue_), Error) << "it is there already";
}

TEST_F(ReservedInConfigs, APipelineWithoutItsPluginTellsWhichOneSuppliedIt) {
  const std::filesystem::path folder =
      testing::TempDir() + "reserved_names_test" + std::to_string(::getpid());
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "config.cfg")
      << "[nlp]\nlang = \"en\"\npipeline = [\"entity_linker\"]\n\n[components]\n\n"
         "[components.entity_linker]\nfactory = \"entity_linker\"\n";
  std::ofstream(folder / "meta.json") << R"({"plugins": {"acme 1.2.0": ["entity_linker"]}})";
  try {
    load_pipeline(folder, catalogue_);
    ADD_FAILURE() << "it was loaded";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("entity_linker is known, not built yet; it came "
                                                 "from the plugin acme 1.2.0"));
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace weft
