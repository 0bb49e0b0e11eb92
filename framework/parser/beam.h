// The analyses of one document that a beam search follows at the same time, under any transition
// system (docs/parsing.md, 7; spaCy 3.8, Beam).
//
// Entries lie in slots: two rows of them, which change places with every step. The mark "done" of a
// slot stays there when its entry is dropped, and the entry that gets the slot two steps later
// counts as done too. That is the reference's behaviour, kept for equal predictions.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "framework/ops/transition_system.h"
#include "framework/parser/beam_histories.h"
#include "framework/parser/beam_settings.h"

namespace weft {

// A way to go on: `number` is entry * classes + class, or entry * classes for one that is done.
struct BeamCandidate {
  float score = 0;
  std::int64_t number = 0;

  // Of two candidates the better one. Equal scores: the larger number.
  friend bool operator>(const BeamCandidate& a, const BeamCandidate& b) {
    return a.score != b.score ? a.score > b.score : a.number > b.number;
  }
};

// Leaves the best `width` of the candidates, the best first, without those whose probability is
// less than `density` of the best one's.
WEFT_API void choose_best(std::vector<BeamCandidate>& candidates, int width, double density);

template <transition::System S>
class Beam {
 public:
  using State = typename S::State;

  struct Entry {
    State state;
    float score = 0;  // sum of the scores of its classes
    float loss = 0;   // sum of their costs
    std::int32_t history = BeamHistories::kEmpty;
    bool is_done = false;
  };

  Beam(const State& start, const BeamSettings& settings)
      : settings_(settings),
        entries_(static_cast<std::size_t>(settings.width)),
        parents_(entries_.size()) {
    entries_[0].state = start;
    note_done();
  }

  bool is_finished() const { return finished_; }
  // The best one first.
  std::span<Entry> entries() { return {entries_.data(), size_}; }
  std::span<const Entry> entries() const { return {entries_.data(), size_}; }

  // One class further. `scores(row)` gives the scores of the entry that is number `row` of those
  // whose states are not final; `judge(state, costs)` fills in what each class costs, kInvalidCost
  // where the beam does not follow it; `extend(history, class)` gives the longer history. Where no
  // entry can go on, the beam is finished as it is.
  template <class Scores, class Judge, class Extend>
  void advance(std::span<const typename S::Action> actions, const Scores& scores,
               const Judge& judge, const Extend& extend);

 private:
  template <class Scores, class Judge>
  void collect(std::size_t classes, const Scores& scores, const Judge& judge);
  void note_done();

  static constexpr int kStepsBetweenTrims = 32;

  BeamSettings settings_;
  std::vector<Entry> entries_, parents_;
  std::size_t size_ = 1;
  int steps_ = 0;
  bool finished_ = false;
  std::vector<BeamCandidate> candidates_;
  std::vector<float> costs_;  // of each entry's classes
};

template <transition::System S>
template <class Scores, class Judge>
void Beam<S>::collect(std::size_t classes, const Scores& scores, const Judge& judge) {
  candidates_.clear();
  costs_.resize(size_ * classes);
  int row = 0;
  for (std::size_t e = 0; e < size_; ++e) {
    const Entry& entry = entries_[e];
    const auto first = static_cast<std::int64_t>(e * classes);
    const float* own = entry.state.is_final() ? nullptr : scores(row++);
    if (entry.is_done) {
      const bool moved = entry.history != BeamHistories::kEmpty;
      const float average = moved ? entry.score / static_cast<float>(steps_) : 0.0F;
      candidates_.push_back({entry.score + average, first});
      continue;
    }
    float* costs = costs_.data() + first;
    judge(entry.state, costs);
    for (std::size_t k = 0; k < classes; ++k) {
      if (costs[k] == transition::kInvalidCost) continue;
      const float score = entry.score + own[k];
      const bool is_number = !std::isnan(score);
      candidates_.push_back({is_number ? score : -std::numeric_limits<float>::infinity(),
                             first + static_cast<std::int64_t>(k)});
    }
  }
}

template <transition::System S>
template <class Scores, class Judge, class Extend>
void Beam<S>::advance(std::span<const typename S::Action> actions, const Scores& scores,
                      const Judge& judge, const Extend& extend) {
  const std::size_t classes = actions.size();
  collect(classes, scores, judge);
  choose_best(candidates_, settings_.width, settings_.density);
  if (candidates_.empty()) {
    finished_ = true;
    return;
  }
  std::swap(entries_, parents_);
  size_ = 0;
  for (const BeamCandidate& candidate : candidates_) {
    Entry& parent = parents_[static_cast<std::size_t>(candidate.number) / classes];
    const auto taken = static_cast<std::size_t>(candidate.number) % classes;
    Entry& entry = entries_[size_++];
    if (parent.is_done) {
      std::swap(entry, parent);
      parent.is_done = false;
    } else {
      entry.state = parent.state;
      S::apply(entry.state, actions[taken]);
      entry.loss = parent.loss + costs_[static_cast<std::size_t>(candidate.number)];
      entry.history = extend(parent.history, static_cast<std::int32_t>(taken));
    }
    entry.score = candidate.score;
  }
  ++steps_;
  note_done();
}

template <transition::System S>
void Beam<S>::note_done() {
  finished_ = true;
  for (Entry& entry : entries()) {
    entry.is_done = entry.is_done || entry.state.is_final();
    finished_ = finished_ && entry.is_done;
    // States of long documents stay as large as what a move can still reach.
    if constexpr (requires { entry.state.trim(); }) {
      if (steps_ % kStepsBetweenTrims == 0) entry.state.trim();
    }
  }
}

}  // namespace weft
