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
};

// The rounds of parses that come longest first, as devices need them: the parse at place s of the
// states has row begin[k] + s in round k. A parse takes one token a round, so that this is known
// before it runs.
struct TransitionRounds {
  int count = 0;
  const std::int32_t* begin = nullptr;         // (count + 1), on the host
  const std::int32_t* device_begin = nullptr;  // the same on the device
};

// What both kernels start from. On a device all arrays lie in its memory, and `rounds` is filled.
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

// Parses greedily: `classes` has one entry per token of the batch; entry r becomes the class that
// was taken at row r, and stays as it was for tokens that no state reached.
template <transition::System S>
struct TransitionParseOf {
  static constexpr std::string_view name = S::parse_name;
  static constexpr Category category = Category::f32;
  static constexpr bool always_f32 = true;
  using Fn = void(Stream&, const TransitionTaskOf<S>& task, std::int32_t* classes);
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
// for all steps that the parses can take. On a device they are zeros before the call; the rows of a
// parse that ends before its time, because no class is valid, stay so, and the loss goes to
// `device_loss` instead of `rows` and `loss` being set.
struct TransitionRecord {
  float* hidden = nullptr;           // (rows, hidden), after the mask
  std::uint8_t* winners = nullptr;   // (rows, hidden): the piece that won
  std::int32_t* features = nullptr;  // (rows, features): token rows, -1 for none
  float* d_scores = nullptr;         // (rows, classes)
  std::int32_t* classes = nullptr;   // (rows): the class that was taken
  std::int32_t* state = nullptr;     // (rows): number of the state
  int rows = 0;                      // out: rows that were filled
  double loss = 0;                   // out: sum of the squared score gradients
  double* device_loss = nullptr;     // the same, on a device
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

// Adds the gradient of the hidden vectors (rows, hidden) to those of the lower rows (tokens,
// features, hidden, pieces), of the pad (features, hidden, pieces) and the bias (hidden, pieces).
struct TransitionScatter {
  static constexpr std::string_view name = "transition_scatter";
  static constexpr Category category = Category::f32;
  static constexpr bool always_f32 = true;
  using Fn = void(Stream&, const ScorerShape& shape, const TransitionRecord& record,
                  const float* d_hidden, float* d_lower, float* d_pad, float* d_bias);
};

}  // namespace weft
