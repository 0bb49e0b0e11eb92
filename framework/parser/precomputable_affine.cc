#include "framework/parser/precomputable_affine.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "framework/ops/gemm.h"
#include "registry/base/error.h"

namespace weft {

namespace {

// Random states on which fresh weights are scaled: a few thousand draws of features fall on a
// thousand states.
constexpr std::int64_t kRows = 5000;
constexpr std::uint64_t kStates = 1000;
// Their features are computed by parts: all of them, of a parser as wide as the default one, take
// 67 MB, more than its training.
constexpr std::int64_t kRowsAtOnce = 250;
static_assert(kRows % kRowsAtOnce == 0);
// The scaling is that of Mishkin and Matas (2016), "All you need is a good init", on random vectors
// instead of data: measure the outputs, correct, and measure again until both moments fit.
constexpr int kRounds = 10;
constexpr double kTolerance = 0.01;

struct Sample {
  Tensor tokens;                     // (kRows - 1, nI)
  std::vector<std::int32_t> states;  // (kRows * nF): where each feature row is added
};

struct Moments {
  double mean = 0, variance = 0;
};

void fill_normal(Tensor& tensor, const RandomStream& random, float deviation) {
  float* out = tensor.data<float>();
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    out[i] = deviation * random.normal(static_cast<std::uint64_t>(i));
  }
}

Sample draw_sample(std::int64_t inputs, std::int64_t features, InitRandom& random) {
  Sample sample;
  sample.tokens = Tensor::zeros({kRows - 1, inputs});
  fill_normal(sample.tokens, random.next(), 1.0F);
  const RandomStream draws = random.next();
  for (std::int64_t i = 0; i < kRows * features; ++i) {
    const auto state = draws.below(static_cast<std::uint64_t>(i), kStates);
    sample.states.push_back(static_cast<std::int32_t>(state));
  }
  return sample;
}

// Mean and variance of the maximum over the pieces, in all kRows states (most of them are empty).
Moments moments_of(const std::vector<float>& sums, const Model& layer) {
  const std::int64_t pieces = layer.dim("nP");
  const std::int64_t slice = layer.dim("nO") * pieces;
  const float* bias = layer.param("b").value.data<float>();
  double total = 0, squares = 0;
  for (std::int64_t s = 0; s < kRows; ++s) {
    for (std::int64_t o = 0; o < slice; o += pieces) {
      const float* sum = sums.data() + s * slice + o;
      // A single piece is compared with 0 here, as spaCy 3.8 does while it initializes.
      float best = pieces == 1 ? 0.0F : sum[0] + bias[o];
      for (std::int64_t p = 0; p < pieces; ++p) best = std::max(best, sum[p] + bias[o + p]);
      total += best;
      squares += double{best} * best;
    }
  }
  const double count = static_cast<double>(kRows * layer.dim("nO"));
  const double mean = total / count;
  return {mean, squares / count - mean * mean};
}

// The features of rows [begin, begin + kRowsAtOnce) of the sample. The first row of all is the
// missing feature; the others are tokens.
void fill_rows(Context& ctx, const Model& layer, const Sample& sample, std::int64_t begin,
               Tensor& rows) {
  const Tensor& weight = layer.param("W").value;
  const std::int64_t inputs = layer.dim("nI"), row = weight.size() / inputs;
  const std::int64_t missing = begin == 0 ? 1 : 0;
  if (missing > 0) std::copy_n(layer.param("pad").value.data<float>(), row, rows.data<float>());
  ctx.run<Gemm>(sample.tokens.rows(begin + missing - 1, begin + kRowsAtOnce - 1).cview(),
                Transpose::no, weight.reshaped({row, inputs}).cview(), Transpose::yes,
                rows.rows(missing, kRowsAtOnce).view(), 0.0F);
}

// The sums of the sample's features in each state. `rows`: room for kRowsAtOnce rows of them.
std::vector<float> add_up(Context& ctx, const Model& layer, const Sample& sample, Tensor& rows) {
  const std::int64_t features = layer.dim("nF");
  const std::int64_t slice = layer.dim("nO") * layer.dim("nP");
  std::vector<float> sums(static_cast<std::size_t>(kRows * slice), 0.0F);
  const std::int32_t* state = sample.states.data();
  for (std::int64_t begin = 0; begin < kRows; begin += kRowsAtOnce) {
    fill_rows(ctx, layer, sample, begin, rows);
    const float* from = rows.data<float>();
    for (std::int64_t feature = 0; feature < kRowsAtOnce * features; ++feature, from += slice) {
      float* to = sums.data() + *state++ * slice;
      for (std::int64_t i = 0; i < slice; ++i) to[i] += from[i];
    }
  }
  return sums;
}

void shift_and_scale(Context& ctx, Model& layer, const Sample& sample) {
  Tensor& weight = layer.param("W").value;
  Tensor& bias = layer.param("b").value;
  // One array for all rounds: memory of the pass stays taken until its end.
  Tensor rows = Tensor::zeros({kRowsAtOnce, weight.size() / layer.dim("nI")});
  for (int round = 0; round < kRounds; ++round) {
    const Moments moments = moments_of(add_up(ctx, layer, sample, rows), layer);
    // One correction in a round: scaling weights moves the mean too, so it is measured anew before
    // the bias is shifted.
    if (std::abs(moments.variance - 1) >= kTolerance) {
      const auto scale = static_cast<float>(1 / std::sqrt(moments.variance));
      auto* weights = weight.data<float>();
      for (std::int64_t i = 0; i < weight.size(); ++i) weights[i] *= scale;
    } else if (std::abs(moments.mean) >= kTolerance) {
      const auto mean = static_cast<float>(moments.mean);
      auto* biases = bias.data<float>();
      for (std::int64_t i = 0; i < bias.size(); ++i) biases[i] -= mean;
    } else {
      return;
    }
  }
}

void initialize(Context& ctx, Model& layer, const Value&, const Value&, InitRandom& random) {
  if (layer.param("W").value) return;
  const std::int64_t outputs = layer.dim("nO"), inputs = layer.dim("nI");
  const std::int64_t features = layer.dim("nF"), pieces = layer.dim("nP");
  Tensor weight = Tensor::zeros({features, outputs, pieces, inputs});
  fill_normal(weight, random.next(),
              std::sqrt(static_cast<float>(inputs) / static_cast<float>(features)));
  Tensor pad = Tensor::zeros({1, features, outputs, pieces});
  fill_normal(pad, random.next(), 1.0F);
  layer.set_param("W", std::move(weight));
  layer.set_param("b", Tensor::zeros({outputs, pieces}));
  layer.set_param("pad", std::move(pad));
  shift_and_scale(ctx, layer, draw_sample(inputs, features, random));
}

// Rows for each token and their gradient, and for each step of a parse hidden vectors with mask,
// winners and gradient. Pieces of long documents overlap a little.
LayerCost cost(const Model& layer, double width) {
  constexpr double kStepsPerToken = 1.5;
  const double hidden = size_or(layer, "nO", 1);
  const double features = size_or(layer, "nF", 1);
  const double step = 3.25 * hidden + features;
  const double rows = 2 * features * hidden * size_or(layer, "nP", 1);
  return {.per_row = rows + width + kStepsPerToken * step, .width = hidden};
}

[[noreturn]] Forward run_by_parser(Context&, const Model&, const Value&) {
  throw Error(ErrorKind::internal, "precomputable_affine is run by the parser around it");
}

}  // namespace

ModelPtr precomputable_affine(std::optional<std::int64_t> outputs, std::int64_t inputs,
                              std::int64_t features, std::int64_t pieces) {
  auto layer = std::make_shared<Model>("precomputable_affine", run_by_parser, initialize);
  layer->declare_dim("nO");
  if (outputs) layer->set_dim("nO", *outputs);
  layer->set_dim("nI", inputs);
  layer->set_dim("nF", features);
  layer->set_dim("nP", pieces);
  layer->declare_param("W", {"nF", "nO", "nP", "nI"});
  layer->declare_param("b", {"nO", "nP"});
  layer->declare_param("pad", {"1", "nF", "nO", "nP"});
  layer->set_attr("dropout_rate", 0.2);
  layer->set_cost(cost);
  return layer;
}

}  // namespace weft
