#include "framework/parser/parser_network.h"

#include <cmath>
#include <functional>
#include <memory>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "framework/nn/gradients.h"
#include "framework/ops/random.h"
#include "framework/parser/entity_parses.h"
#include "framework/parser/precomputable_affine.h"

namespace weft {
namespace {

using transition::Action;
using transition::State;

constexpr std::uint64_t kA = 11, kB = 22;
const std::vector<Action> kActions = {
    {Move::begin, kA}, {Move::begin, kB}, {Move::in, kA},   {Move::in, kB},  {Move::last, kA},
    {Move::last, kB},  {Move::unit, kA},  {Move::unit, kB}, {Move::unit, 0}, {Move::out, 0}};
const int kClasses = static_cast<int>(kActions.size());

struct Form {
  int features, pieces;
  bool has_upper;
};

Forward no_forward(Context&, const Model&, const Value&) {
  return {};
}

void fill(Tensor& tensor, std::uint64_t site) {
  const RandomStream random(7, 0, site);
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    tensor.data<float>()[i] = 0.7F * random.normal(static_cast<std::uint64_t>(i));
  }
}

// A parser with random weights: hidden width 4, token vectors of 3 numbers.
ModelPtr parser_of(const Form& form) {
  const int hidden = form.has_upper ? 4 : kClasses;
  const ModelPtr lower = precomputable_affine(hidden, 3, form.features, form.pieces);
  lower->set_param("W", Tensor::zeros({form.features, hidden, form.pieces, 3}));
  lower->set_param("b", Tensor::zeros({hidden, form.pieces}));
  lower->set_param("pad", Tensor::zeros({1, form.features, hidden, form.pieces}));
  auto upper = std::make_shared<Model>("linear", no_forward);
  upper->set_dim("nO", kClasses);
  upper->set_param("W", Tensor::zeros({kClasses, hidden}));
  upper->set_param("b", Tensor::zeros({kClasses}));
  auto parser = std::make_shared<Model>("parser_model", no_forward);
  parser->layers() = {lower, upper};
  parser->set_ref("lower", lower);
  parser->set_ref("upper", upper);
  parser->set_attr("has_upper", form.has_upper);
  std::uint64_t site = 0;
  for (const ModelPtr& layer : parser->layers()) {
    for (const auto& parameter : layer->params()) fill(parameter->value, ++site);
  }
  return parser;
}

// Masks of a fixed pattern.
class Pattern final : public MaskSource {
 public:
  void fill(std::string_view, std::int64_t, double, View mask) override {
    for (std::int64_t i = 0; i < mask.size(); ++i) mask.as<float>()[i] = factor(i);
  }
  static float factor(std::int64_t i) { return i % 5 == 2 ? 0.0F : 1.25F; }
};

// Two documents, of five and four tokens, with gold entities and a token without annotation.
struct Batch {
  std::vector<std::uint8_t> zeros = std::vector<std::uint8_t>(9);
  std::vector<std::uint64_t> types = std::vector<std::uint64_t>(9);
  std::vector<std::int8_t> starts = std::vector<std::int8_t>(9);
  TrainingParses parses;
  Tensor vectors = Tensor::zeros({9, 3});

  Batch() {
    parses.tags = {{Move::begin, kA}, {Move::in, kA},   {Move::last, kA},
                   {Move::out, 0},    {Move::unit, kB}, {Move::out, 0},
                   {Move::begin, kB}, {Move::last, kB}, {Move::missing, 0}};
    parses.states = {{.first = 0, .length = 5}, {.first = 5, .length = 4}};
    fill(vectors, 99);
  }
  transition::TokenMarks marks() const {
    return {zeros.data(), types.data(), starts.data(), zeros.data()};
  }
  TrainingBatch training(const Context& ctx, int max_rounds) const {
    return entity_training(ctx, {kActions, {}, marks()}, parses, max_rounds);
  }
};

double number(const Tensor& tensor, std::int64_t i) {
  return tensor.data<float>()[i];
}

// Hidden vector and scores of one state, in double.
std::vector<double> scores_of(const Model& parser, const Batch& batch, const State& state,
                              std::int64_t row) {
  const ScorerShape shape = scorer_shape(parser);
  const Model& lower = parser.ref("lower");
  std::vector<std::int32_t> features(static_cast<std::size_t>(shape.features));
  transition::features(state, shape.features, features.data());
  std::vector<double> hidden;
  for (int o = 0; o < shape.hidden; ++o) {
    double best = shape.pieces == 1 ? 0 : -1e30;  // training rectifies a single piece
    for (int p = 0; p < shape.pieces; ++p) {
      const int at = o * shape.pieces + p;
      double sum = number(lower.param("b").value, at);
      for (int f = 0; f < shape.features; ++f) {
        const std::int64_t place = f * shape.slice() + at;
        const std::int32_t token = features[static_cast<std::size_t>(f)];
        if (token < 0) sum += number(lower.param("pad").value, place);
        for (int i = 0; token >= 0 && i < 3; ++i) {
          sum +=
              number(lower.param("W").value, place * 3 + i) * number(batch.vectors, token * 3 + i);
        }
      }
      best = std::max(best, sum);
    }
    hidden.push_back(shape.has_upper ? best * Pattern::factor(row * shape.hidden + o) : best);
  }
  if (!shape.has_upper) return hidden;
  std::vector<double> scores;
  for (int k = 0; k < kClasses; ++k) {
    double sum = number(parser.ref("upper").param("b").value, k);
    for (int o = 0; o < shape.hidden; ++o) {
      sum += number(parser.ref("upper").param("W").value, k * shape.hidden + o) *
             hidden[static_cast<std::size_t>(o)];
    }
    scores.push_back(sum);
  }
  return scores;
}

// The function whose derivative the gradient is: for every state the log of the share that the gold
// classes have of all exponentials, following the predicted class.
double log_loss(const Model& parser, const Batch& batch) {
  std::vector<State> states = batch.parses.states;
  double loss = 0;
  for (std::int64_t row = 0; !states.empty();) {
    std::vector<State> left;
    for (State& state : states) {
      const std::vector<double> scores = scores_of(parser, batch, state, row++);
      const std::vector<float> rounded(scores.begin(), scores.end());
      const auto valid = transition::valid_moves(state, batch.marks());
      std::vector<float> costs(kActions.size());
      transition::fill_costs(state, kActions.data(), kClasses, valid, batch.parses.tags.data(),
                             nullptr, 0, costs.data());
      const int best = transition::best_gold(rounded.data(), costs.data(), kClasses);
      double all = 0, gold = 0;
      for (std::size_t k = 0; k < scores.size(); ++k) {
        all += std::exp(scores[k]);
        if (costs[k] <= costs[static_cast<std::size_t>(best)]) gold += std::exp(scores[k]);
      }
      loss += std::log(all) - std::log(gold);
      const int taken = transition::best_valid(rounded.data(), kActions.data(), kClasses, valid);
      transition::apply(state, kActions[static_cast<std::size_t>(taken)]);
      if (!state.is_final()) left.push_back(state);
    }
    states = left;
  }
  return loss;
}

class ParserNetwork : public ::testing::TestWithParam<Form> {
 protected:
  void expect_derivative(Tensor& values, const Tensor& gradient, const char* what) {
    constexpr float kStep = 1e-4F;  // small: no step crosses a change of the winning piece
    for (std::int64_t i = 0; i < values.size(); ++i) {
      float& value = values.data<float>()[i];
      const float before = value;
      value = before + kStep;
      const double above = log_loss(*parser_, batch_);
      const double high = value;
      value = before - kStep;
      const double below = log_loss(*parser_, batch_);
      const double slope = (above - below) / (high - double{value});
      value = before;
      EXPECT_NEAR(gradient.data<float>()[i], slope, 1e-3) << what << " " << i;
    }
  }

  // Of all parameters and of the vectors. Gives how many of the nine tokens states have as another
  // feature than the first.
  std::size_t expect_gradients() {
    Context ctx;
    Gradients gradients;
    Pattern masks;
    ctx.pass().train(0.5, gradients, masks);
    const auto train = [&] {
      return train_parses(ctx, *parser_, batch_.vectors, batch_.training(ctx, 0), "ner/state", 0);
    };
    train();
    gradients.clear();  // whose arrays keep the numbers: the next step writes over them
    const ParserGradient found = train();
    EXPECT_EQ(found.record.rows, 9);
    expect_derivative(batch_.vectors, found.d_vectors, "vectors");
    for (const ModelPtr& layer : parser_->layers()) {
      if (layer->name() == "linear" && !GetParam().has_upper) continue;
      for (const auto& parameter : layer->params()) {
        expect_derivative(parameter->value, gradients.of(*parameter), parameter->name.c_str());
      }
    }
    std::set<std::int32_t> others;
    for (int i = 0; i < found.record.rows * GetParam().features; ++i) {
      if (i % GetParam().features != 0) others.insert(found.record.features[i]);
    }
    others.erase(-1);
    return others.size();
  }

  ModelPtr parser_ = parser_of(GetParam());
  Batch batch_;
};

TEST_P(ParserNetwork, GradientIsThatOfTheLogLoss) {
  expect_gradients();
}

// Their gradients take a way of their own: of the first feature alone.
TEST_P(ParserNetwork, GradientIsThatOfTheLogLossWhereMostTokensAreOutside) {
  if (!GetParam().has_upper) return;
  Tensor& bias = parser_->ref("upper").param("b").value;
  bias.data<float>()[kClasses - 1] += 1.5F;
  const std::size_t others = expect_gradients();
  if (GetParam().features > 3) return;  // those are of tokens around too
  EXPECT_GT(others, 0U);
  EXPECT_LT(others, 5U);
}

TEST_P(ParserNetwork, MaxRoundsStopEveryParse) {
  Context ctx;
  Gradients gradients;
  Pattern masks;
  ctx.pass().train(0.5, gradients, masks);
  const ParserGradient found =
      train_parses(ctx, *parser_, batch_.vectors, batch_.training(ctx, 2), "ner/state", 0);
  EXPECT_EQ(found.record.rows, 4);
}

TEST_P(ParserNetwork, PredictionDoesNotDependOnWhatElseIsInTheBatch) {
  Context ctx;
  ctx.pass().predict();
  const EntityInput input{kActions, {}, batch_.marks()};
  const std::span<const State> states(batch_.parses.states);
  const auto both = parse_greedily(ctx, *parser_, batch_.vectors, entity_parses(input, states));
  const auto second =
      parse_greedily(ctx, *parser_, batch_.vectors, entity_parses(input, states.subspan(1)));
  ASSERT_EQ(both.size(), 2u);
  ASSERT_EQ(second.size(), 1u);
  EXPECT_EQ(both[0].size(), 5u);
  EXPECT_EQ(both[1].size(), 4u);
  EXPECT_EQ(both[1], second[0]);
}

// Those that are computed when a state needs them are those of the GEMM.
TEST_P(ParserNetwork, LowerRowsOfFurtherFeaturesAreTheSameHoweverTheyAreMade) {
  Context ctx;
  ctx.pass().predict();
  const Model& parser = *parser_;
  const auto scored = [&](LowerFeatures features) {
    return scored_tokens(ctx, parser, batch_.vectors, Scoring::greedy_prediction, features);
  };
  const ScoredTokens all = scored(LowerFeatures::all), first = scored(LowerFeatures::first);
  const ScorerShape& shape = all.scorer.shape;
  ASSERT_EQ(first.rows.dim(1), shape.slice());
  std::vector<float> row(static_cast<std::size_t>(shape.slice()));
  for (std::int32_t token = 0; token < 9; ++token) {
    for (int f = 1; f < shape.features; ++f) {
      ctx.run<LowerRow>(shape, first.scorer.weights, token, f, row.data());
      const float* expected = all.rows.data<float>() + token * shape.row() + f * shape.slice();
      for (std::size_t i = 0; i < row.size(); ++i) EXPECT_NEAR(row[i], expected[i], 1e-5F);
    }
  }
  const auto parse = entity_parses({kActions, {}, batch_.marks()}, batch_.parses.states);
  EXPECT_EQ(parse(ctx, first.scorer), parse(ctx, all.scorer));
}

INSTANTIATE_TEST_SUITE_P(Forms, ParserNetwork,
                         ::testing::Values(Form{3, 2, true}, Form{6, 3, true}, Form{3, 2, false},
                                           Form{6, 1, true}, Form{3, 1, false}));

}  // namespace
}  // namespace weft
