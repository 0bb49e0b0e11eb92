// Training with beams, under any transition system: for each document one beam follows the best
// analyses, another the best of those that the gold annotation allows; it is learnt from the step
// where the first is furthest ahead of the second (docs/parsing.md, 7; spaCy 3.8).
//
// The search keeps histories and no arrays. The states that get a gradient are made again from the
// recorded histories, with the dropout masks that they had.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "framework/parser/beam_gradient.h"
#include "framework/parser/beam_search.h"
#include "framework/parser/beam_violation.h"

namespace weft {

// One document. The marks of its histories are the numbers of their rows.
template <transition::System S>
class BeamLesson {
 public:
  using State = typename S::State;

  BeamLesson(const ParseInput<S>& task, const State& start, typename S::Gold gold,
             const BeamSettings& settings)
      : task_(task),
        start_(start),
        gold_(gold),
        predicted_(start, settings),
        right_(start, {settings.width, 0, 0}) {}

  bool is_finished() const { return predicted_.is_finished() && right_.is_finished(); }

  // Adds the states that the next step scores, those of the predicting beam first.
  void gather(StateBatch& states, std::vector<ParseStep>& steps) {
    predicted_rows_.clear();
    right_rows_.clear();
    std::vector<std::int32_t> met;  // histories of the rows of the predicting beam
    const int begin = states.count();
    const auto add = [&](const State& state, std::int32_t history) {
      S::features(state, states.features(), states.add());
      if (histories_.mark(history) == BeamHistories::kNone) histories_.set_mark(history, scored_);
      steps.push_back({start_.row(), scored_++});
      return states.count() - 1;
    };
    if (!predicted_.is_finished()) {
      for (const auto& entry : predicted_.entries()) {
        if (entry.state.is_final()) continue;
        predicted_rows_.push_back(add(entry.state, entry.history));
        met.push_back(entry.history);
      }
    }
    if (right_.is_finished()) return;
    for (const auto& entry : right_.entries()) {
      if (entry.state.is_final()) continue;
      const auto found = std::find(met.begin(), met.end(), entry.history);
      right_rows_.push_back(found == met.end() ? add(entry.state, entry.history)
                                               : begin + static_cast<int>(found - met.begin()));
    }
  }

  void advance(const StateBatch& states) {
    histories_.begin_step();
    advance(predicted_, states, predicted_rows_, false);
    advance(right_, states, right_rows_, true);
    violation_.look_at(entries_of(predicted_), entries_of(right_));
    if (histories_.is_crowded()) drop_unused();
  }

  // Adds the states of the recorded analyses, and their gradient.
  void learn(int features, BeamGradient& gradient) const;

 private:
  void advance(Beam<S>& beam, const StateBatch& states, std::span<const int> rows,
               bool follows_gold) {
    if (beam.is_finished()) return;
    beam.advance(
        task_.actions, [&](int row) { return states.scores(rows[static_cast<std::size_t>(row)]); },
        [&](const State& state, float* costs) { judge(state, follows_gold, costs); },
        [&](std::int32_t history, std::int32_t taken) {
          return histories_.shared(history, taken);
        });
  }

  void judge(const State& state, bool follows_gold, float* costs) const {
    const std::span<float> all(costs, task_.actions.size());
    S::fill_costs(state, task_.actions.data(), static_cast<int>(all.size()),
                  S::valid(state, task_.marks), gold_, costs);
    if (!follows_gold) return;
    const float least = std::min(0.0F, *std::min_element(all.begin(), all.end()));
    for (float& cost : all) cost = cost <= least ? cost : transition::kInvalidCost;
  }

  static std::vector<BeamViolation::Entry> entries_of(const Beam<S>& beam) {
    std::vector<BeamViolation::Entry> entries;
    for (const auto& entry : beam.entries()) {
      entries.push_back({entry.score, entry.loss, entry.history});
    }
    return entries;
  }

  // Of the states on the way of a history, from the first on.
  std::vector<std::int32_t> numbers_of(std::int32_t history) const {
    std::vector<std::int32_t> numbers(static_cast<std::size_t>(histories_.length(history)));
    for (auto number = numbers.rbegin(); number != numbers.rend(); ++number) {
      history = histories_.before(history);
      *number = histories_.mark(history);
    }
    return numbers;
  }

  void drop_unused() {
    std::vector<std::int32_t*> used;
    for (Beam<S>* beam : {&predicted_, &right_}) {
      for (auto& entry : beam->entries()) used.push_back(&entry.history);
    }
    for (WeightedHistory& analysis : violation_.analyses()) used.push_back(&analysis.history);
    histories_.keep(used);
  }

  const ParseInput<S>& task_;
  State start_;
  typename S::Gold gold_;
  BeamHistories histories_;
  Beam<S> predicted_, right_;
  BeamViolation violation_;
  std::vector<int> predicted_rows_, right_rows_;  // of the step's states
  int scored_ = 0;                                // states of this document so far
};

template <transition::System S>
void BeamLesson<S>::learn(int features, BeamGradient& gradient) const {
  const std::size_t classes = task_.actions.size();
  gradient.learnt.emplace_back();
  int longest = 0;
  for (const WeightedHistory& one : violation_.analyses()) {
    if (one.gradient != 0) longest = std::max(longest, histories_.length(one.history));
  }
  std::map<std::int32_t, std::size_t> rows;  // by the number of a state in its document
  for (const WeightedHistory& one : violation_.analyses()) {
    const std::vector<std::int32_t> taken = histories_.classes(one.history);
    gradient.learnt.back().push_back({taken, one.gradient});
    if (one.gradient == 0) continue;
    // A short analysis goes on for as long as the longest, at the average of its scores.
    const auto length = static_cast<int>(taken.size());
    const double each = one.gradient + one.gradient / length * (longest - length);
    const std::vector<std::int32_t> numbers = numbers_of(one.history);
    State state = start_;
    for (std::size_t i = 0; i < taken.size(); ++i) {
      const auto [row, is_new] = rows.try_emplace(numbers[i], gradient.rows());
      if (is_new) {
        S::features(state, features,
                    gradient.add_row({start_.row(), numbers[i]}, static_cast<int>(i), features,
                                     static_cast<int>(classes)));
      }
      const auto k = static_cast<std::size_t>(taken[i]);
      gradient.d_scores[row->second * classes + k] += static_cast<float>(each);
      S::apply(state, task_.actions[k]);
    }
  }
}

// The parses of a shard with their gold annotation. The arguments outlive it.
template <transition::System S>
BeamGradient learn_from_beams(Context& ctx, const StateScorer& scorer, const DrawMasks& draw,
                              const ParseInput<S>& task, std::span<const typename S::State> starts,
                              const typename S::BatchGold& gold, const BeamSettings& settings) {
  std::deque<BeamLesson<S>> lessons;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    if (!starts[i].is_final()) lessons.emplace_back(task, starts[i], gold.of(i), settings);
  }
  BeamGradient gradient;
  StateBatch states(scorer);
  std::vector<float> mask;
  while (true) {
    std::vector<ParseStep> steps;
    states.clear();
    for (BeamLesson<S>& lesson : lessons) {
      if (!lesson.is_finished()) lesson.gather(states, steps);
    }
    if (steps.empty()) break;
    if (draw) {
      mask.resize(steps.size() * static_cast<std::size_t>(scorer.shape.hidden));
      draw(steps, mask.data());
    }
    states.score(ctx, task.unseen, draw ? mask.data() : nullptr);
    for (BeamLesson<S>& lesson : lessons) {
      if (!lesson.is_finished()) lesson.advance(states);
    }
    gradient.states_per_step.push_back(states.count());
  }
  for (const BeamLesson<S>& lesson : lessons) lesson.learn(scorer.shape.features, gradient);
  gradient.finish(scorer.shape.classes, task.unseen);
  return gradient;
}

}  // namespace weft
