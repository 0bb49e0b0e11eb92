#include <map>
#include <memory>

#include <gtest/gtest.h>

#include "components/layers/layers.h"
#include "framework/nn/gradient_check.h"
#include "framework/nn/gradients.h"
#include "framework/text/doc.h"

namespace weft {
namespace {

class CharEmbedTest : public testing::Test {
 protected:
  CharEmbedTest() {
    docs_.push_back(Doc::from_words(vocab_, {"cat", "cot", "a"}));
    docs_.push_back(Doc::from_words(vocab_, {"cat", "über"}));
    for (const Doc& doc : docs_) batch_.push_back(&doc);
    Tensor table = Tensor::zeros({3, 256, 2});
    for (int i = 0; i < table.size(); ++i) table.data<float>()[i] = static_cast<float>(i % 11) / 10;
    model_->set_param("E", table);
  }

  const std::shared_ptr<Vocab> vocab_ = std::make_shared<Vocab>("en");
  std::vector<Doc> docs_;
  std::vector<const Doc*> batch_;
  ModelPtr model_ = layers::char_embed(2, 3);
  Context ctx_;
};

// All numbers of these tests were recorded from spaCy 3.8: nM 2, nC 3,
// E[p][b][k] = ((256 p + b) 2 + k) % 11 / 10.
TEST_F(CharEmbedTest, TakesBytesFromBothEnds) {
  const std::vector<float> expected = {
      0.0F, 0.1F, 0.7F, 0.8F, 0.8F, 0.9F,   // c t a
      0.0F, 0.1F, 0.7F, 0.8F, 0.3F, 0.4F,   // c t o
      0.7F, 0.8F, 1.0F, 0.0F, 0.5F, 0.6F,   // a and padding
      0.0F, 0.1F, 0.7F, 0.8F, 0.8F, 0.9F,   // c t a
      0.5F, 0.6F, 0.3F, 0.4F, 0.3F, 0.4F};  // the two bytes of ü around r
  const Value output = model_->predict(ctx_, DocBatch(batch_));
  const Ragged& rows = std::get<Ragged>(output);
  ASSERT_EQ(rows.data.shape(), (Shape{5, 6}));
  EXPECT_EQ(rows.lengths, (std::vector<std::int64_t>{3, 2}));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(rows.data.data<float>()[i], expected[i], 1e-6) << i;
  }
}

// Where tokens of a document share a byte in a place, the last one's gradient alone counts.
TEST_F(CharEmbedTest, TheGradientIsTheRecordedOne) {
  Gradients gradients;
  CounterMasks masks(1, 0);
  ctx_.pass().train(0.0, gradients, masks);
  const Forward forward = (*model_)(ctx_, DocBatch(batch_));
  Ragged dy{Tensor::zeros({5, 6}), {3, 2}};
  int row = 0;
  for (int d = 0; d < 2; ++d) {
    for (int t = 0; t < (d == 0 ? 3 : 2); ++t, ++row) {
      for (int j = 0; j < 6; ++j) {
        dy.data.data<float>()[row * 6 + j] = static_cast<float>((t * 5 + j * 3 + d) % 7 - 3);
      }
    }
  }
  forward.backward(ctx_, dy);
  const std::map<std::pair<int, int>, std::pair<float, float>> expected = {
      {{0, 97}, {0, 3}},    {{0, 99}, {0, -1}},  {{0, 195}, {3, -1}}, {{1, 114}, {2, -2}},
      {{1, 116}, {-2, -3}}, {{1, 255}, {-1, 2}}, {{2, 97}, {5, -3}},  {{2, 111}, {0, 3}},
      {{2, 188}, {1, -3}},  {{2, 255}, {-2, 1}}};
  const float* found = gradients.of(model_->param("E")).data<float>();
  for (int place = 0; place < 3; ++place) {
    for (int byte = 0; byte < 256; ++byte, found += 2) {
      const auto at = expected.find({place, byte});
      const auto [first, second] = at == expected.end() ? std::pair<float, float>() : at->second;
      EXPECT_EQ(found[0], first) << place << ' ' << byte;
      EXPECT_EQ(found[1], second) << place << ' ' << byte;
    }
  }
}

TEST_F(CharEmbedTest, GradientsEqualDifferencesWhereNoByteRepeats) {
  const Doc first = Doc::from_words(vocab_, {"cat", "über"});
  const Doc second = Doc::from_words(vocab_, {"cat"});
  const Doc* docs[] = {&first, &second};
  const auto result = check_gradients(*model_, DocBatch(docs), {.most = 2000});
  EXPECT_LT(result.worst, 1e-2) << result.where;
}

TEST_F(CharEmbedTest, StartsAtZero) {
  const ModelPtr fresh = layers::char_embed(4, 5);
  InitRandom random(1);
  fresh->initialize(ctx_, DocBatch(batch_), {}, random);
  EXPECT_EQ(fresh->dim("nO"), 20);
  const Tensor& table = fresh->param("E").value;
  ASSERT_EQ(table.shape(), (Shape{5, 256, 4}));
  EXPECT_TRUE(std::all_of(table.data<float>(), table.data<float>() + table.size(),
                          [](float x) { return x == 0.0F; }));
}

}  // namespace
}  // namespace weft
