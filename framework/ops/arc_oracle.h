// The cost of a move of the arc-eager system: how many gold arcs it puts out of reach
// (docs/parsing.md; spaCy 3.8, the dynamic oracle of ArcEager).
#pragma once

#include <cstddef>
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
};

// The same as kernels read it, wherever it lies.
struct ArcGoldView {
  const std::int32_t* head = nullptr;
  const std::uint8_t* known = nullptr;
  const std::uint64_t* label = nullptr;
  const std::int8_t* starts = nullptr;
  const std::int32_t* next_mark = nullptr;
  const std::int32_t* kids = nullptr;
  const std::int32_t* kids_begin = nullptr;

  ArcGoldView() = default;
  // That of the host, which outlives it.
  ArcGoldView(const ArcGold* gold)
      : head(gold->head.data()),
        known(gold->known.data()),
        label(gold->label.data()),
        starts(gold->starts.data()),
        next_mark(gold->next_mark.data()),
        kids(gold->kids.data()),
        kids_begin(gold->kids_begin.data()) {}

  constexpr bool is_real(std::int32_t token) const {
    return known[token] != 0 && head[token] != token;
  }
  constexpr std::int32_t count_kids(std::int32_t token) const {
    return kids_begin[token + 1] - kids_begin[token];
  }
};

// How the tokens of a state are tied to stack and buffer by gold arcs.
template <class State>
class ArcTies {
 public:
  constexpr ArcTies(const State& state, const ArcGoldView& gold)
      : state_(state), gold_(gold), end_(buffer_end()) {}

  // Gold arcs between the token and tokens of the stack, or of the buffer up to where a sentence
  // starts: to its head (0 or 1) and from its children.
  constexpr int heads_in_stack(std::int32_t token) const {
    return gold_.is_real(token) && state_.in_stack(gold_.head[token]) ? 1 : 0;
  }
  constexpr int heads_in_buffer(std::int32_t token) const {
    return gold_.is_real(token) && is_ahead(gold_.head[token]) ? 1 : 0;
  }
  constexpr int with_stack(std::int32_t token) const {
    int count = heads_in_stack(token);
    for (std::int32_t i = gold_.kids_begin[token]; i < gold_.kids_begin[token + 1]; ++i) {
      count += state_.in_stack(gold_.kids[i]) ? 1 : 0;
    }
    return count;
  }
  constexpr int with_buffer(std::int32_t token) const {
    int count = heads_in_buffer(token);
    for (std::int32_t i = gold_.kids_begin[token]; i < gold_.kids_begin[token + 1]; ++i) {
      count += is_ahead(gold_.kids[i]) ? 1 : 0;
    }
    return count;
  }

 private:
  constexpr bool is_ahead(std::int32_t token) const {
    return token < end_ && state_.in_buffer(token);
  }

  constexpr bool starts(std::int32_t token) const {
    return token < state_.length() && (gold_.next_mark[token] == token || state_.is_broken(token));
  }

  // The buffer's first token that starts a sentence. A move starts one at most one token beyond
  // `next`, so no token further on has to be looked at.
  constexpr std::int32_t buffer_end() const {
    const auto& returned = state_.returned();
    for (std::size_t i = returned.size(); i-- > 0;) {
      if (starts(returned[i])) return returned[i];
    }
    const std::int32_t next = state_.next();
    for (const std::int32_t token : {next, next + 1}) {
      if (starts(token)) return token;
    }
    return next < state_.length() ? gold_.next_mark[next] : state_.length();
  }

  const State& state_;
  const ArcGoldView& gold_;
  std::int32_t end_;
};

// The costs of one state: by move, and what a label adds.
class ArcCosts {
 public:
  template <class State>
  constexpr ArcCosts(const State& state, const ValidArcs& valid, const ArcGoldView& gold)
      : valid_(valid), s0_(state.stack(0)), b0_(state.buffer(0)), gold_(gold) {
    const ArcTies<State> ties(state, gold_);
    const std::int32_t b1 = state.buffer(1);
    const bool starts_b1 = valid.sentence && gold.starts[b1] == 1;
    if (b0_ != kNoToken) push_ = static_cast<float>(ties.with_stack(b0_) + (starts_b1 ? 1 : 0));
    if (s0_ != kNoToken) set_pops(state, ties);
    if (valid.arcs) set_arcs(state, ties);
    if (valid.sentence) sentence_ = static_cast<float>(cost_of_sentence(state, ties, b1));
  }

  constexpr float of(const ArcAction& action) const {
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
  constexpr float wrong(std::int32_t token, std::uint64_t label) const {
    return gold_.known[token] == 0 || label == 0 || label == gold_.label[token] ? 0.0F : 1.0F;
  }

  template <class State>
  constexpr void set_pops(const State& state, const ArcTies<State>& ties) {
    pop_ = static_cast<float>(ties.with_buffer(s0_));
    reduce_ = pop_;
    if (!state.has_head(s0_)) reduce_ -= static_cast<float>(ties.with_stack(s0_));
    if (b0_ != kNoToken && (gold_.next_mark[b0_] == b0_ || state.is_broken(b0_))) {
      reduce_ = 0;
    }
  }

  template <class State>
  constexpr void set_arcs(const State& state, const ArcTies<State>& ties) {
    const bool loses_head = gold_.head[s0_] == state.stack(1) && state.stack(1) != kNoToken;
    left_ = pop_ + (state.has_head(s0_) ? (loses_head ? 1.0F : 0.0F)
                                        : static_cast<float>(ties.with_stack(s0_)));
    left_is_gold_ = gold_.head[s0_] == b0_;
    right_is_gold_ = gold_.head[b0_] == s0_;
    const bool waits = ties.heads_in_buffer(b0_) == 1 && !state.is_blocked(b0_);
    right_ = push_ + (!right_is_gold_ && waits ? 1.0F : 0.0F);
  }

  template <class State>
  constexpr int cost_of_sentence(const State& state, const ArcTies<State>& ties,
                                 std::int32_t b1) const {
    int cost = gold_.starts[b1] == 0 ? 1 : 0;
    for (std::size_t depth = 0; depth < state.stack_depth(); ++depth) {
      const std::int32_t token = state.stack(depth);
      cost += ties.with_buffer(token);
      cost -= gold_.head[b0_] == token ? 1 : 0;
      cost -= gold_.head[token] == b0_ ? 1 : 0;
    }
    return cost;
  }

  ValidArcs valid_;
  std::int32_t s0_, b0_;
  ArcGoldView gold_;
  float push_ = kInvalidCost, pop_ = kInvalidCost, reduce_ = 0, left_ = 0, right_ = 0;
  float sentence_ = 0;
  bool left_is_gold_ = false, right_is_gold_ = false;
};

}  // namespace weft::transition
