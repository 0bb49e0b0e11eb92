#include "components/declared/declare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "components/builtin.h"
#include "framework/pipeline/check_config.h"
#include "framework/pipeline/load_config.h"
#include "registry/base/error.h"
#include "registry/reading/cfg_reader.h"
#include "registry/value/json.h"

namespace weft {
namespace {

using Kind = FunctionParameter::Kind;

TEST(Declare, ReadsParameters) {
  const Signature signature = declared_signature(
      "  size int\n  names [str] = [\"a\",\n      \"b c\"]\n  *\n  way up|down = \"up\"\n"
      "  rate float? = null\n  **rest any\n");
  ASSERT_EQ(signature.parameters.size(), 5U);
  const FunctionParameter& size = signature.parameters[0];
  EXPECT_EQ(size.name, "size");
  EXPECT_TRUE(size.required());
  EXPECT_EQ(size.type.str(), Type::integer().str());
  EXPECT_EQ(to_json(*signature.parameters[1].default_value), R"(["a", "b c"])");
  EXPECT_EQ(signature.parameters[2].kind, Kind::keyword_only);
  EXPECT_EQ(signature.parameters[2].type.choices().size(), 2U);
  EXPECT_TRUE(signature.parameters[3].type.admits_null());
  EXPECT_TRUE(signature.parameters[3].default_value->is_null());
  EXPECT_EQ(signature.parameters[4].kind, Kind::var_keyword);
}

TEST(Declare, ValuesByPlaceEndThoseWithAPlace) {
  const Signature signature = declared_signature("  *layers any\n  width int = 3\n");
  EXPECT_EQ(signature.parameters[0].kind, Kind::variadic);
  EXPECT_EQ(signature.parameters[0].name, "layers");
  EXPECT_EQ(signature.parameters[1].kind, Kind::keyword_only);
}

TEST(Declare, RefusesWrongLines) {
  EXPECT_THROW(declared_signature("size int\n"), Error);
  EXPECT_THROW(declared_signature("  size int 3\n"), Error);
  EXPECT_THROW(declared_signature("  size int = not JSON\n"), Error);
}

TEST(Declare, AddsNamesWithoutReadingTheirParameters) {
  Catalogue catalogue;
  declare(catalogue, "test_things", "\none.v1\n  size nonsense = {\ntwo.v1\n  meta {\"a\": 1}\n");
  EXPECT_EQ(catalogue.names("test_things"), (std::vector<std::string>{"one.v1", "two.v1"}));
  EXPECT_FALSE(catalogue.find("test_things", "one.v1")->built());
  EXPECT_EQ(catalogue.find("test_things", "two.v1")->meta().as_object().size(), 1U);
  EXPECT_THROW(catalogue.find("test_things", "one.v1")->signature(), Error);
}

class DeclaredNames : public testing::Test {
 protected:
  DeclaredNames() { add_builtin(catalogue_); }
  Config filled(const std::string& text) {
    Config config = read_cfg(text, "test.cfg", problems_, {.interpolate = false});
    return fill_pipeline_config(config, catalogue_, problems_);
  }
  Catalogue catalogue_;
  Problems problems_;
};

TEST_F(DeclaredNames, AllHaveParametersThatCanBeRead) {
  int unbuilt = 0;
  for (const std::string& kind : catalogue_.kinds()) {
    for (const std::string& name : catalogue_.names(kind)) {
      const Function& function = *catalogue_.find(kind, name);
      unbuilt += function.built() ? 0 : 1;
      EXPECT_NO_THROW(function.signature()) << kind << ' ' << name;
    }
  }
  EXPECT_GT(unbuilt, 100);
}

TEST_F(DeclaredNames, AConfigIsFilledAndBuildingItSaysSo) {
  const Config config = filled(
      "[nlp]\nlang = \"en\"\npipeline = [\"tagger\"]\n\n[components]\n\n"
      "[components.tagger]\nfactory = \"tagger\"\n");
  EXPECT_FALSE(has_errors(problems_)) << problems_.front().str();
  EXPECT_EQ(config.find("components.tagger.model.tok2vec.width")->as_integer(), 96);
  EXPECT_EQ(config.find("components.tagger.scorer.@scorers")->as_string(),
            "spacy.tagger_scorer.v1");
  EXPECT_EQ(config.find("training.score_weights.tag_acc")->as_float(), 1.0);
  Problems building;
  check_buildable(config, catalogue_, building);
  ASSERT_TRUE(has_errors(building));
  std::string text;
  for (const Problem& problem : building) text += problem.str();
  EXPECT_THAT(text, testing::HasSubstr("tagger is known, not built yet"));
}

TEST_F(DeclaredNames, WrongSettingsOfThemAreFound) {
  filled(
      "[nlp]\nlang = \"en\"\npipeline = [\"tagger\"]\n\n[components]\n\n"
      "[components.tagger]\nfactory = \"tagger\"\noverwrit = true\nneg_prefix = [1]\n");
  std::string text;
  for (const Problem& problem : problems_) text += problem.str() + "\n";
  EXPECT_THAT(text, testing::HasSubstr("overwrit"));
  EXPECT_THAT(text, testing::HasSubstr("neg_prefix"));
}

TEST_F(DeclaredNames, PretrainingIsCheckedWhereItIsNotEmpty) {
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

}  // namespace
}  // namespace weft
