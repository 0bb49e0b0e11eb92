#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "components/architectures/tok2vec_parts.h"
#include "framework/nn/fused/type_vectors.h"
#include "framework/nn/gradient_check.h"
#include "framework/nn/gradients.h"
#include "framework/nn/run_formats.h"
#include "framework/ops/packed_weights.h"
#include "framework/ops/pass_observer.h"
#include "framework/precision/element_type.h"
#include "framework/text/doc.h"
#include "registry/base/error.h"

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

// A prediction of several groups: the weights are packed for all of them.
class SavedVectorsTest : public MultiHashEmbedTest {
 protected:
  void SetUp() override {
    ctx_.pass().predict();
    ctx_.pass().share({nullptr, &packed_, nullptr});
    alone_.pass().predict();
    first_ = numbers(model_->predict(ctx_, DocBatch(batch_)));
    for (Model* node : model_->walk()) {
      for (auto& param : node->params()) {
        if (param->is_table) tables_.push_back(&param->value);
        if (param->value.shape().rank() == 3) weights_ = param->value.cview().data;
      }
    }
    ASSERT_EQ(tables_.size(), 2U);
    ASSERT_NE(weights_, nullptr);
  }
  std::vector<float> again() { return numbers(model_->predict(ctx_, DocBatch(batch_))); }

  PackedWeights packed_;
  Context alone_;
  std::vector<float> first_;
  std::vector<Tensor*> tables_;
  const void* weights_ = nullptr;
};

TEST_F(SavedVectorsTest, AreTheBytesThatAreComputedAnew) {
  EXPECT_EQ(again(), first_);
  const Doc other =
      Doc::from_words(docs_[0].vocab(), {"a", "cat", "saw", "Ada", "and", "a", "dog"});
  const std::vector<const Doc*> mixed = {&other, &docs_[0], &other};
  const std::vector<float> plain = numbers(model_->predict(alone_, DocBatch(mixed)));
  for (int pass = 0; pass < 2; ++pass) {
    EXPECT_EQ(numbers(model_->predict(ctx_, DocBatch(mixed))), plain) << pass;
    EXPECT_EQ(again(), first_) << pass;
  }
}

// A changed table shows in vectors that are computed, and in no others.
TEST_F(SavedVectorsTest, AreComputedOnceUntilTheWeightsMayHaveChanged) {
  const bool are_kept = packed_.has(weights_);  // this processor has a kernel that packs
  EXPECT_EQ(again(), first_);
  for (Tensor* table : tables_) table->fill_zero();
  const std::vector<float> changed = numbers(model_->predict(alone_, DocBatch(batch_)));
  ASSERT_NE(changed, first_);
  EXPECT_EQ(again(), are_kept ? first_ : changed);
  packed_.forget();
  EXPECT_EQ(again(), changed);
}

TEST_F(SavedVectorsTest, UnderAPolicyTheyAreTheBytesThatAreComputedAnewToo) {
  for (const char* level : {"O1", "O2", "O3", "bf16", "tf32"}) {
    PrecisionSettings settings;
    settings.level = level;
    RunFormats formats(make_precision_policy(settings));
    formats.add(*model_);
    formats.narrow_weights();
    packed_.forget();
    const auto vectors = [&](Context& ctx) {
      ctx.follow(&formats);
      const Tensor rows = std::get<Ragged>(model_->predict(ctx, DocBatch(batch_))).data;
      ctx.follow(nullptr);
      return cast_to(DType::f32, rows).clone();
    };
    const Tensor plain = vectors(alone_);
    for (int pass = 0; pass < 3; ++pass) {  // computed, kept, looked up
      const Tensor found = vectors(ctx_);
      ASSERT_EQ(found.shape(), plain.shape());
      for (std::int64_t i = 0; i < plain.size(); ++i) {
        ASSERT_EQ(found.data<float>()[i], plain.data<float>()[i]) << level << ' ' << pass;
      }
    }
    formats.widen_weights();
  }
}

// The vector of a type is its id, many times; `computed` counts the types.
struct Computing {
  std::int64_t width, computed = 0;
  bool fails = false;

  Tensor operator()(const Tensor& types) {
    if (fails) throw Error(ErrorKind::memory, "no memory");
    Tensor vectors = Tensor::zeros({types.dim(0), width});
    for (std::int64_t i = 0; i < vectors.size(); ++i) {
      vectors.data<float>()[i] = static_cast<float>(types.data<std::uint64_t>()[i / width]);
    }
    computed += types.dim(0);
    return vectors;
  }
};

Tensor ids_from(std::uint64_t first, std::int64_t count) {
  Tensor ids = Tensor::zeros({count, 1}, DType::u64);
  for (std::int64_t i = 0; i < count; ++i) ids.data<std::uint64_t>()[i] = first + i;
  return ids;
}

void expect_vectors_of(const Tensor& ids, const Tensor& vectors) {
  ASSERT_EQ(vectors.dim(0), ids.dim(0));
  for (std::int64_t i = 0; i < ids.dim(0); ++i) {
    EXPECT_EQ(vectors.view().row<float>(i)[vectors.dim(1) - 1],
              static_cast<float>(ids.data<std::uint64_t>()[i]));
  }
}

TEST(TypeVectorsTest, AFailureLeavesNoTypeWithoutItsVector) {
  Context ctx;
  TypeVectors kept;
  Computing compute{4};
  expect_vectors_of(ids_from(5, 3), kept.of(ctx, ids_from(5, 3), std::ref(compute)));
  compute.fails = true;
  EXPECT_THROW(kept.of(ctx, ids_from(7, 3), std::ref(compute)), Error);
  compute.fails = false;
  expect_vectors_of(ids_from(4, 6), kept.of(ctx, ids_from(4, 6), std::ref(compute)));
  EXPECT_EQ(compute.computed, 3 + 6);
}

TEST(TypeVectorsTest, TheirNumberIsBounded) {
  Context ctx;
  TypeVectors kept;
  Computing compute{1024};
  for (int pass = 0; pass < 2; ++pass) {
    expect_vectors_of(ids_from(0, 300), kept.of(ctx, ids_from(0, 300), std::ref(compute)));
  }
  EXPECT_EQ(compute.computed, 600) << "300 are more than are kept for a further pass";
}

TEST_F(MultiHashEmbedTest, NoTokensGiveNoRows) {
  const std::vector<const Doc*> empty{&docs_[1]};
  EXPECT_EQ(std::get<Ragged>(model_->predict(ctx_, DocBatch(empty))).data.dim(0), 0);
}

}  // namespace
}  // namespace weft
