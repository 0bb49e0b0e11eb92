// Rehearsal of a parser's scoring network: scores of states are drawn to those of a tutor.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/ops/state_scores.h"
#include "framework/parser/parser_network.h"
#include "framework/parser/parser_network_parts.h"
#include "registry/base/error.h"

namespace weft {

namespace {

// How many of the states stand in each round.
std::vector<double> states_of_rounds(std::span<const int> rounds) {
  std::vector<double> states;
  for (const int round : rounds) {
    states.resize(std::max(states.size(), static_cast<std::size_t>(round) + 1));
    states[static_cast<std::size_t>(round)] += 1.0;
  }
  return states;
}

// Puts the gradient of each score in its place (rows, classes): its difference from the tutor's, of
// `wanted` (rows, classes of the tutor), divided by the states of its round, times `weight`. Gives
// the sum of the squares before they are weighted.
double differ_from_tutor(const StateVisits& visits, int classes, const Tensor& wanted, double share,
                         float weight, float* scores) {
  const std::vector<double> states_of_round = states_of_rounds(visits.rounds);
  const auto known = static_cast<int>(wanted.dim(1));
  double squares = 0.0;
  for (std::size_t row = 0; row < visits.rounds.size(); ++row) {
    const double states = states_of_round[static_cast<std::size_t>(visits.rounds[row])] / share;
    const auto at = static_cast<std::int64_t>(row);
    const float* of_tutor = wanted.data<float>() + at * known;
    float* d = scores + at * classes;
    for (int k = 0; k < known; ++k) {
      const double difference = double{d[k]} - of_tutor[k];
      squares += (difference / states) * (difference / states);
      d[k] = static_cast<float>(difference / states) * weight;
    }
    std::fill(d + known, d + classes, 0.0F);
  }
  return squares;
}

}  // namespace

ParserGradient rehearse_states(Context& ctx, const Model& parser, const Tensor& vectors,
                               const ScoredTokens& tokens, const ScoredTokens& tutor,
                               const StateVisits& visits, double share, float weight) {
  const ScorerShape shape = tokens.scorer.shape, known = tutor.scorer.shape;
  const auto rows = static_cast<std::int64_t>(visits.rounds.size());
  if (known.classes > shape.classes || known.features != shape.features) {
    throw Error(ErrorKind::internal, "a tutor knows classes that its component lacks");
  }
  ParserGradient result;
  result.record = record_for(ctx, shape, rows);
  TransitionRecord& record = result.record;
  record.rows = static_cast<int>(rows);
  std::copy(visits.features.begin(), visits.features.end(), record.features);
  const auto score = [&](const StateScorer& scorer, const StateRows& states) {
    ctx.run<ScoreStates>(scorer.shape, scorer.weights, std::span<const std::uint8_t>(), states);
  };
  score(tokens.scorer, {.count = record.rows,
                        .features = record.features,
                        .hidden = record.hidden,
                        .winners = record.winners,
                        .scores = record.d_scores});
  Tensor hidden = ctx.empty({rows, known.hidden}), wanted = ctx.empty({rows, known.classes});
  score(tutor.scorer, {.count = record.rows,
                       .features = record.features,
                       .hidden = hidden.data<float>(),
                       .scores = wanted.data<float>()});
  const double squares =
      differ_from_tutor(visits, shape.classes, wanted, share, weight, record.d_scores);
  result.loss = ctx.number_to_read();
  *result.loss.data<double>() = squares / std::max(1.0, static_cast<double>(rows) * known.classes);
  Tensor ones = ctx.empty({std::max<std::int64_t>(rows, 1), shape.hidden});
  std::fill_n(ones.data<float>(), ones.size(), 1.0F);
  go_back(ctx, parser, vectors, ones, result);
  return result;
}

}  // namespace weft
