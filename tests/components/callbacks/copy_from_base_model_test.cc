#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "components/builtin.h"
#include "framework/io/atomic_file.h"
#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/callback.h"
#include "framework/pipeline/load_config.h"
#include "framework/text/tokenizer.h"
#include "framework/text/vectors.h"
#include "registry/base/error.h"
#include "registry/reading/cfg_reader.h"
#include "registry/value/json.h"
#include "tests/components/building.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

class CopyFromBaseModel : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    add_builtin(catalogue_);
    const auto base = pipeline("de");
    Lookups lookups;
    lookups.add(Lookups::kNorms, {{"cuz", "because"}});
    base->mutable_vocab().set_lookups(lookups);
    base->mutable_vocab().set_vectors(std::make_shared<Vectors>(
        Tensor::zeros({2, 3}), std::vector<Vectors::KeyRow>{{string_id("a"), 1}}));
    base->to_disk(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::shared_ptr<Language> pipeline(const std::string& lang) {
    Problems problems;
    Config config = read_cfg("[nlp]\nlang = \"" + lang + "\"\n", "test.cfg", problems);
    config = fill_pipeline_config(config, catalogue_, problems);
    if (has_errors(problems)) throw Error(ErrorKind::config, problems);
    return build_pipeline(config, catalogue_);
  }
  void run(Language& nlp, const std::string& settings) {
    CallbackCall call{nlp};
    testing::build<Callback>("@callbacks = \"spacy.copy_from_base_model.v1\"\n" + settings)
        .call(call);
  }
  std::string failure(const std::string& settings) {
    const auto nlp = pipeline("en");
    try {
      run(*nlp, settings);
    } catch (const Error& error) {
      return error.what();
    }
    return "it runs";
  }

  fs::path folder_ = fs::path(::testing::TempDir()) /
                     ::testing::UnitTest::GetInstance()->current_test_info()->name();
  Catalogue catalogue_;
};

TEST_F(CopyFromBaseModel, TakesVocabularyAndTokenizer) {
  const auto nlp = pipeline("en");
  const auto german = pipeline("de")->tokenizer().rules();
  ASSERT_NE(nlp->tokenizer().rules().special_cases.size(), german.special_cases.size());
  run(*nlp, "vocab = \"" + folder_.string() + "\"\ntokenizer = \"" + folder_.string() + "\"");
  EXPECT_EQ(nlp->tokenizer().rules().special_cases.size(), german.special_cases.size());
  EXPECT_EQ(nlp->vocab()->norm_of("cuz"), "because");
  EXPECT_EQ(nlp->vocab()->vectors().row_of(string_id("a")), 1);
}

TEST_F(CopyFromBaseModel, TakesOnlyWhatItIsAskedFor) {
  const auto nlp = pipeline("en");
  const std::size_t exceptions = nlp->tokenizer().rules().special_cases.size();
  run(*nlp, "");
  run(*nlp, "vocab = \"" + folder_.string() + "\"");
  EXPECT_EQ(nlp->tokenizer().rules().special_cases.size(), exceptions);
  EXPECT_EQ(nlp->vocab()->vectors().rows(), 2);
}

TEST_F(CopyFromBaseModel, SaysWhatIsMissing) {
  using ::testing::HasSubstr;
  EXPECT_THAT(failure("vocab = \"/nowhere\""), HasSubstr("'/nowhere' is no folder of a pipeline"));
  EXPECT_THAT(failure("tokenizer = \"/nowhere\""), HasSubstr("config.cfg"));
  std::string config = read_file(folder_ / "config.cfg");
  config.replace(config.find("spacy.Tokenizer.v1"), 18, "acme.Tokenizer.v1");
  write_file(folder_ / "config.cfg", config);
  EXPECT_THAT(failure("tokenizer = \"" + folder_.string() + "\""), HasSubstr("must agree"));
}

// Without the place it would be told as a fault of the training data.
TEST_F(CopyFromBaseModel, DamageHasItsPlace) {
  const std::string folder = folder_.string();
  write_file(folder_ / "tokenizer", "\x91");
  EXPECT_THAT(failure("tokenizer = \"" + folder + "\""),
              ::testing::HasSubstr(folder + "/tokenizer  tokenizer file: "));
  write_file(folder_ / "vocab/strings.json", "[");
  EXPECT_THAT(failure("vocab = \"" + folder + "\""),
              ::testing::HasSubstr(folder + "/vocab/strings.json:1:2  no valid JSON"));
}

TEST(NvtxCallbacks, AreAcceptedAndDoNothing) {
  const auto nlp = blank("en", {"ner"});
  const std::string config = to_json(nlp->config().root());
  CallbackCall call{*nlp};
  testing::build<Callback>("@callbacks = \"spacy.models_with_nvtx_range.v1\"").call(call);
  testing::build<Callback>("@callbacks = \"spacy.models_and_pipes_with_nvtx_range.v1\"").call(call);
  EXPECT_EQ(to_json(nlp->config().root()), config);
  ASSERT_EQ(nlp->pipeline().size(), 1U);
  EXPECT_EQ(nlp->pipeline()[0].name, "ner");
}

}  // namespace
}  // namespace weft
