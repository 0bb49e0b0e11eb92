#include <memory>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "components/architectures/tok2vec_parts.h"
#include "framework/nn/gradient_check.h"
#include "framework/nn/model_file.h"
#include "framework/text/doc.h"
#include "registry/base/error.h"

namespace weft {
namespace {

class Tok2VecTest : public testing::Test {
 protected:
  Tok2VecTest() {
    const auto vocab = std::make_shared<Vocab>("en");
    docs_.push_back(Doc::from_words(vocab, {"The", "cat", "saw", "the", "cat"}));
    docs_.push_back(Doc(vocab));
    docs_.push_back(Doc::from_words(vocab, {"It"}));
    for (const Doc& doc : docs_) batch_.push_back(&doc);
    model_ = small();
    InitRandom random(3);
    model_->initialize(ctx_, DocBatch(batch_), {}, random);
    model_->name_sites("tok2vec");
  }

  static ModelPtr small() {
    return tok2vec(multi_hash_embed({6, {"NORM", "PREFIX", "LOWER"}, {50, 20, 30}, false}),
                   maxout_window_encoder({6, 1, 3, 2}));
  }
  std::vector<float> run(const Model& model, std::span<const Doc* const> docs) {
    const Value output = model.predict(ctx_, docs);
    const Tensor& rows = std::get<Ragged>(output).data;
    return {rows.data<float>(), rows.data<float>() + rows.size()};
  }

  Context ctx_;
  std::vector<Doc> docs_;
  std::vector<const Doc*> batch_;
  ModelPtr model_;
};

TEST_F(Tok2VecTest, GradientsEqualDifferences) {
  for (const double dropout : {0.0, 0.3}) {
    const auto result = check_gradients(*model_, DocBatch(batch_), {.dropout = dropout});
    EXPECT_LT(result.worst, 2e-2) << result.where;
  }
}

TEST_F(Tok2VecTest, DocumentsDoNotSeeEachOther) {
  const std::vector<float> all = run(*model_, batch_);
  const std::vector<float> first = run(*model_, std::span(batch_).first(1));
  const std::vector<float> last = run(*model_, std::span(batch_).last(1));
  ASSERT_EQ(all.size(), first.size() + last.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_NEAR(all[i], i < first.size() ? first[i] : last[i - first.size()], 1e-5);
  }
}

TEST_F(Tok2VecTest, AFileBringsTheSameNumbersBack) {
  const ModelPtr other = small();
  model_from_bytes(*other, model_to_bytes(*model_), "model");
  EXPECT_EQ(run(*other, batch_), run(*model_, batch_));
}

// Recorded from spaCy 3.8 for four attributes and two layers: nodes breadth first.
TEST(Tok2VecTree, HasTheNodesOfTheReference) {
  const ModelPtr model =
      tok2vec(multi_hash_embed({32, {"NORM", "PREFIX", "SUFFIX", "SHAPE"}, {9, 8, 7, 6}, false}),
              maxout_window_encoder({32, 1, 3, 2}));
  const auto nodes = model->walk();
  ASSERT_EQ(nodes.size(), 43U);
  const std::string column = "ints-getitem>>hashembed";
  EXPECT_EQ(nodes[9]->name(), column + "|" + column + "|" + column + "|" + column);
  EXPECT_EQ(nodes[11]->name(), "residual(expand_window>>maxout>>layernorm>>dropout)");
  EXPECT_EQ(nodes[18]->name(), "dropout");
  EXPECT_EQ(nodes[22]->name(), "hashembed");
  EXPECT_EQ(nodes[29]->name(), "maxout");
  EXPECT_EQ(nodes[42]->name(), "layernorm");
  EXPECT_EQ(&model->ref("embed"), nodes[1]);
  EXPECT_EQ(&model->ref("encode"), nodes[2]);
  EXPECT_EQ(nodes[2]->attr("pad")->as_integer(), 2);
}

TEST(MultiHashEmbed, RefusesWhatDoesNotFit) {
  EXPECT_THROW(multi_hash_embed({6, {"NORM"}, {50, 20}, false}), Error);
  EXPECT_THROW(multi_hash_embed({6, {"NOSUCH"}, {50}, false}), Error);
}

}  // namespace
}  // namespace weft
