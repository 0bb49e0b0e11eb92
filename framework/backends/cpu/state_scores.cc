#include "framework/backends/cpu/state_scores.h"

#include <algorithm>
#include <cstddef>

#include "framework/backends/cpu/base/clones.h"
#include "framework/backends/cpu/gemm/host_gemm.h"
#include "framework/backends/cpu/vector_math.h"
#include "framework/ops/state_scores.h"
#include "framework/precision/convert.h"

namespace weft {

namespace {

// Numbers of 16-bit rows written out to `wide`.
const float* widened(const ScorerWeights& weights, std::ptrdiff_t at, std::ptrdiff_t slice,
                     float* wide) {
  const auto count = static_cast<std::size_t>(slice);
  widen(weights.lower_format, {static_cast<const std::uint16_t*>(weights.lower) + at, count},
        {wide, count});
  return wide;
}

// Negative numbers become 0, and no piece wins there; 0 itself passes its gradient on.
void rectify(const ScorerShape& shape, float* hidden, std::uint8_t* winners) {
  for (int o = 0; o < shape.hidden; ++o) {
    if (!(hidden[o] < 0)) continue;
    hidden[o] = 0.0F;
    if (winners != nullptr) winners[o] = static_cast<std::uint8_t>(shape.pieces);
  }
}

// The lower layer was multiplied with every token once; a state only adds up, for each of its
// features, the slice of that token's row which belongs to the feature, and takes the largest
// piece. With n tokens this is n GEMM rows instead of one for each state and feature.
// The hidden vector of one state; `parts` by feature, null for one in 16 bits; `sum` is scratch of
// 2 shape.slice() numbers.
WEFT_CPU_CLONES
void hidden_row(const ScorerShape& shape, const ScorerWeights& weights,
                const std::int32_t* features, const float* const* parts, float* sum, float* hidden,
                std::uint8_t* winners) {
  const std::ptrdiff_t slice = shape.slice();
  std::copy_n(weights.lower_bias, slice, sum);
  for (int f = 0; f < shape.features; ++f) {
    const std::ptrdiff_t at = std::ptrdiff_t{features[f]} * shape.row() + f * slice;
    add_to(sum, parts[f] != nullptr ? parts[f] : widened(weights, at, slice, sum + slice), slice);
  }
  max_of_pieces(sum, shape.hidden, shape.pieces, hidden, winners);
  if (shape.rectifies) rectify(shape, hidden, winners);
}

std::size_t numbers(int rows, int width) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(width);
}

void compute_lower_row(const ScorerShape& shape, const ScorerWeights& weights, std::int32_t token,
                       int feature, float* row) {
  cpu::multiply(
      {.transpose_b = true,
       .m = 1,
       .n = shape.slice(),
       .k = weights.width,
       .a = weights.vectors + token * weights.width,
       .lda = weights.width,
       .b = weights.lower_weights + std::ptrdiff_t{feature} * shape.slice() * weights.width,
       .ldb = weights.width,
       .c = row,
       .ldc = shape.slice()});
}

void lower_row(Stream&, const ScorerShape& shape, const ScorerWeights& weights, std::int32_t token,
               int feature, float* row) {
  compute_lower_row(shape, weights, token, feature, row);
}

void score_states(Stream&, const ScorerShape& shape, const ScorerWeights& weights,
                  std::span<const std::uint8_t> unseen, const StateRows& rows) {
  cpu::StateScoring scoring(shape, weights, unseen);
  for (int r = 0; r < rows.count; ++r) {
    const std::ptrdiff_t at = std::ptrdiff_t{r} * shape.hidden;
    scoring.fill_hidden(rows.features + std::ptrdiff_t{r} * shape.features, rows.hidden + at,
                        rows.winners == nullptr ? nullptr : rows.winners + at);
  }
  scoring.round_hidden(rows.count, rows.hidden);
  if (rows.mask != nullptr) {
    multiply_by(rows.hidden, rows.mask, std::ptrdiff_t{rows.count} * shape.hidden);
    scoring.round_hidden(rows.count, rows.hidden);
  }
  if (rows.scores != nullptr) scoring.fill_scores(rows.count, rows.hidden, rows.scores);
}

const KernelRegistration<LowerRow> lower_row_kernel{DeviceKind::cpu, lower_row};
const KernelRegistration<ScoreStates> score_kernel{DeviceKind::cpu, score_states};

}  // namespace

namespace cpu {

StateScoring::StateScoring(const ScorerShape& shape, const ScorerWeights& weights,
                           std::span<const std::uint8_t> unseen)
    : shape_(shape),
      weights_(weights),
      unseen_(unseen),
      sum_(2 * static_cast<std::size_t>(shape.slice())),
      parts_(static_cast<std::size_t>(shape.features)) {}

void StateScoring::fill_hidden(const std::int32_t* features, float* hidden, std::uint8_t* winners) {
  if (weights_.vectors != nullptr) make_rows(features);
  for (int f = 0; f < shape_.features; ++f) {
    parts_[static_cast<std::size_t>(f)] = part_of(features[f], f);
  }
  hidden_row(shape_, weights_, features, parts_.data(), sum_.data(), hidden, winners);
}

std::size_t StateScoring::place_of(std::int32_t token, int feature) const {
  return numbers(token, shape_.features - 1) + static_cast<std::size_t>(feature - 1);
}

// Once for all states that have the token as that feature.
void StateScoring::make_rows(const std::int32_t* features) {
  for (int f = 1; f < shape_.features; ++f) {
    if (features[f] < 0) continue;
    const std::size_t place = place_of(features[f], f);
    if (place >= made_at_.size()) made_at_.resize(2 * place + 1, -1);
    if (made_at_[place] >= 0) continue;
    made_at_[place] = static_cast<std::int32_t>(made_.size() / slice());
    made_.resize(made_.size() + slice());
    compute_lower_row(shape_, weights_, features[f], f, made_.data() + made_.size() - slice());
  }
}

const float* StateScoring::part_of(std::int32_t token, int feature) const {
  const auto at = static_cast<std::ptrdiff_t>(feature) * shape_.slice();
  if (token < 0) return weights_.pad + at;
  const auto* lower = static_cast<const float*>(weights_.lower);
  if (weights_.vectors != nullptr) {
    if (feature == 0) return lower + std::ptrdiff_t{token} * shape_.slice();
    return made_.data() + numbers(made_at_[place_of(token, feature)], shape_.slice());
  }
  if (weights_.lower_format != NumberFormat::f32) return nullptr;
  return lower + std::ptrdiff_t{token} * shape_.row() + at;
}

void StateScoring::round_hidden(int rows, float* hidden) const {
  round_to(weights_.hidden_format, {hidden, numbers(rows, shape_.hidden)});
}

const float* StateScoring::score_inputs(int rows, const float* hidden) {
  if (weights_.score_format == NumberFormat::f32) return hidden;
  rounded_.assign(hidden, hidden + std::ptrdiff_t{rows} * shape_.hidden);
  round_to(weights_.score_format, rounded_);
  return rounded_.data();
}

// A class without training so far must not win by its zero weights: its score becomes the lowest of
// all states scored together.
void StateScoring::lower_unseen(int rows, float* scores) const {
  if (unseen_.empty()) return;
  const std::ptrdiff_t classes = shape_.classes;
  const float lowest = *std::min_element(scores, scores + rows * classes);
  for (int r = 0; r < rows; ++r) {
    for (std::ptrdiff_t k = 0; k < classes; ++k) {
      if (unseen_[static_cast<std::size_t>(k)] != 0) scores[r * classes + k] = lowest;
    }
  }
}

void StateScoring::fill_scores(int rows, const float* hidden, float* scores) {
  // Without an upper layer the hidden numbers are the scores, one for each class.
  if (!shape_.has_upper) {
    std::copy_n(hidden, std::ptrdiff_t{rows} * shape_.hidden, scores);
  } else {
    multiply({.transpose_b = true,
              .m = rows,
              .n = shape_.classes,
              .k = shape_.hidden,
              .a = score_inputs(rows, hidden),
              .lda = shape_.hidden,
              .b = weights_.upper,
              .ldb = shape_.hidden,
              .c = scores,
              .ldc = shape_.classes,
              .bias = weights_.upper_bias});
  }
  round_to(weights_.logit_format, {scores, numbers(rows, shape_.classes)});
  lower_unseen(rows, scores);
}

}  // namespace cpu

}  // namespace weft
