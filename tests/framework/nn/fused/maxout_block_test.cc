// Layers as blocks give what they give one by one, at every level.
#include "framework/nn/fused/maxout_block.h"

#include <cmath>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "components/architectures/tok2vec_parts.h"
#include "framework/nn/gradients.h"
#include "framework/nn/run_formats.h"
#include "framework/ops/pass_observer.h"
#include "framework/precision/element_type.h"
#include "tests/framework/ops/random_tensor.h"

namespace weft {
namespace {

// Watched layers run one after the other.
class Watching final : public PassObserver {};

PrecisionPolicy policy_of(const std::string& level, LowFormat low) {
  PrecisionSettings settings;
  settings.level = level;
  settings.dtype = low;
  return make_precision_policy(settings);
}

struct Settings {
  const char* level;
  LowFormat low;
  int window, pieces, depth;
  double dropout;
  std::vector<std::int64_t> lengths = {5, 0, 1, 3};
  const char* in_f32 = nullptr;  // layers that a rule keeps in f32

  friend void PrintTo(const Settings& c, std::ostream* out) {
    *out << c.level << (c.low == LowFormat::bf16 ? " bf16" : "") << ", window " << c.window
         << ", depth " << c.depth << (c.in_f32 != nullptr ? ", f32: " : "")
         << (c.in_f32 != nullptr ? c.in_f32 : "");
  }
};

// The results of one pass, in f32.
struct Given {
  Tensor output, d_input;
  DType output_type, d_input_type;
  std::vector<Tensor> d_parameters;
};

// A model whose parameters follow a policy while this lives.
class Followed {
 public:
  Followed(const Settings& c, ModelPtr model)
      : formats_(policy_of(c.level, c.low)), model_(std::move(model)) {
    std::uint64_t seed = 100;
    for (Model* node : model_->walk()) {  // biases and gains that show
      for (auto& param : node->params()) {
        if (param->value.shape().rank() < 3) {
          param->value = random_tensor(param->value.shape(), ++seed);
        }
      }
    }
    if (c.in_f32 != nullptr) formats_.compute_in_f32(c.in_f32);
    formats_.add(*model_);
    formats_.narrow_weights();
  }
  ~Followed() { formats_.widen_weights(); }
  Followed(const Followed&) = delete;
  Followed& operator=(const Followed&) = delete;

  void train(Context& ctx, Gradients& gradients, MaskSource& masks, double dropout) {
    gradients.keep_as(formats_.gradient_type());
    ctx.pass().train(dropout, gradients, masks);
    ctx.pass().set_place(40, 3);
    follow(ctx);
  }
  void follow(Context& ctx) { ctx.follow(&formats_); }
  RunFormats& formats() { return formats_; }

 private:
  RunFormats formats_;
  ModelPtr model_;
};

class MaxoutBlockTest : public testing::TestWithParam<Settings> {
 protected:
  // Rows of 64 bytes: arrays may take the place of others.
  static constexpr std::int64_t kWidth = 16;

  MaxoutBlockTest() {
    const Settings& c = GetParam();
    std::int64_t rows = 0;
    for (const std::int64_t length : c.lengths) rows += length;
    input_ = {random_tensor({rows, kWidth}, 1), c.lengths};
    model_ = maxout_window_encoder({static_cast<int>(kWidth), c.window, c.pieces, c.depth});
    Context ctx;
    InitRandom random(3);
    model_->initialize(ctx, Ragged{random_tensor({3, kWidth}, 1), {3}}, {}, random);
    model_->name_sites("encoder");
  }

  // At O2 and O3 what comes into a model is 16 bits wide.
  Given pass(PassObserver* observer, float scale = 1.0F) {
    const Settings& c = GetParam();
    Followed followed(c, model_);
    Context ctx;
    Gradients gradients;
    CounterMasks masks(7, 1);
    followed.train(ctx, gradients, masks, c.dropout);
    ctx.watch().observe(observer);
    const Forward forward = (*model_)(ctx, input_);
    const Ragged& y = std::get<Ragged>(forward.output);
    Given given;
    given.output_type = y.data.dtype();
    given.output = cast_to(DType::f32, y.data).clone();
    Tensor dy = random_tensor(y.data.shape(), 9);
    for (std::int64_t i = 0; i < dy.size(); ++i) dy.data<float>()[i] *= scale;
    const Value dx = forward.backward(ctx, Ragged{cast_to(y.data.dtype(), dy), y.lengths});
    given.d_input_type = std::get<Ragged>(dx).data.dtype();
    given.d_input = cast_to(DType::f32, std::get<Ragged>(dx).data).clone();
    for (const Model* node : model_->walk()) {
      for (const auto& param : node->params()) {
        given.d_parameters.push_back(cast_to(DType::f32, gradients.of(*param)).clone());
      }
    }
    return given;
  }

  ModelPtr model_;
  Ragged input_;
};

// Products may add up in another order where there are other rows beside them (OpenBLAS), and go by
// other sums where windows follow each other (window_filter.h): then a number here and there is
// rounded otherwise to 16 bits, and the gradients behind it. Without one of the roundings of the
// layers every second number would be another.
void expect_same(const Tensor& blocks, const Tensor& layers, const std::string& what) {
  ASSERT_EQ(blocks.shape(), layers.shape()) << what;
  std::int64_t others = 0;
  for (std::int64_t i = 0; i < blocks.size(); ++i) {
    const double expected = layers.data<float>()[i], unit = 1.0 + std::abs(expected);
    const double difference = std::abs(blocks.data<float>()[i] - expected);
    ASSERT_LE(difference, 0x1p-7 * unit) << what << ", number " << i;
    others += difference > 2e-6 * unit;
  }
  EXPECT_LE(others, 2 + blocks.size() / 10) << what;
}

void expect_near(const Tensor& blocks, const Tensor& layers, double tolerance, std::size_t which) {
  ASSERT_EQ(blocks.shape(), layers.shape()) << which;
  for (std::int64_t i = 0; i < blocks.size(); ++i) {
    const double expected = layers.data<float>()[i];
    ASSERT_NEAR(blocks.data<float>()[i], expected, tolerance * (1.0 + std::abs(expected)))
        << "parameter " << which << ", number " << i;
  }
}

// Sums over rows in another order, of numbers of which one may be rounded otherwise, or another
// piece win by that; at O3 the sums themselves are rounded.
double tolerance_of(const Settings& c) {
  return std::string(c.level) == "tf32" ? 2e-5 : 2e-3;
}

TEST_P(MaxoutBlockTest, GiveWhatTheLayersGiveOneAfterAnother) {
  Watching observer;
  const Given blocks = pass(nullptr), layers = pass(&observer);
  EXPECT_EQ(blocks.output_type, layers.output_type);
  EXPECT_EQ(blocks.d_input_type, layers.d_input_type);
  expect_same(blocks.output, layers.output, "output");
  expect_same(blocks.d_input, layers.d_input, "gradient of the input");
  ASSERT_EQ(blocks.d_parameters.size(), 4U * static_cast<std::size_t>(GetParam().depth));
  for (std::size_t i = 0; i < blocks.d_parameters.size(); ++i) {
    expect_near(blocks.d_parameters[i], layers.d_parameters[i], tolerance_of(GetParam()), i);
  }
}

TEST_P(MaxoutBlockTest, PredictionIsTheSame) {
  Followed followed(GetParam(), model_);
  Watching observer;
  Context blocks, layers;
  followed.follow(blocks);
  followed.follow(layers);
  layers.watch().observe(&observer);
  const Tensor y = std::get<Ragged>(model_->predict(blocks, input_)).data;
  const Tensor expected = std::get<Ragged>(model_->predict(layers, input_)).data;
  EXPECT_EQ(y.dtype(), expected.dtype());
  expect_same(cast_to(DType::f32, y), cast_to(DType::f32, expected), "prediction");
}

bool all_finite(const std::vector<Tensor>& tensors) {
  for (const Tensor& tensor : tensors) {
    for (std::int64_t i = 0; i < tensor.size(); ++i) {
      if (!std::isfinite(tensor.data<float>()[i])) return false;
    }
  }
  return true;
}

TEST_P(MaxoutBlockTest, AGradientThatOverflowsIsSeenInTheParameters) {
  Watching observer;
  const float huge = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(all_finite(pass(nullptr).d_parameters));
  EXPECT_FALSE(all_finite(pass(&observer, huge).d_parameters));
  EXPECT_FALSE(all_finite(pass(nullptr, huge).d_parameters));
}

const std::vector<std::int64_t> kFewRows = {5, 0, 1, 3}, kManyRows = {600, 0, 700, 3};

INSTANTIATE_TEST_SUITE_P(
    Levels, MaxoutBlockTest,
    testing::Values(Settings{"O1", LowFormat::fp16, 1, 3, 4, 0.3},
                    Settings{"O2", LowFormat::fp16, 1, 3, 4, 0.3},
                    Settings{"O2", LowFormat::fp16, 1, 3, 1, 0.2},
                    Settings{"O2", LowFormat::fp16, 2, 2, 3, 0.0},
                    Settings{"O2", LowFormat::fp16, 0, 1, 2, 0.5},
                    Settings{"O2", LowFormat::bf16, 3, 5, 2, 0.1},
                    Settings{"O3", LowFormat::fp16, 1, 3, 2, 0.1},
                    Settings{"bf16", LowFormat::bf16, 1, 3, 3, 0.1},
                    Settings{"tf32", LowFormat::fp16, 1, 3, 2, 0.1},
                    Settings{"O1", LowFormat::fp16, 1, 3, 2, 0.1, kManyRows},
                    Settings{"O2", LowFormat::fp16, 1, 3, 2, 0.1, kManyRows},
                    Settings{"O3", LowFormat::fp16, 1, 3, 2, 0.1, kManyRows},
                    Settings{"O1", LowFormat::fp16, 1, 3, 3, 0.1, kFewRows, "*residual_2*"},
                    Settings{"O2", LowFormat::fp16, 1, 3, 3, 0.1, kFewRows, "*maxout"},
                    Settings{"O2", LowFormat::fp16, 1, 3, 3, 0.1, kFewRows, "*expand_window"},
                    Settings{"O2", LowFormat::fp16, 1, 3, 3, 0.1, kFewRows, "*residual"},
                    Settings{"O3", LowFormat::fp16, 1, 3, 2, 0.1, kFewRows, "*layernorm"},
                    Settings{"O2", LowFormat::bf16, 1, 3, 2, 0.1, kFewRows, "*"}));

TEST(RunsBlocks, UnlessWatchedOrUnderAPolicyThatLowersASingleLayer) {
  Context ctx;
  EXPECT_TRUE(runs_blocks(ctx));
  PrecisionPolicy policy = policy_of("O2", LowFormat::fp16);
  RunFormats formats(policy);
  ctx.follow(&formats);
  EXPECT_TRUE(runs_blocks(ctx));
  Watching observer;
  ctx.watch().observe(&observer);
  EXPECT_FALSE(runs_blocks(ctx));
  ctx.watch().observe(nullptr);
  formats.compute_in_f32("encoder.maxout");  // a layer that fell back
  EXPECT_TRUE(runs_blocks(ctx));
  policy.rules = {{"*residual_2*", Compute::low}};
  RunFormats lowered(policy);
  ctx.follow(&lowered);
  EXPECT_FALSE(runs_blocks(ctx));
}

}  // namespace
}  // namespace weft
