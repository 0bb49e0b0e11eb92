// One state of a transition system on the device: its hidden vector, its scores, the classes that
// are valid, their costs and the one that it takes. A block works for one state; its threads share
// the units of the hidden layer, then the classes. The rules of the system are those that the CPU's
// kernels follow (framework/ops/transition_system.h).
#pragma once

#include <cstdint>

#include "framework/backends/cuda/floats.h"
#include "framework/backends/cuda/launch.h"
#include "framework/backends/cuda/state_memory.h"
#include "framework/ops/transition_steps.h"

namespace weft::cuda {

inline constexpr int kMostFeatures = 13;

// A number rounded to a format.
WEFT_HOST_DEVICE inline float rounded(NumberFormat format, float value) {
  switch (format) {
    case NumberFormat::f16:
      return from_f16(to_f16(value));
    case NumberFormat::bf16:
      return f32_from_bf16(bf16_from_f32(value));
    case NumberFormat::tf32:
      return tf32_from_f32(value);
    case NumberFormat::f32:
      break;
  }
  return value;
}

// Arguments of an op in the form of kernels: pointers of the device and numbers.
template <transition::DeviceSystem S>
struct ParseArguments {
  ScorerShape shape;
  ScorerWeights weights;
  const typename S::Action* actions = nullptr;
  const std::uint8_t* unseen = nullptr;  // null: every class was trained
  typename S::Marks marks;
  const std::int32_t* round_begin = nullptr;
  int rounds = 0;
  int busy_threads = 0;  // of a block: those that have a class

  TakenClasses taken;        // prediction
  TransitionGoldOf<S> gold;  // training
  TransitionRecord record;
  float* row_loss = nullptr;  // one for each row of the record

  WEFT_HOST_DEVICE bool trains() const { return row_loss != nullptr; }
};

// The state that a block of threads works on, in shared memory or in that of the device.
template <transition::DeviceSystem S>
struct ParsePlace {
  typename S::State* state;
  std::int32_t* ended;  // 1: the parse is done, or no class was valid
  float* scores;        // (classes)
};

// The upper layer as it lies in memory: number `unit` of class k at k * by_class + unit * by_unit.
struct UpperWeights {
  const float* numbers;
  int by_class, by_unit;
};

template <transition::DeviceSystem S>
class StateStep {
 public:
  // `number` is the place of the parse in the list of states; its row of the record follows.
  WEFT_KERNEL StateStep(Block& block, const ParseArguments<S>& arguments,
                        const ParsePlace<S>& place, std::int32_t number, int round)
      : block_(block),
        arguments_(arguments),
        place_(place),
        number_(number),
        round_(round),
        row_(arguments.round_begin[round] + number) {}

  // The hidden vector and the scores, +infinity for a parse that has ended.
  WEFT_KERNEL void fill_scores(const ScoreMemory& memory, const UpperWeights& upper) const {
    const ScorerShape& shape = arguments_.shape;
    block_.each([&](int thread) {
      if (*place_.ended == 0) fill_pieces(memory, thread);
    });
    block_.each([&](int thread) {
      if (*place_.ended == 0) fill_hidden(memory, thread);
    });
    if (shape.has_upper) {
      block_.each([&](int thread) {
        const int count = *place_.ended == 0 ? ScoreMemory::kSums * shape.classes : 0;
        for (int s = thread; s < count; s += block_.threads()) {
          memory.sums[s] = part_of_score(memory, upper, s / shape.classes, s % shape.classes);
        }
      });
    }
    block_.each([&](int thread) {
      for (int k = thread; k < shape.classes; k += block_.threads()) {
        place_.scores[k] = *place_.ended != 0 ? kInfinity : score(memory, k);
      }
    });
  }

  // Gives classes that were never trained the score `lowest`.
  WEFT_KERNEL void lower_unseen(const float* lowest) const {
    block_.each([&](int thread) {
      for (int k = thread; k < arguments_.shape.classes; k += block_.threads()) {
        if (arguments_.unseen[k] != 0) place_.scores[k] = *lowest;
      }
    });
  }

  // Takes the best valid class; in training records the gradient of the scores.
  WEFT_KERNEL void choose(const ChoiceMemory& memory) const {
    find_best(memory);
    if (arguments_.trains()) fill_gradient(memory);
    block_.each([&](int thread) {
      if (thread > 0 || *place_.ended != 0) return;
      const std::int32_t best = memory.best_class[0];
      if (arguments_.trains()) {
        arguments_.record.classes[row_] = best;
        arguments_.record.state[row_] = number_;
        arguments_.row_loss[row_] = loss_of(memory);
      } else {
        arguments_.taken.of(number_, round_) = best;
      }
      if (best >= 0) S::apply(*place_.state, arguments_.actions[best]);
      if (best < 0 || place_.state->is_final()) *place_.ended = 1;
    });
  }

 private:
  static constexpr float kInfinity = __builtin_huge_valf();
  // Joins the peaks while the first thread joins the best classes: of another warp.
  static constexpr int kPeaksThread = 32;

  WEFT_KERNEL void fill_pieces(const ScoreMemory& memory, int thread) const {
    std::int32_t features[kMostFeatures];
    S::features(*place_.state, arguments_.shape.features, features);
    if (arguments_.weights.lower_format == NumberFormat::f32) {
      const auto* rows = static_cast<const float*>(arguments_.weights.lower);
      fill_pieces_from(memory, thread, features, [rows](std::int64_t at) { return rows[at]; });
    } else {
      const auto* rows = static_cast<const std::uint16_t*>(arguments_.weights.lower);
      const bool is_f16 = arguments_.weights.lower_format == NumberFormat::f16;
      fill_pieces_from(memory, thread, features, [rows, is_f16](std::int64_t at) {
        return is_f16 ? from_f16(rows[at]) : f32_from_bf16(rows[at]);
      });
    }
    if (!arguments_.trains() || thread > 0) return;
    for (int f = 0; f < arguments_.shape.features; ++f) {
      arguments_.record.features[row_ * arguments_.shape.features + f] = features[f];
    }
  }
  // lower(place): a number of the rows of the tokens.
  template <class Lower>
  WEFT_KERNEL void fill_pieces_from(const ScoreMemory& memory, int thread,
                                    const std::int32_t* features, const Lower& lower) const {
    for (int at = thread; at < arguments_.shape.slice(); at += block_.threads()) {
      memory.pieces[at] = sum_of_piece(features, lower, at);
    }
  }

  // The sum of a piece: all its numbers are asked for before the first is needed.
  template <class Lower>
  WEFT_KERNEL float sum_of_piece(const std::int32_t* features, const Lower& lower, int at) const {
    const ScorerShape& shape = arguments_.shape;
    float numbers[kMostFeatures];
    unrolled<kMostFeatures>([&](int f) {
      if (f >= shape.features) return;
      const std::int64_t place = f * shape.slice() + at;
      numbers[f] = features[f] < 0 ? arguments_.weights.pad[place]
                                   : lower(std::int64_t{features[f]} * shape.row() + place);
    });
    float sum = arguments_.weights.lower_bias[at];
    unrolled<kMostFeatures>([&](int f) {
      if (f < shape.features) sum += numbers[f];
    });
    return sum;
  }

  WEFT_KERNEL void fill_hidden(const ScoreMemory& memory, int thread) const {
    const ScorerShape& shape = arguments_.shape;
    for (int unit = thread; unit < shape.hidden; unit += block_.threads()) {
      float best = 0.0F;
      int winner = 0;
      for (int p = 0; p < shape.pieces; ++p) {
        const float sum = memory.pieces[unit * shape.pieces + p];
        if (p == 0 || sum > best) {
          best = sum;
          winner = p;
        }
      }
      if (shape.rectifies && best < 0) {
        best = 0.0F;
        winner = shape.pieces;
      }
      best = rounded(arguments_.weights.hidden_format, best);
      if (arguments_.trains()) best = record_unit(unit, best, winner);
      memory.hidden[unit] = shape.has_upper ? rounded(arguments_.weights.score_format, best) : best;
    }
  }

  // Masks a number of the hidden vector and writes it to the record.
  WEFT_KERNEL float record_unit(int unit, float value, int winner) const {
    const std::int64_t at = row_ * arguments_.shape.hidden + unit;
    if (arguments_.gold.mask != nullptr) {
      value = rounded(arguments_.weights.hidden_format, value * arguments_.gold.mask[at]);
    }
    arguments_.record.hidden[at] = value;
    arguments_.record.winners[at] = static_cast<std::uint8_t>(winner);
    return value;
  }

  // One of the sums that make up a score: every kSums-th unit, the first sum also the bias and the
  // units that are left over.
  WEFT_KERNEL float part_of_score(const ScoreMemory& memory, const UpperWeights& upper, int number,
                                  int k) const {
    constexpr int kSums = ScoreMemory::kSums;
    const int hidden = arguments_.shape.hidden, whole = hidden / kSums * kSums;
    const float* row = upper.numbers + k * upper.by_class;
    float sum = number == 0 ? arguments_.weights.upper_bias[k] : 0.0F;
    for (int unit = number; unit < whole; unit += kSums) {
      sum += memory.hidden[unit] * row[unit * upper.by_unit];
    }
    for (int unit = whole; unit < hidden && number == 0; ++unit) {
      sum += memory.hidden[unit] * row[unit * upper.by_unit];
    }
    return sum;
  }

  WEFT_KERNEL float score(const ScoreMemory& memory, int k) const {
    const NumberFormat format = arguments_.weights.logit_format;
    if (!arguments_.shape.has_upper) return rounded(format, memory.hidden[k]);
    const int classes = arguments_.shape.classes;
    const float* sums = memory.sums + k;
    return rounded(format, (sums[0] + sums[classes]) + (sums[2 * classes] + sums[3 * classes]));
  }

  // The valid class with the highest score, the first one on ties, at memory.best_class[0]; -1 when
  // none is valid. In training the costs too.
  WEFT_KERNEL void find_best(const ChoiceMemory& memory) const {
    const bool trains = arguments_.trains();
    block_.each([&](int thread) {
      memory.best_class[thread] = -1;
      memory.best_score[thread] = -kInfinity;
      if (trains) memory.peaks[thread] = {};
      if (*place_.ended != 0) return;
      look_at_classes(memory, thread);
    });
    // One thread goes through what the others found: that takes less time than to wait for each
    // other once for every pair.
    block_.each([&](int thread) {
      if (*place_.ended != 0) return;
      const int busy = arguments_.busy_threads;
      if (thread == 0) {
        take_best(memory, busy);
      } else if (thread == kPeaksThread && trains) {
        transition::LossPeaks peaks = memory.peaks[0];
        for (int t = 1; t < busy; ++t) peaks.join(memory.peaks[t]);
        memory.peaks[0] = peaks;
      }
    });
  }

  WEFT_KERNEL void look_at_classes(const ChoiceMemory& memory, int thread) const {
    const auto valid = S::valid(*place_.state, arguments_.marks);
    if (arguments_.trains()) look_at_costs(memory, valid, thread);
    for (int k = thread; k < arguments_.shape.classes; k += block_.threads()) {
      if (!valid.allows(arguments_.actions[k])) continue;
      if (memory.best_class[thread] >= 0 && !(place_.scores[k] > memory.best_score[thread])) {
        continue;
      }
      memory.best_class[thread] = k;
      memory.best_score[thread] = place_.scores[k];
    }
  }

  template <class Valid>
  WEFT_KERNEL void look_at_costs(const ChoiceMemory& memory, const Valid& valid, int thread) const {
    const auto gold = arguments_.gold.of(static_cast<std::size_t>(number_));
    const auto costs = S::costs(*place_.state, valid, gold);
    for (int k = thread; k < arguments_.shape.classes; k += block_.threads()) {
      memory.costs[k] = costs.of(arguments_.actions[k]);
      memory.peaks[thread].see(place_.scores[k], memory.costs[k]);
    }
  }

  // The best of the classes of the first `busy` threads: on ties the first class, as each thread's
  // is the first of its own.
  WEFT_KERNEL void take_best(const ChoiceMemory& memory, int busy) const {
    std::int32_t best = -1;
    float score = -kInfinity;
    for (int t = 0; t < busy; ++t) {
      const std::int32_t k = memory.best_class[t];
      const float of_k = memory.best_score[t];
      const bool is_better = k >= 0 && (best < 0 || of_k > score || (!(score > of_k) && k < best));
      best = is_better ? k : best;
      score = is_better ? of_k : score;
    }
    memory.best_class[0] = best;
  }

  // The peaks are known.
  WEFT_KERNEL void fill_gradient(const ChoiceMemory& memory) const {
    const int classes = arguments_.shape.classes, half = block_.threads() / 2;
    block_.each([&](int thread) {
      if (*place_.ended == 0) fill_terms(memory, thread % half, thread >= half);
    });
    block_.each([&](int thread) {
      if (thread % half > 0 || *place_.ended != 0) return;
      const int busy = arguments_.busy_threads < half ? arguments_.busy_threads : half;
      double sum = transition::kTinySum;
      for (int t = 0; t < busy; ++t) sum += memory.sums[thread + t];
      memory.sums[thread] = sum;
    });
    block_.each([&](int thread) {
      if (*place_.ended != 0) return;
      float loss = 0.0F;
      for (int k = thread; k < classes; k += block_.threads()) {
        const float d = record_gradient(memory, k);
        loss += d * d;
      }
      memory.loss[thread] = loss;
    });
  }

  // The terms of all classes or of the gold ones, in one half of the threads each.
  WEFT_KERNEL void fill_terms(const ChoiceMemory& memory, int place, bool of_gold) const {
    const transition::LossPeaks& peaks = memory.peaks[0];
    const int half = block_.threads() / 2;
    double* terms = of_gold ? memory.gold_terms : memory.all_terms;
    double sum = 0.0;
    for (int k = place; k < arguments_.shape.classes; k += half) {
      const bool counts = !of_gold || peaks.is_gold(memory.costs[k]);
      const double peak = of_gold ? peaks.best : peaks.highest;
      terms[k] = counts ? transition::loss_term(place_.scores[k], peak) : 0.0;
      sum += terms[k];
    }
    memory.sums[of_gold ? half + place : place] = sum;
  }

  WEFT_KERNEL float loss_of(const ChoiceMemory& memory) const {
    float loss = 0.0F;
    for (int t = 0; t < arguments_.busy_threads; ++t) loss += memory.loss[t];
    return loss;
  }

  // Gives the gradient of a class, also of one that was never trained.
  WEFT_KERNEL float record_gradient(const ChoiceMemory& memory, int k) const {
    double value = memory.all_terms[k] / memory.sums[0];
    if (memory.peaks[0].is_gold(memory.costs[k])) {
      value -= memory.gold_terms[k] / memory.sums[block_.threads() / 2];
    }
    const float d = memory.peaks[0].has_gold() ? static_cast<float>(value) : 0.0F;
    const bool is_unseen = arguments_.unseen != nullptr && arguments_.unseen[k] != 0;
    arguments_.record.d_scores[row_ * arguments_.shape.classes + k] = is_unseen ? 0.0F : d;
    return d;
  }

  const Block& block_;
  const ParseArguments<S>& arguments_;
  const ParsePlace<S>& place_;
  std::int32_t number_;
  int round_;
  std::int64_t row_;
};

}  // namespace weft::cuda
