#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "components/architectures/tok2vec_parts.h"
#include "framework/nn/gradient_check.h"
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

TEST_F(MultiHashEmbedTest, NoTokensGiveNoRows) {
  const std::vector<const Doc*> empty{&docs_[1]};
  EXPECT_EQ(std::get<Ragged>(model_->predict(ctx_, DocBatch(empty))).data.dim(0), 0);
}

}  // namespace
}  // namespace weft
