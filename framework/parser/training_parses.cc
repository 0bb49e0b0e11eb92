#include "framework/parser/training_parses.h"

#include <iterator>
#include <utility>

#include "framework/parser/ner_gold.h"

namespace weft {

using transition::NegativeSpan;
using transition::State;

namespace {

// States of one kind with the negative spans of their documents.
struct Parses {
  std::vector<State> states;
  std::vector<std::vector<NegativeSpan>> negatives;

  void add(const std::vector<State>& more, const std::vector<NegativeSpan>& spans) {
    states.insert(states.end(), more.begin(), more.end());
    negatives.insert(negatives.end(), more.size(), spans);
  }
  void append(Parses&& other) {
    std::move(other.states.begin(), other.states.end(), std::back_inserter(states));
    std::move(other.negatives.begin(), other.negatives.end(), std::back_inserter(negatives));
  }
};

}  // namespace

// Tags of all examples come first, as oracles of every document point into their one array. Whole
// documents then stand before the pieces of long ones, which is the order in which the reference
// goes through a batch.
TrainingParses training_parses(std::span<Example* const> examples, std::span<const Doc* const> docs,
                               const TokenMarks& marks, std::span<const transition::Action> actions,
                               const std::optional<std::string>& negative_key, int max_moves) {
  TrainingParses result;
  for (const Example* example : examples) {
    const std::vector<GoldTag> tags = gold_tags(*example);
    result.tags.insert(result.tags.end(), tags.begin(), tags.end());
  }
  const std::vector<State> starts = first_states(docs);
  Parses whole, pieces;
  bool any_negative = false;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const auto negatives = negative_spans(*examples[i], negative_key);
    any_negative = any_negative || !negatives.empty();
    const OracleView oracle{actions, marks.view(), {result.tags.data(), negatives}};
    const bool is_cut = max_moves > 0 && starts[i].length >= max_moves;
    (is_cut ? pieces : whole)
        .add(training_states(*examples[i], negative_key, starts[i], oracle, max_moves), negatives);
  }
  whole.append(std::move(pieces));
  result.states = std::move(whole.states);
  if (any_negative) result.negatives = std::move(whole.negatives);
  return result;
}

}  // namespace weft
