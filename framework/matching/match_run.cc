#include "framework/matching/match_run.h"

#include <algorithm>
#include <utility>

namespace weft {

MatchRun::MatchRun(std::span<const TokenPattern> patterns, const PatternIndex& index,
                   TestRunner& runner, bool with_alignments)
    : patterns_(patterns), index_(index), runner_(runner), with_alignments_(with_alignments) {}

std::vector<TokenMatch> MatchRun::find(int begin, int end) {
  begin_ = begin;
  const auto patterns = static_cast<std::int64_t>(patterns_.size());
  steps_left_ = kSteps + (kStepsPerToken + kStepsPerPattern * patterns) * (end - begin);
  for (int i = begin; i < end && !gave_up_on_; ++i) {
    // Each token is shown once to every match under way: the search never goes back.
    start_at(i);
    next_.clear();
    aside_.clear();
    places_.clear();
    passed_to_.clear();
    for (const State& state : live_) walk(state, i);
    // Copies stand behind those that went on.
    for (const State& copy : aside_) keep(next_, copy);
    std::swap(live_, next_);
    // Trails point into the steps, so that these go once nothing is under way.
    if (live_.empty()) steps_.clear();
  }
  passed_to_.clear();
  for (const State& state : live_) finish(state, end);
  return std::move(matches_);
}

// Patterns can be made to take time by powers of a document's length; this is what stops them.
bool MatchRun::spend(const State& state, std::int64_t steps) {
  steps_left_ -= steps;
  if (steps_left_ < 0 && !gave_up_on_) gave_up_on_ = patterns_[state.pattern].key;
  return steps_left_ >= 0;
}

void MatchRun::start_at(int i) {
  index_.find(runner_, i, candidates_);
  for (const std::uint32_t pattern : candidates_) live_.push_back({pattern, 0, i, -1});
}

// Takes one match under way past one token: it dies, ends, or goes on at the same or the next item.
void MatchRun::walk(State state, int i) {
  const std::vector<PatternItem>& items = patterns_[state.pattern].items;
  for (;;) {
    if (!spend(state, 1)) return;
    const PatternItem& item = items[state.item];
    const bool hit = runner_.passes(item.test, i) != item.negated;
    const bool last = state.item + 1 == items.size();
    // An item that may be left out is passed without taking the token: the loop goes on to the next
    // item with the same token, and a copy that takes it is put aside.
    note(state, i - state.start);
    switch (item.count) {
      case PatternItem::Count::one:
        if (!hit) return;
        if (last) return emit(state, i + 1);
        ++state.item;
        return keep(next_, state);
      case PatternItem::Count::any:
        if (last) {
          emit(state, i);
          if (hit) keep(next_, state);
          return;
        }
        if (hit) aside_.push_back(state);
        break;
      case PatternItem::Count::optional:
        if (last) {
          emit(state, i);
          if (hit) emit(state, i + 1);
          return;
        }
        if (hit) {
          aside_.push_back(state);
          ++aside_.back().item;
        }
        break;
    }
    ++state.item;
    if (was_passed_to(state)) return;
  }
}

// Of two matches that leave items out and come to the same one at the same token, the first does
// all that the second would: a row of many such items takes time by their number, not by its
// square.
bool MatchRun::was_passed_to(const State& state) {
  return patterns_[state.pattern].variable_items > kFewItems &&
         !passed_to_.insert({state.pattern, state.item, state.start});
}

// Behind the last token a match is whole if all items that are left may be left out.
void MatchRun::finish(State state, int end) {
  const std::vector<PatternItem>& items = patterns_[state.pattern].items;
  while (items[state.item].count != PatternItem::Count::one) {
    note(state, end - state.start);
    if (state.item + 1 == items.size()) return emit(state, end);
    ++state.item;
    if (was_passed_to(state)) return;
  }
}

// Of two matches in the same place that began at the same token one is dropped: both have the same
// future. Only patterns with repetitions can bring two together, and others are not looked up.
void MatchRun::keep(std::vector<State>& to, const State& state) {
  const bool is_new = patterns_[state.pattern].variable_items < 2 ||
                      places_.insert({state.pattern, state.item, state.start});
  if (is_new) to.push_back(state);
}

// Trails share their beginnings, like the branches of a tree: a copy of a match costs one number.
void MatchRun::note(State& state, int length) {
  if (!with_alignments_) return;
  const std::uint32_t token = patterns_[state.pattern].items[state.item].token;
  steps_.push_back({token, length, state.trail});
  state.trail = static_cast<std::int32_t>(steps_.size()) - 1;
}

void MatchRun::emit(const State& state, int end) {
  if (end == state.start) return;
  const std::uint32_t key = patterns_[state.pattern].key;
  if (!seen_.insert({key, state.start, end}).second || !spend(state, kStepsPerMatch)) return;
  if (matches_.size() == kMostMatches) {
    gave_up_on_ = key;
    return;
  }
  matches_.push_back(
      {key, state.start - begin_, end - begin_, alignment_of(state, end - state.start)});
}

// An item that was passed without taking a token was noted for the same length as the one that took
// it; of these the last item of the pattern is the one that took it.
std::vector<std::uint32_t> MatchRun::alignment_of(const State& state, int length) const {
  if (!with_alignments_) return {};
  std::vector<std::uint32_t> alignment(static_cast<std::size_t>(length), 0);
  for (std::int32_t at = state.trail; at >= 0; at = steps_[static_cast<std::size_t>(at)].before) {
    const Step& step = steps_[static_cast<std::size_t>(at)];
    if (step.length >= length) continue;
    std::uint32_t& token = alignment[static_cast<std::size_t>(step.length)];
    token = std::max(token, step.token);
  }
  return alignment;
}

}  // namespace weft
