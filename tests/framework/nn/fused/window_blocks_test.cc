#include "framework/nn/fused/window_blocks.h"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "components/architectures/tok2vec_parts.h"
#include "framework/nn/gradient_check.h"
#include "framework/nn/gradients.h"
#include "framework/ops/pass_observer.h"
#include "tests/framework/ops/random_tensor.h"

namespace weft {
namespace {

// Watched layers run one after the other.
class Watching final : public PassObserver {};

struct Settings {
  int window, pieces, depth;
  double dropout;
};

class WindowBlocksTest : public testing::TestWithParam<Settings> {
 protected:
  static constexpr std::int64_t kWidth = 12;

  WindowBlocksTest() {
    const Settings& c = GetParam();
    model_ = maxout_window_encoder({static_cast<int>(kWidth), c.window, c.pieces, c.depth});
    Context ctx;
    InitRandom random(3);
    model_->initialize(ctx, input_, {}, random);
    model_->name_sites("encoder");
    for (Model* node : model_->walk()) {  // biases and gains that show
      for (auto& param : node->params()) {
        if (param->value.dim(0) == kWidth && param->value.shape().rank() < 3) {
          param->value = random_tensor(param->value.shape(), ++seed_);
        }
      }
    }
  }

  // The results of one pass: the output, the gradient of the input, those of the parameters.
  std::vector<Tensor> pass(PassObserver* observer) {
    Context ctx;
    Gradients gradients;
    CounterMasks masks(7, 1);
    ctx.pass().train(GetParam().dropout, gradients, masks);
    ctx.pass().set_place(40, 3);
    ctx.watch().observe(observer);
    const Forward forward = (*model_)(ctx, input_);
    const Ragged& y = std::get<Ragged>(forward.output);
    const Value d_input =
        forward.backward(ctx, Ragged{random_tensor(y.data.shape(), 9), y.lengths});
    std::vector<Tensor> all{y.data.clone(), std::get<Ragged>(d_input).data.clone()};
    for (const Model* node : model_->walk()) {
      for (const auto& param : node->params()) all.push_back(gradients.of(*param).clone());
    }
    return all;
  }

  ModelPtr model_;
  Ragged input_{random_tensor({9, kWidth}, 1), {5, 0, 1, 3}};
  std::uint64_t seed_ = 100;
};

TEST_P(WindowBlocksTest, GiveWhatTheLayersGiveOneAfterAnother) {
  Watching observer;
  const std::vector<Tensor> blocks = pass(nullptr), layers = pass(&observer);
  ASSERT_EQ(blocks.size(), layers.size());
  ASSERT_EQ(blocks.size(), 2U + 4U * static_cast<std::size_t>(GetParam().depth));
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    ASSERT_EQ(blocks[i].shape(), layers[i].shape()) << i;
    for (std::int64_t j = 0; j < blocks[i].size(); ++j) {
      const float expected = layers[i].data<float>()[j];
      ASSERT_NEAR(blocks[i].data<float>()[j], expected, 1e-5 * (1.0 + std::abs(expected)))
          << "array " << i << ", number " << j;
    }
  }
}

TEST_P(WindowBlocksTest, PredictionIsTheSame) {
  Watching observer;
  Context blocks, layers;
  layers.watch().observe(&observer);
  const Tensor y = std::get<Ragged>(model_->predict(blocks, input_)).data;
  const Tensor expected = std::get<Ragged>(model_->predict(layers, input_)).data;
  for (std::int64_t i = 0; i < y.size(); ++i) {
    EXPECT_NEAR(y.data<float>()[i], expected.data<float>()[i], 1e-5) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Stacks, WindowBlocksTest,
                         testing::Values(Settings{1, 3, 4, 0.3}, Settings{1, 3, 1, 0.2},
                                         Settings{2, 2, 3, 0.0}, Settings{0, 1, 2, 0.5},
                                         Settings{3, 5, 2, 0.1}));

// Its blocks compute with its own parameters.
TEST_P(WindowBlocksTest, ACloneIsAnEncoderOfItsOwn) {
  const ModelPtr copy = model_->clone();
  copy->name_sites("encoder");
  for (Model* node : model_->walk()) {
    for (auto& param : node->params()) param->value.fill_zero();
  }
  Watching observer;
  Context blocks, layers;
  layers.watch().observe(&observer);
  const Tensor y = std::get<Ragged>(copy->predict(blocks, input_)).data;
  const Tensor expected = std::get<Ragged>(copy->predict(layers, input_)).data;
  for (std::int64_t i = 0; i < y.size(); ++i) {
    ASSERT_NEAR(y.data<float>()[i], expected.data<float>()[i], 1e-5) << i;
  }
}

TEST(WindowBlocks, AStackOfNoLayersGivesItsInput) {
  const ModelPtr model = maxout_window_encoder({4, 1, 3, 0});
  Context ctx;
  const Tensor x = random_tensor({3, 4}, 1);
  const Tensor y = std::get<Ragged>(model->predict(ctx, Ragged{x, {3}})).data;
  for (std::int64_t i = 0; i < x.size(); ++i) EXPECT_EQ(y.data<float>()[i], x.data<float>()[i]);
}

TEST(WindowBlocks, DocumentsWithoutTokensGiveNoRows) {
  const ModelPtr model = maxout_window_encoder({4, 1, 3, 2});
  Context ctx;
  InitRandom random(3);
  model->initialize(ctx, Ragged{random_tensor({3, 4}, 1), {3}}, {}, random);
  const Value output = model->predict(ctx, Ragged{Tensor::zeros({0, 4}), {0, 0}});
  EXPECT_EQ(std::get<Ragged>(output).data.dim(0), 0);
}

}  // namespace
}  // namespace weft
