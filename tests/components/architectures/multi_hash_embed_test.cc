#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "components/architectures/tok2vec_parts.h"
#include "framework/nn/gradient_check.h"
#include "framework/nn/parameter.h"
#include "framework/nn/run_formats.h"
#include "framework/ops/pass_observer.h"
#include "framework/precision/element_type.h"
#include "framework/text/doc.h"

namespace weft {
namespace {

class MultiHashEmbedTest : public testing::Test {
 protected:
  MultiHashEmbedTest() {
    const auto vocab = std::make_shared<Vocab>("en");
    docs_.push_back(Doc::from_words(vocab, {"the", "cat", "saw", "the", "cat", "the"}));
    docs_.push_back(Doc(vocab));
    docs_.push_back(Doc::from_words(vocab, {"It", "saw", "it"}));
    for (const Doc& doc : docs_) batch_.push_back(&doc);
    model_ = multi_hash_embed({6, {"NORM", "SHAPE"}, {50, 20}, false});
    InitRandom random(3);
    model_->initialize(ctx_, DocBatch(batch_), {}, random);
    model_->name_sites("embed");
  }

  Context ctx_;
  std::vector<Doc> docs_;
  std::vector<const Doc*> batch_;
  ModelPtr model_;
};

std::vector<float> numbers(const Value& output) {
  const Tensor& rows = std::get<Ragged>(output).data;
  return {rows.data<float>(), rows.data<float>() + rows.size()};
}

TEST_F(MultiHashEmbedTest, OncePerTypeGivesWhatTheLayersGiveOneAfterAnother) {
  Value value = DocBatch(batch_);
  for (const ModelPtr& layer : model_->layers()) value = layer->predict(ctx_, value);
  const std::vector<float> plain = numbers(value);
  const std::vector<float> by_type = numbers(model_->predict(ctx_, DocBatch(batch_)));
  ASSERT_EQ(by_type.size(), plain.size());
  for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_NEAR(by_type[i], plain[i], 1e-6) << i;
}

TEST_F(MultiHashEmbedTest, GradientsOfRepeatedTypesEqualDifferences) {
  for (const double dropout : {0.0, 0.3}) {
    const auto result = check_gradients(*model_, DocBatch(batch_), {.dropout = dropout});
    EXPECT_LT(result.worst, 2e-2) << result.where;
  }
}

// The output and the gradients of all parameters, in f32, of a pass under a policy.
std::vector<Tensor> pass_at(const std::string& level, Model& model, const DocBatch& docs,
                            PassObserver* observer) {
  PrecisionSettings settings;
  settings.level = level;
  RunFormats formats(make_precision_policy(settings));
  formats.add(model);
  formats.narrow_weights();
  Context ctx;
  Gradients gradients;
  gradients.keep_as(formats.gradient_type());
  CounterMasks masks(7, 1);
  ctx.pass().train(0.2, gradients, masks);
  ctx.follow(&formats);
  ctx.watch().observe(observer);
  const Forward forward = model(ctx, docs);
  const Ragged& y = std::get<Ragged>(forward.output);
  std::vector<Tensor> all{cast_to(DType::f32, y.data).clone()};
  Tensor dy = all[0].clone();
  for (std::int64_t i = 0; i < dy.size(); ++i) dy.data<float>()[i] += 0.01F * static_cast<float>(i);
  forward.backward(ctx, Ragged{cast_to(y.data.dtype(), dy), y.lengths});
  for (const Model* node : std::as_const(model).walk()) {
    for (const auto& param : node->params()) all.push_back(gradients.find(*param)->clone());
  }
  formats.widen_weights();
  return all;
}

TEST_F(MultiHashEmbedTest, UnderAPolicyItGivesWhatTheLayersGiveOneAfterAnother) {
  PassObserver watching;  // watched layers run one after the other
  for (const char* level : {"O1", "O2", "O3", "bf16", "tf32"}) {
    const auto strips = pass_at(level, *model_, DocBatch(batch_), nullptr);
    const auto layers = pass_at(level, *model_, DocBatch(batch_), &watching);
    ASSERT_EQ(strips.size(), 7U);  // the output, two tables, W and b, G and b
    ASSERT_EQ(layers.size(), strips.size());
    const double tolerance = std::string(level) == "O3" ? 1e-3 : 1e-5;
    for (std::size_t i = 0; i < strips.size(); ++i) {
      ASSERT_EQ(strips[i].shape(), layers[i].shape()) << level << " " << i;
      for (std::int64_t j = 0; j < strips[i].size(); ++j) {
        const double expected = layers[i].data<float>()[j];
        ASSERT_NEAR(strips[i].data<float>()[j], expected, tolerance * (1.0 + std::abs(expected)))
            << level << ", array " << i << ", number " << j;
      }
    }
  }
}

TEST_F(MultiHashEmbedTest, NoTokensGiveNoRows) {
  const std::vector<const Doc*> empty{&docs_[1]};
  EXPECT_EQ(std::get<Ragged>(model_->predict(ctx_, DocBatch(empty))).data.dim(0), 0);
}

}  // namespace
}  // namespace weft
