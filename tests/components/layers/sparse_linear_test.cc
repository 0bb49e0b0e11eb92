// Counted words and word sequences, and the linear layer over them.
#include "framework/ops/sparse_linear.h"

#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "components/layers/layers.h"
#include "framework/nn/gradient_check.h"
#include "framework/nn/gradients.h"
#include "framework/text/doc.h"
#include "framework/text/hash.h"
#include "registry/base/error.h"
#include "tests/framework/ops/random_tensor.h"

namespace weft {
namespace {

constexpr int kOrth = 65;

class SparseLinearTest : public testing::Test {
 protected:
  SparseLinearTest() {
    add({"a", "cat", "a", "a"});
    add({});
    add({"cat", "sat"});
    for (const Doc& doc : docs_) batch_.push_back(&doc);
  }
  void add(const std::vector<std::string>& words) {
    docs_.push_back(Doc::from_words(vocab_, words));
  }
  TensorList counted(int ngram_size, DocBatch docs) {
    const ModelPtr layer = layers::extract_ngrams(ngram_size, kOrth);
    return std::get<TensorList>(layer->predict(ctx_, docs));
  }

  const std::shared_ptr<Vocab> vocab_ = std::make_shared<Vocab>("en");
  std::vector<Doc> docs_;
  std::vector<const Doc*> batch_;
  Context ctx_;
};

TEST_F(SparseLinearTest, WordsAreCountedOnceForEachDocumentInOrderOfTheirIds) {
  const TensorList list = counted(1, batch_);
  ASSERT_EQ(list.size(), 3U);
  ASSERT_EQ(list[0].size(), 4);
  const auto* keys = list[0].data<std::uint64_t>();
  const auto* counts = list[1].data<std::int32_t>();
  const StringId a = string_id("a");
  for (const int i : {0, 1}) EXPECT_EQ(counts[i], keys[i] == a ? 3 : 1);
  EXPECT_LT(keys[0], keys[1]);
  EXPECT_LT(keys[2], keys[3]);
  const auto* lengths = list[2].data<std::int64_t>();
  EXPECT_EQ(std::vector<std::int64_t>(lengths, lengths + 3), (std::vector<std::int64_t>{2, 0, 2}));
}

TEST_F(SparseLinearTest, SequencesAreHashesOfTheirIds) {
  const std::vector<const Doc*> one = {batch_[2]};
  const TensorList list = counted(3, one);
  ASSERT_EQ(list[0].size(), 3);
  const std::uint64_t ids[] = {string_id("cat"), string_id("sat")};
  const std::uint64_t pair = murmur_hash64({reinterpret_cast<const char*>(ids), sizeof(ids)}, 0);
  const auto* keys = list[0].data<std::uint64_t>();
  EXPECT_EQ(std::count(keys, keys + 3, pair), 1);
}

TEST_F(SparseLinearTest, ADocumentWithoutTokensHasNoSequences) {
  EXPECT_THROW(counted(2, batch_), Error);
}

TEST_F(SparseLinearTest, AnAttributeThatIsNoneIsRefused) {
  EXPECT_THROW(layers::extract_ngrams(1, 72), Error);
  EXPECT_THROW(layers::extract_ngrams(1, 0), Error);
}

// Recorded from Thinc 8.3: the places of key 1 in 1000 places, by either seed.
TEST_F(SparseLinearTest, PlacesAreHashesOfKeysModuloTheLength) {
  const SparseLayout layout{2, 1024, false}, old{2, 1024, true};
  for (const std::uint64_t key : {std::uint64_t{1}, string_id("cat")}) {
    for (const std::uint32_t seed : {0U, 1U}) {
      EXPECT_EQ(layout.first(key, seed), sparse_hash(key, seed) % 1024);
      EXPECT_EQ(old.first(key, seed), layout.first(key, seed)) << "a power of two";
    }
  }
}

class SparseGradients : public SparseLinearTest, public testing::WithParamInterface<bool> {};

TEST_P(SparseGradients, EqualDifferences) {
  for (const std::int64_t length : {64, 4}) {
    const ModelPtr linear = layers::sparse_linear(3, length, GetParam());
    const ModelPtr model = layers::chain({layers::extract_ngrams(1, kOrth), linear});
    InitRandom random(1);
    model->initialize(ctx_, Value(), Value(), random);
    linear->set_param("W", random_tensor({3 * length}, 4));
    const auto result = check_gradients(*model, DocBatch(batch_));
    EXPECT_LT(result.worst, 1e-2) << result.where;
  }
}

INSTANTIATE_TEST_SUITE_P(Indexing, SparseGradients, testing::Bool());

// Blocks of the gradient are kept where they divide the length.
TEST_F(SparseLinearTest, TheGradientKeepsFewBlocks) {
  for (const std::int64_t length : {4096, 1001}) {
    const ModelPtr linear = layers::sparse_linear(1, length);
    InitRandom random(1);
    linear->initialize(ctx_, Value(), Value(), random);
    Gradients gradients;
    CounterMasks masks(1, 0);
    Context ctx;
    ctx.pass().train(0.0, gradients, masks);
    const Forward forward = (*linear)(ctx, counted(1, batch_));
    const Tensor d = Tensor::from<float>({3, 1}, {1.0F, 2.0F, 4.0F});
    forward.backward(ctx, d);
    const RowGradient* rows = gradients.find_rows(linear->param("W"));
    ASSERT_EQ(rows != nullptr, length == 4096);
    if (rows != nullptr) {
      EXPECT_LE(rows->rows().size(), 6U) << "two places of three words";
    }
    const Tensor& whole = *gradients.find(linear->param("W"));
    ASSERT_EQ(whole.shape(), (Shape{length}));
    const float* w = whole.data<float>();
    EXPECT_EQ(std::accumulate(w, w + length, 0.0F), 2.0F * (4 * 1.0F + 2 * 4.0F));
  }
}

TEST_F(SparseLinearTest, WeightsOfAnotherSizeAreRefused) {
  const ModelPtr linear = layers::sparse_linear(2, 64);
  linear->set_param("W", Tensor::zeros({100}));
  linear->set_param("b", Tensor::zeros({2}));
  EXPECT_THROW(linear->predict(ctx_, counted(1, batch_)), Error);
}

TEST_F(SparseLinearTest, EqualRowsAreComputedOnce) {
  int rows = 0;
  const ModelPtr table = layers::hash_embed({.outputs = 4, .rows = 20, .seed = 1, .column = 0});
  table->set_forward(
      [&, run = table->forward_function()](Context& ctx, const Model& model, const Value& input) {
        rows = static_cast<int>(as_tensor(input).dim(0));
        return run(ctx, model, input);
      });
  const ModelPtr words = layers::uniqued(table);
  const ModelPtr model =
      layers::chain({layers::feature_extractor({"ORTH"}), layers::with_array(words)});
  InitRandom random(1);
  model->initialize(ctx_, DocBatch(batch_), {}, random);
  const auto result = check_gradients(*model, DocBatch(batch_));
  EXPECT_LT(result.worst, 1e-2) << result.where;
  EXPECT_EQ(rows, 3);
}

}  // namespace
}  // namespace weft
