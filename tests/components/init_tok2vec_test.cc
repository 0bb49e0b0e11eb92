// [initialize] init_tok2vec: pretrained weights go to the layer that [pretraining] names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "components/builtin.h"
#include "framework/io/atomic_file.h"
#include "framework/nn/model_file.h"
#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/initialize.h"
#include "framework/pipeline/load_config.h"
#include "framework/training/example_streams.h"
#include "registry/base/error.h"
#include "registry/reading/cfg_reader.h"
#include "tests/components/small_config.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

const std::string kPipeline =
    small::nlp_section("[\"tok2vec\"]") +
    small::tok2vec_section(small::hash_embed_cnn({.width = 8, .rows = 20, .subwords = true}));

constexpr const char* kPretraining = R"cfg(
[pretraining]
max_epochs = 10
dropout = 0.2
n_save_every = null
n_save_epoch = null
corpus = "corpora.pretrain"
component = "COMPONENT"
layer = "LAYER"

[pretraining.batcher]
@batchers = "spacy.batch_by_words.v1"
size = 3000
discard_oversize = false
tolerance = 0.2

[pretraining.objective]
@architectures = "spacy.PretrainCharacters.v1"
maxout_pieces = 3
hidden_size = 300
n_characters = 4

[pretraining.optimizer]
@optimizers = "Adam.v1"
)cfg";

class InitTok2Vec : public testing::Test {
 protected:
  InitTok2Vec() { add_builtin(catalogue_); }
  void TearDown() override { fs::remove(file_); }

  std::shared_ptr<Language> built(const std::string& text) {
    Problems problems;
    Config config = read_cfg(text, "test.cfg", problems, {.interpolate = false});
    config = fill_pipeline_config(config, catalogue_, problems);
    if (has_errors(problems)) throw Error(ErrorKind::config, problems);
    return build_pipeline(config, catalogue_);
  }
  // An initialised pipeline.
  std::shared_ptr<Language> made(const std::string& text, std::uint64_t seed,
                                 const InitializeSettings& settings = {},
                                 const std::vector<std::string>& frozen = {}) {
    auto nlp = built(text);
    const auto examples = [&]() -> ExampleStreamPtr {
      return stream_of([&, left = 1]() mutable -> ExamplePtr {
        if (left-- == 0) return nullptr;
        return std::make_shared<Example>(
            Example::from_reference(Doc::from_words(nlp->vocab(), {"a", "b"})));
      });
    };
    initialize_pipeline(*nlp, settings, {.examples = examples, .seed = seed, .frozen = frozen});
    return nlp;
  }
  static std::string pretraining(const std::string& component, const std::string& layer) {
    std::string text = kPretraining;
    text.replace(text.find("COMPONENT"), 9, component);
    return text.replace(text.find("LAYER"), 5, layer);
  }
  static InitializeSettings weights_in(const std::string& file) {
    InitializeSettings settings;
    settings.init_tok2vec = file;
    return settings;
  }
  static Model& model_of(const Language& nlp) { return *nlp.find("tok2vec")->models().front(); }
  std::string failure(const std::string& text, const std::string& file) {
    try {
      made(text, 2, weights_in(file));
    } catch (const Error& error) {
      return error.what();
    }
    return "it runs";
  }

  Catalogue catalogue_;
  fs::path file_ =
      fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(InitTok2Vec, AFileWithoutWeightsIsRefused) {
  const std::string text = kPipeline + pretraining("tok2vec", "");
  write_file(file_, model_to_bytes(model_of(*built(text))));
  EXPECT_THAT(failure(text, file_.string()),
              testing::HasSubstr("init_tok2vec: '" + file_.string() + "' has no weights"));
}

TEST_F(InitTok2Vec, AFrozenComponentWithoutWeightsIsNamed) {
  try {
    made(kPipeline, 1, {}, {"tok2vec"});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("'tok2vec' has no weights to keep"));
  }
}

TEST_F(InitTok2Vec, LoadsTheWholeModel) {
  const auto first = made(kPipeline, 1);
  const std::string weights = model_to_bytes(model_of(*first));
  write_file(file_, weights);
  const std::string config = kPipeline + pretraining("tok2vec", "");
  const auto second = made(config, 2, weights_in(file_.string()));
  EXPECT_EQ(model_to_bytes(model_of(*second)), weights);
  EXPECT_NE(model_to_bytes(model_of(*made(config, 2))), weights);
}

TEST_F(InitTok2Vec, LoadsAPartOfTheModel) {
  const auto first = made(kPipeline, 1);
  const std::string weights = model_to_bytes(model_of(*first).ref("encode"));
  write_file(file_, weights);
  const auto second =
      made(kPipeline + pretraining("tok2vec", "encode"), 2, weights_in(file_.string()));
  EXPECT_EQ(model_to_bytes(model_of(*second).ref("encode")), weights);
  EXPECT_NE(model_to_bytes(model_of(*second).ref("embed")),
            model_to_bytes(model_of(*first).ref("embed")));
}

TEST_F(InitTok2Vec, SaysWhatIsWrong) {
  using testing::HasSubstr;
  write_file(file_, "no model");
  const std::string good = kPipeline + pretraining("tok2vec", "");
  EXPECT_THAT(failure(good, file_.string()), HasSubstr(file_.string()));
  EXPECT_THAT(failure(good, "/nowhere"), HasSubstr("there is no file '/nowhere'"));
  EXPECT_THAT(failure(kPipeline, file_.string()), HasSubstr("needs [pretraining] component"));
  EXPECT_THAT(failure(kPipeline + pretraining("tagger", ""), file_.string()),
              HasSubstr("has no 'tagger'"));
  EXPECT_THAT(failure(kPipeline + pretraining("tok2vec", "middle"), file_.string()),
              HasSubstr("has no part called 'middle'"));
}

}  // namespace
}  // namespace weft
