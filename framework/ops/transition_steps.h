// Running a transition system over a batch of documents: all documents advance together, one step
// a round, over lower-layer rows that were computed once for the whole batch. A backend has
// one kernel for prediction and one for training (docs/ner-model.md; spaCy 3.8, parser_model).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "framework/ops/kernel.h"
#include "framework/ops/transition_system.h"
#include "framework/precision/format.h"

namespace weft {

// Sizes of the scoring layers: a state's vector is the sum of `features` rows of hidden x pieces
// numbers, the maximum over the pieces is taken, and the upper layer gives one score per class.
// Without an upper layer `hidden` is the number of classes.
struct ScorerShape {
  int features = 3;
  int hidden = 0;
  int pieces = 1;
  int classes = 0;
  bool has_upper = true;
  // With one piece: negative hidden numbers become 0, and no piece is said to have won there.
  bool rectifies = false;

  constexpr int slice() const { return hidden * pieces; }
  constexpr int row() const { return features * slice(); }
};

// The hidden vector of a state: the sum of its features' rows and the bias, the maximum over the
// pieces. Its scores: the upper layer. Both are parts of the kernels below.
struct StateHidden {
  static constexpr std::string_view name = "parser_state_gather_sum";
  static constexpr Category category = Category::any;
  static constexpr FormatRule output_per_op = FormatRule::f32;
};
struct StateScores {
  static constexpr std::string_view name = "parser_upper";
  static constexpr Category category = Category::low;
  static constexpr FormatRule output_per_op = FormatRule::f32;
  static constexpr FormatRule output_whole_model = FormatRule::f32;
  static constexpr bool gives_logits = true;
};

// The numbers that score states; arrays in row-major order.
struct ScorerWeights {
  const void* lower = nullptr;        // (tokens, features, hidden, pieces): the precomputed rows
  const float* pad = nullptr;         // (features, hidden, pieces): stands for a missing token
  const float* lower_bias = nullptr;  // (hidden, pieces)
  const float* upper = nullptr;       // (classes, hidden), null without an upper layer
  const float* upper_bias = nullptr;  // (classes), null without an upper layer
  NumberFormat lower_format = NumberFormat::f32;   // in which `lower` is stored
  NumberFormat hidden_format = NumberFormat::f32;  // to which hidden vectors are rounded
  NumberFormat score_format = NumberFormat::f32;   // the same where the upper layer takes them
  NumberFormat logit_format = NumberFormat::f32;   // to which scores are rounded
  // On the CPU alone, in f32: `lower` has rows of the first feature, (tokens, hidden, pieces), and
  // those of others are computed when a state needs one. Null: `lower` has all.
  const float* vectors = nullptr;        // (tokens, width)
  const float* lower_weights = nullptr;  // (features, hidden, pieces, width)
  std::int64_t width = 0;
};

// The lower row of one feature of a token, (hidden, pieces), from its vector. Where there is a
// kernel, those of parses compute rows so that `lower` has not.
struct LowerRow {
  static constexpr std::string_view name = "lower_row";
  static constexpr Category category = Category::f32;
  static constexpr bool always_f32 = true;
  using Fn = void(Stream&, const ScorerShape& shape, const ScorerWeights& weights,
                  std::int32_t token, int feature, float* row);
};

// The rounds of parses that come longest first, as devices need them: the parse at place s of the
// states has row begin[k] + s in round k. The most steps that it takes are known before it runs.
struct TransitionRounds {
  int count = 0;
  const std::int32_t* begin = nullptr;         // (count + 1), on the host
  const std::int32_t* device_begin = nullptr;  // the same on the device
};

// Arguments of both kernels. On a device all arrays lie in its memory, and `rounds` is filled.
template <transition::System S>
struct TransitionTaskOf {
  ScorerShape shape;
  ScorerWeights weights;
  std::span<const typename S::Action> actions;  // class order
  std::span<const std::uint8_t> unseen;         // per class: 1 = was never trained; may be empty
  std::span<const typename S::State> states;    // where each parse starts
  typename S::Marks marks;
  TransitionRounds rounds = {};  // of at most max_rounds in training; not looked at by the CPU
};
using TransitionTask = TransitionTaskOf<transition::EntitySystem>;

// Where prediction notes the class that each parse takes in each of its steps; it leaves alone what
// no parse reaches.
struct TakenClasses {
  std::int32_t* classes = nullptr;
  const std::int64_t* begin = nullptr;  // of each parse: step k is noted at begin[parse] + k

  constexpr std::int32_t& of(std::int64_t parse, int step) const {
    return classes[begin[parse] + step];
  }
};

// Parses greedily and notes the classes that are taken; -1 where no class is valid and a parse
// ends.
template <transition::System S>
struct TransitionParseOf {
  static constexpr std::string_view name = S::parse_name;
  static constexpr Category category = Category::f32;
  static constexpr bool always_f32 = true;
  using Fn = void(Stream&, const TransitionTaskOf<S>& task, const TakenClasses& taken);
};
using TransitionParse = TransitionParseOf<transition::EntitySystem>;

// Gold annotation and limits of a training pass.
template <transition::System S>
struct TransitionGoldOf : S::BatchGold {
  int max_rounds = 0;           // 0: until every state is final
  const float* mask = nullptr;  // (rows, hidden): multiplies the hidden vectors; null: none
};
using TransitionGold = TransitionGoldOf<transition::EntitySystem>;

// The record of training: one row for every state in every round, in that order. Arrays have room
// for all steps that the parses can take. A parse may end before its time, because no class is
// valid: on a device the rows that it does not reach are zeros, on the CPU there are none.
struct TransitionRecord {
  float* hidden = nullptr;           // (rows, hidden), after the mask
  std::uint8_t* winners = nullptr;   // (rows, hidden): the piece that won; `pieces`: none
  std::int32_t* features = nullptr;  // (rows, features): token rows, -1 for none
  float* d_scores = nullptr;         // (rows, classes)
  std::int32_t* classes = nullptr;   // (rows): the class that was taken
  std::int32_t* state = nullptr;     // (rows): number of the state
  int rows = 0;                      // out: rows that were filled
  double* loss = nullptr;  // one number, written: the sum of the squares of score gradients
};

// Scores every state of every round, records the gradient of the scores and follows the predicted
// class.
template <transition::System S>
struct TransitionTrainOf {
  static constexpr std::string_view name = S::train_name;
  static constexpr Category category = Category::f32;
  static constexpr bool always_f32 = true;
  using Fn = void(Stream&, const TransitionTaskOf<S>& task, const TransitionGoldOf<S>& gold,
                  TransitionRecord& record);
};
using TransitionTrain = TransitionTrainOf<transition::EntitySystem>;

// The tokens that no state has but as its first feature, most of a text for entities: the gradient
// of their lower rows is zero but for that feature. `order` gets the tokens, those first, and
// `place` where each token stands in it, both (tokens, i32); `singles` how many they are, 0 if less
// than half, never all. Where there is no such kernel there are none.
struct TransitionSingles {
  static constexpr std::string_view name = "transition_singles";
  static constexpr Category category = Category::f32;
  static constexpr bool always_f32 = true;
  using Fn = void(Stream&, const ScorerShape& shape, const TransitionRecord& record, View order,
                  View place, std::int64_t& singles);
};

// Gradients of the lower rows of tokens: side by side, or by features where there are singles.
struct LowerGradient {
  float* whole = nullptr;  // (tokens, features, hidden, pieces), without singles
  // On the CPU alone. Tokens are in the order of TransitionSingles, `others` are those behind them.
  float* first = nullptr;               // (tokens, hidden, pieces): of the first feature
  float* rest = nullptr;                // (others, features - 1, hidden, pieces)
  const std::int32_t* place = nullptr;  // of each token in the order; null: there are no singles
  std::int64_t singles = 0;
};

// Adds the gradient of the hidden vectors (rows, hidden) to those of the lower rows, of the pad
// (features, hidden, pieces) and the bias (hidden, pieces).
struct TransitionScatter {
  static constexpr std::string_view name = "transition_scatter";
  static constexpr Category category = Category::f32;
  static constexpr bool always_f32 = true;
  using Fn = void(Stream&, const ScorerShape& shape, const TransitionRecord& record,
                  const float* d_hidden, const LowerGradient& d_lower, float* d_pad, float* d_bias);
};

}  // namespace weft
