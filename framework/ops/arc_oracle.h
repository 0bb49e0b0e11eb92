// The cost of a move of the arc-eager system: how many gold arcs it puts out of reach
// (docs/parsing.md; spaCy 3.8, the dynamic oracle of ArcEager).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "framework/ops/arc_moves.h"
#include "framework/ops/transition_oracle.h"

namespace weft::transition {

// The gold parse of one document, one entry per token.
struct ArcGold {
  std::vector<std::int32_t> head;   // itself for a root; 0 where it is unknown, which the
                                    // reference's comparisons read as token 0
  std::vector<std::uint8_t> known;  // 1: `head` is
  std::vector<std::uint64_t> label;
  std::vector<std::int8_t> starts;      // of a sentence: 1 yes, 0 no, -1 unknown
  std::vector<std::int32_t> next_mark;  // the first token from here on that was marked as a
                                        // sentence start before the parse; the length: none
  // The children of token h whose heads are known: kids[kids_begin[h]] to kids[kids_begin[h + 1]].
  std::vector<std::int32_t> kids, kids_begin;

  // Its head is known and another token.
  bool is_real(std::int32_t token) const {
    const auto at = static_cast<std::size_t>(token);
    return known[at] != 0 && head[at] != token;
  }
  std::int32_t head_of(std::int32_t token) const { return head[static_cast<std::size_t>(token)]; }
};

// How the tokens of a state are tied to stack and buffer by gold arcs.
class ArcTies {
 public:
  ArcTies(const ArcState& state, const ArcGold& gold)
      : state_(state), gold_(gold), end_(buffer_end()) {}

  // Gold arcs between the token and tokens of the stack, or of the buffer up to where a sentence
  // starts: to its head (0 or 1) and from its children.
  int heads_in_stack(std::int32_t token) const {
    return gold_.is_real(token) && state_.in_stack(gold_.head_of(token)) ? 1 : 0;
  }
  int heads_in_buffer(std::int32_t token) const {
    return gold_.is_real(token) && is_ahead(gold_.head_of(token)) ? 1 : 0;
  }
  int with_stack(std::int32_t token) const {
    return heads_in_stack(token) +
           kids(token, [&](std::int32_t kid) { return state_.in_stack(kid); });
  }
  int with_buffer(std::int32_t token) const {
    return heads_in_buffer(token) + kids(token, [&](std::int32_t kid) { return is_ahead(kid); });
  }

 private:
  bool is_ahead(std::int32_t token) const { return token < end_ && state_.in_buffer(token); }

  template <class Test>
  int kids(std::int32_t token, const Test& test) const {
    const auto at = static_cast<std::size_t>(token);
    const auto begin = gold_.kids.begin();
    return static_cast<int>(
        std::count_if(begin + gold_.kids_begin[at], begin + gold_.kids_begin[at + 1], test));
  }

  bool starts(std::int32_t token) const {
    return token < state_.length() &&
           (gold_.next_mark[static_cast<std::size_t>(token)] == token || state_.is_broken(token));
  }

  // The buffer's first token that starts a sentence. A move starts one at most one token beyond
  // `next`, so no token further on has to be looked at.
  std::int32_t buffer_end() const {
    const auto& returned = state_.returned();
    const auto found = std::find_if(returned.rbegin(), returned.rend(),
                                    [&](std::int32_t token) { return starts(token); });
    if (found != returned.rend()) return *found;
    const std::int32_t next = state_.next();
    for (const std::int32_t token : {next, next + 1}) {
      if (starts(token)) return token;
    }
    return next < state_.length() ? gold_.next_mark[static_cast<std::size_t>(next)]
                                  : state_.length();
  }

  const ArcState& state_;
  const ArcGold& gold_;
  std::int32_t end_;
};

// The costs of one state: by move, and what a label adds.
class ArcCosts {
 public:
  ArcCosts(const ArcState& state, const ValidArcs& valid, const ArcGold& gold)
      : valid_(valid), s0_(state.stack(0)), b0_(state.buffer(0)), gold_(gold) {
    const ArcTies ties(state, gold);
    const std::int32_t b1 = state.buffer(1);
    const bool starts_b1 = valid.sentence && gold.starts[static_cast<std::size_t>(b1)] == 1;
    if (b0_ != kNoToken) push_ = static_cast<float>(ties.with_stack(b0_) + (starts_b1 ? 1 : 0));
    if (s0_ != kNoToken) set_pops(state, ties);
    if (valid.arcs) set_arcs(state, ties);
    if (valid.sentence) sentence_ = static_cast<float>(cost_of_sentence(state, ties, b1));
  }

  float of(const ArcAction& action) const {
    if (!valid_.allows(action)) return kInvalidCost;
    switch (action.move) {
      case ArcMove::shift:
        return push_;
      case ArcMove::reduce:
        return reduce_;
      case ArcMove::left:
        return left_ + (left_is_gold_ ? wrong(s0_, action.label) - 1 : 0);
      case ArcMove::right:
        return right_ + (right_is_gold_ ? wrong(b0_, action.label) - 1 : 0);
      case ArcMove::sentence:
        return sentence_;
    }
    return kInvalidCost;
  }

 private:
  float wrong(std::int32_t token, std::uint64_t label) const {
    const auto at = static_cast<std::size_t>(token);
    return gold_.known[at] == 0 || label == 0 || label == gold_.label[at] ? 0 : 1;
  }

  void set_pops(const ArcState& state, const ArcTies& ties) {
    pop_ = static_cast<float>(ties.with_buffer(s0_));
    reduce_ = pop_;
    if (!state.has_head(s0_)) reduce_ -= static_cast<float>(ties.with_stack(s0_));
    if (b0_ != kNoToken &&
        (gold_.next_mark[static_cast<std::size_t>(b0_)] == b0_ || state.is_broken(b0_))) {
      reduce_ = 0;
    }
  }

  void set_arcs(const ArcState& state, const ArcTies& ties) {
    const bool loses_head = gold_.head_of(s0_) == state.stack(1) && state.stack(1) != kNoToken;
    left_ = pop_ + (state.has_head(s0_) ? (loses_head ? 1.0F : 0.0F)
                                        : static_cast<float>(ties.with_stack(s0_)));
    left_is_gold_ = gold_.head_of(s0_) == b0_;
    right_is_gold_ = gold_.head_of(b0_) == s0_;
    const bool waits = ties.heads_in_buffer(b0_) == 1 && !state.is_blocked(b0_);
    right_ = push_ + (!right_is_gold_ && waits ? 1.0F : 0.0F);
  }

  int cost_of_sentence(const ArcState& state, const ArcTies& ties, std::int32_t b1) const {
    int cost = gold_.starts[static_cast<std::size_t>(b1)] == 0 ? 1 : 0;
    for (const std::int32_t token : state.stack_tokens()) {
      cost += ties.with_buffer(token);
      cost -= gold_.head_of(b0_) == token ? 1 : 0;
      cost -= gold_.head_of(token) == b0_ ? 1 : 0;
    }
    return cost;
  }

  const ValidArcs& valid_;
  std::int32_t s0_, b0_;
  const ArcGold& gold_;
  float push_ = kInvalidCost, pop_ = kInvalidCost, reduce_ = 0, left_ = 0, right_ = 0;
  float sentence_ = 0;
  bool left_is_gold_ = false, right_is_gold_ = false;
};

}  // namespace weft::transition
