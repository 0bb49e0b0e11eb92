// The networks that classify documents: their nodes, gradients, and further labels.
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "components/architectures/textcat_parts.h"
#include "framework/nn/gradient_check.h"
#include "framework/nn/model_file.h"
#include "framework/text/doc.h"
#include "registry/base/error.h"
#include "tests/components/building.h"
#include "tests/components/small_config.h"

namespace weft {
namespace {

const std::string kTok2Vec =
    "\n[block.tok2vec]\n" + small::hash_embed_cnn({.width = 8, .rows = 40, .subwords = true});

struct Case {
  std::string name;
  std::string block;
  bool has_softmax_layer = false;  // which is given the gradient of the scores before it
  bool grows = false;
  float new_bias = 0.0F;
};

std::string bow(const std::string& version, bool exclusive, bool raw = false) {
  return "@architectures = \"spacy.TextCatBOW." + version +
         "\"\nexclusive_classes = " + (exclusive ? "true" : "false") +
         "\nngram_size = 1\nno_output_layer = " + (raw ? "true" : "false") + "\n" +
         (version == "v3" ? "length = 60\n" : "");
}
std::string reduce(bool exclusive, bool all) {
  const std::string others = all ? "true" : "false";
  return std::string("@architectures = \"spacy.TextCatReduce.v1\"\nexclusive_classes = ") +
         (exclusive ? "true" : "false") + "\nuse_reduce_first = " + others +
         "\nuse_reduce_last = " + others + "\nuse_reduce_max = " + others +
         "\nuse_reduce_mean = true\n" + kTok2Vec;
}
std::string over_tok2vec(const std::string& name, bool exclusive) {
  return "@architectures = \"spacy." + name +
         "\"\nexclusive_classes = " + (exclusive ? "true" : "false") + "\n" + kTok2Vec;
}
std::string ensemble(bool exclusive) {
  std::string linear = bow("v3", exclusive);
  return std::string("@architectures = \"spacy.TextCatEnsemble.v2\"\n") + kTok2Vec +
         "[block.linear_model]\n" + linear;
}
std::string ensemble_v1(bool exclusive) {
  return std::string(
             "@architectures = \"spacy.TextCatEnsemble.v1\"\nwidth = 8\nembed_size = 30\n"
             "pretrained_vectors = null\nngram_size = 1\nwindow_size = 1\n"
             "conv_depth = 2\ndropout = 0.1\nexclusive_classes = ") +
         (exclusive ? "true" : "false") + "\n";
}

std::vector<Case> cases() {
  return {{"bow3", bow("v3", true), false, true, -5000.0F},
          {"bow3_multi", bow("v3", false), false, true, -5000.0F},
          {"bow3_raw", bow("v3", false, true), false, true, 0.0F},
          {"reduce", reduce(true, true), true, true, -5000.0F},
          {"reduce_multi", reduce(false, true), false, true, 0.0F},
          {"cnn2", over_tok2vec("TextCatCNN.v2", false), false, true, 0.0F},
          {"cnn1", over_tok2vec("TextCatCNN.v1", false)},
          {"cnn1_exclusive", over_tok2vec("TextCatCNN.v1", true), true},
          {"attention", over_tok2vec("TextCatParametricAttention.v1", true), true},
          {"attention_multi", over_tok2vec("TextCatParametricAttention.v1", false)},
          {"ensemble", ensemble(true), true},
          {"ensemble_multi", ensemble(false)},
          {"ensemble1", ensemble_v1(true), true},
          {"ensemble1_multi", ensemble_v1(false)}};
}

class Textcat : public ::testing::TestWithParam<Case> {
 protected:
  Textcat() {
    const auto vocab = std::make_shared<Vocab>("en");
    docs_.push_back(Doc::from_words(vocab, {"The", "cat", "saw", "the", "cat"}));
    docs_.push_back(Doc::from_words(vocab, {"It"}));
    docs_.push_back(Doc::from_words(vocab, {"No", "cat", "sat"}));
    for (const Doc& doc : docs_) batch_.push_back(&doc);
  }
  ModelPtr initialized() {
    ModelPtr model = testing::build<ModelPtr>(GetParam().block);
    InitRandom random(3);
    model->initialize(ctx_, DocBatch(batch_), Tensor::zeros({3, 4}), random);
    model->name_sites("textcat");
    return model;
  }
  std::vector<float> run(const Model& model) {
    const Value output = model.predict(ctx_, DocBatch(batch_));
    const Tensor& rows = as_tensor(output);
    return {rows.data<float>(), rows.data<float>() + rows.size()};
  }

  Context ctx_;
  std::vector<Doc> docs_;
  std::vector<const Doc*> batch_;
};

TEST_P(Textcat, GivesAScoreForEachLabel) {
  const ModelPtr model = initialized();
  EXPECT_EQ(model->dim("nO"), 4);
  EXPECT_EQ(run(*model).size(), 12U);
  EXPECT_TRUE(model->has_ref("output_layer"));
  ASSERT_NE(model->attr("multi_label"), nullptr);
}

TEST_P(Textcat, GradientsEqualDifferences) {
  if (GetParam().has_softmax_layer) GTEST_SKIP() << "its slope is left to the loss";
  const ModelPtr model = initialized();
  for (Model* node : model->walk()) {  // what starts at zero hides mistakes
    for (const auto& parameter : node->params()) {
      for (std::int64_t i = 0; i < parameter->value.size(); ++i) {
        parameter->value.data<float>()[i] += 0.1F * static_cast<float>(i % 7 - 3);
      }
    }
  }
  for (const double dropout : {0.0, 0.3}) {
    const auto result = check_gradients(*model, DocBatch(batch_), {.dropout = dropout});
    EXPECT_LT(result.worst, 2e-2) << result.where << " with dropout " << dropout;
  }
}

TEST_P(Textcat, IsTheSameFromItsFile) {
  const ModelPtr model = initialized();
  for (const auto& parameter : model->ref("output_layer").params()) {
    for (std::int64_t i = 0; i < parameter->value.size(); ++i) {
      parameter->value.data<float>()[i] = 0.01F * static_cast<float>(i % 11);
    }
  }
  const ModelPtr other = testing::build<ModelPtr>(GetParam().block);
  model_from_bytes(*other, model_to_bytes(*model), "test");
  EXPECT_EQ(run(*other), run(*model));
  EXPECT_EQ(model_to_bytes(*other), model_to_bytes(*model));
}

TEST_P(Textcat, FurtherLabelsStartImprobableOrUndecided) {
  const ModelPtr model = initialized();
  const std::vector<float> before = run(*model);
  ASSERT_EQ(grow_outputs(*model, 5), GetParam().grows);
  if (!GetParam().grows) return;
  EXPECT_EQ(model->dim("nO"), 5);
  const std::vector<float> after = run(*model);
  ASSERT_EQ(after.size(), 15U);
  for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(after[i / 4 * 5 + i % 4], before[i], 1e-6F);
  EXPECT_EQ(model->ref("output_layer").param("b").value.data<float>()[4], GetParam().new_bias);
  const ModelPtr other = testing::build<ModelPtr>(GetParam().block);
  model_from_bytes(*other, model_to_bytes(*model), "test");
  EXPECT_EQ(run(*other), after);
}

INSTANTIATE_TEST_SUITE_P(All, Textcat, ::testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

TEST(TextcatBow, RoundsItsLengthUp) {
  const auto model = testing::build<ModelPtr>(bow("v3", true));
  EXPECT_EQ(model->ref("output_layer").dim("length"), 64);
  const auto older = testing::build<ModelPtr>(bow("v2", true));
  EXPECT_EQ(older->ref("output_layer").dim("length"), 262144);
}

TEST(TextcatNodes, HaveTheNamesOfTheReference) {
  const auto model = testing::build<ModelPtr>(bow("v3", false));
  std::vector<std::string> names;
  for (const Model* node : std::as_const(*model).walk()) names.push_back(node->name());
  EXPECT_EQ(names, (std::vector<std::string>{
                       "with_cpu(extract_ngrams>>resizable(sparse_linear))>>with_cpu(logistic)",
                       "with_cpu(extract_ngrams>>resizable(sparse_linear))", "with_cpu(logistic)",
                       "extract_ngrams>>resizable(sparse_linear)", "logistic", "extract_ngrams",
                       "resizable(sparse_linear)", "sparse_linear"}));
}

}  // namespace
}  // namespace weft
