// One state of a transition system on the device: its hidden vector, its scores, the classes that
// are valid, their costs and the one that it takes. A block works for one state; its threads share
// the units of the hidden layer, then the classes. The rules of the system are those that the CPU's
// kernels follow (framework/ops/transition_system.h).
#pragma once

#include <cstdint>

#include "framework/backends/cuda/floats.h"
#include "framework/backends/cuda/launch.h"
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
  float* hidden;        // (hidden), as the upper layer takes them
  float* scores;        // (classes)
};

// The upper layer as it lies in memory: number `unit` of class k at k * by_class + unit * by_unit.
struct UpperWeights {
  const float* numbers;
  int by_class, by_unit;
};

// Memory that the choice of a class needs, shared by the threads of a block.
struct ChoiceMemory {
  float* best_score;  // one for each thread
  std::int32_t* best_class;
  float* costs;  // one for each class, in training
  float* d;
  double* all_terms;
  double* gold_terms;
  transition::LossPeaks* peaks;  // one, as the sums
  double* sums;                  // two

  static SharedSize size(int threads, int classes, bool trains) {
    const int count = trains ? classes : 0;
    return SharedSize()
        .add<float>(threads)
        .add<std::int32_t>(threads)
        .add<float>(count)
        .add<float>(count)
        .add<double>(count)
        .add<double>(count)
        .add<transition::LossPeaks>(1)
        .add<double>(2);
  }
  WEFT_KERNEL static ChoiceMemory take(Block& block, int classes, bool trains) {
    const int count = trains ? classes : 0;
    ChoiceMemory memory;
    memory.best_score = block.shared<float>(block.threads());
    memory.best_class = block.shared<std::int32_t>(block.threads());
    memory.costs = block.shared<float>(count);
    memory.d = block.shared<float>(count);
    memory.all_terms = block.shared<double>(count);
    memory.gold_terms = block.shared<double>(count);
    memory.peaks = block.shared<transition::LossPeaks>(1);
    memory.sums = block.shared<double>(2);
    return memory;
  }
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
  WEFT_KERNEL void fill_scores(const UpperWeights& upper) const {
    block_.each([&](int thread) {
      if (*place_.ended != 0) return;
      fill_hidden(thread);
    });
    block_.each([&](int thread) {
      for (int k = thread; k < arguments_.shape.classes; k += block_.threads()) {
        place_.scores[k] = *place_.ended != 0 ? kInfinity : score(upper, k);
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

  WEFT_KERNEL float lower(std::int32_t feature, int f, int at) const {
    const ScorerShape& shape = arguments_.shape;
    const ScorerWeights& weights = arguments_.weights;
    if (feature < 0) return weights.pad[f * shape.slice() + at];
    const std::int64_t place = std::int64_t{feature} * shape.row() + f * shape.slice() + at;
    if (weights.lower_format == NumberFormat::f32) {
      return static_cast<const float*>(weights.lower)[place];
    }
    const std::uint16_t bits = static_cast<const std::uint16_t*>(weights.lower)[place];
    return weights.lower_format == NumberFormat::f16 ? from_f16(bits) : f32_from_bf16(bits);
  }

  WEFT_KERNEL void fill_hidden(int thread) const {
    const ScorerShape& shape = arguments_.shape;
    std::int32_t features[kMostFeatures];
    S::features(*place_.state, shape.features, features);
    for (int unit = thread; unit < shape.hidden; unit += block_.threads()) {
      float best = 0.0F;
      int winner = 0;
      for (int p = 0; p < shape.pieces; ++p) {
        const int at = unit * shape.pieces + p;
        float sum = arguments_.weights.lower_bias[at];
        for (int f = 0; f < shape.features; ++f) sum += lower(features[f], f, at);
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
      place_.hidden[unit] = shape.has_upper ? rounded(arguments_.weights.score_format, best) : best;
    }
    if (arguments_.trains() && thread == 0) {
      for (int f = 0; f < shape.features; ++f) {
        arguments_.record.features[row_ * shape.features + f] = features[f];
      }
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

  // Four sums side by side, so that the additions need not wait for each other.
  WEFT_KERNEL float score(const UpperWeights& upper, int k) const {
    const int hidden = arguments_.shape.hidden;
    const NumberFormat format = arguments_.weights.logit_format;
    if (!arguments_.shape.has_upper) return rounded(format, place_.hidden[k]);
    const float* row = upper.numbers + k * upper.by_class;
    float sums[4] = {arguments_.weights.upper_bias[k], 0.0F, 0.0F, 0.0F};
    int unit = 0;
    for (; unit + 4 <= hidden; unit += 4) {
      for (int s = 0; s < 4; ++s) {
        sums[s] += place_.hidden[unit + s] * row[(unit + s) * upper.by_unit];
      }
    }
    for (; unit < hidden; ++unit) sums[0] += place_.hidden[unit] * row[unit * upper.by_unit];
    return rounded(format, (sums[0] + sums[1]) + (sums[2] + sums[3]));
  }

  // The valid class with the highest score, the first one on ties, at memory.best_class[0]; -1 when
  // none is valid. In training the costs too.
  WEFT_KERNEL void find_best(const ChoiceMemory& memory) const {
    block_.each([&](int thread) {
      memory.best_class[thread] = -1;
      if (*place_.ended != 0) return;
      look_at_classes(memory, thread);
    });
    for (int apart = block_.threads() / 2; apart > 0; apart /= 2) {
      block_.each([&](int thread) {
        if (thread < apart) take_better(memory, thread, thread + apart);
      });
    }
  }

  WEFT_KERNEL void look_at_classes(const ChoiceMemory& memory, int thread) const {
    const auto valid = S::valid(*place_.state, arguments_.marks);
    if (arguments_.trains()) fill_costs(memory, valid, thread);
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
  WEFT_KERNEL void fill_costs(const ChoiceMemory& memory, const Valid& valid, int thread) const {
    const auto gold = arguments_.gold.of(static_cast<std::size_t>(number_));
    const auto costs = S::costs(*place_.state, valid, gold);
    for (int k = thread; k < arguments_.shape.classes; k += block_.threads()) {
      memory.costs[k] = costs.of(arguments_.actions[k]);
    }
  }

  WEFT_KERNEL void take_better(const ChoiceMemory& memory, int one, int other) const {
    const std::int32_t a = memory.best_class[one], b = memory.best_class[other];
    if (b < 0) return;
    const float score_a = memory.best_score[one], score_b = memory.best_score[other];
    if (a >= 0 && (score_a > score_b || (!(score_b > score_a) && a < b))) return;
    memory.best_class[one] = b;
    memory.best_score[one] = score_b;
  }

  WEFT_KERNEL void fill_gradient(const ChoiceMemory& memory) const {
    const int classes = arguments_.shape.classes;
    block_.each([&](int thread) {
      if (thread > 0 || *place_.ended != 0) return;
      *memory.peaks = transition::loss_peaks(place_.scores, memory.costs, classes);
    });
    block_.each([&](int thread) {
      if (*place_.ended != 0) return;
      for (int k = thread; k < classes; k += block_.threads()) {
        const float score = place_.scores[k];
        const bool is_gold = memory.peaks->is_gold(memory.costs[k]);
        memory.all_terms[k] = transition::loss_term(score, memory.peaks->highest);
        memory.gold_terms[k] = is_gold ? transition::loss_term(score, memory.peaks->best) : 0.0;
      }
    });
    block_.each([&](int thread) {
      if (thread > 1 || *place_.ended != 0) return;
      const double* terms = thread == 0 ? memory.all_terms : memory.gold_terms;
      double sum = transition::kTinySum;
      for (int k = 0; k < classes; ++k) sum += terms[k];
      memory.sums[thread] = sum;
    });
    block_.each([&](int thread) {
      if (*place_.ended != 0) return;
      for (int k = thread; k < classes; k += block_.threads()) record_gradient(memory, k);
    });
  }

  WEFT_KERNEL void record_gradient(const ChoiceMemory& memory, int k) const {
    double value = memory.all_terms[k] / memory.sums[0];
    if (memory.peaks->is_gold(memory.costs[k])) value -= memory.gold_terms[k] / memory.sums[1];
    const bool any = memory.peaks->has_gold();
    memory.d[k] = any ? static_cast<float>(value) : 0.0F;
    const bool is_unseen = arguments_.unseen != nullptr && arguments_.unseen[k] != 0;
    arguments_.record.d_scores[row_ * arguments_.shape.classes + k] =
        is_unseen ? 0.0F : memory.d[k];
  }

  WEFT_KERNEL float loss_of(const ChoiceMemory& memory) const {
    float loss = 0.0F;
    for (int k = 0; k < arguments_.shape.classes; ++k) loss += memory.d[k] * memory.d[k];
    return loss;
  }

  const Block& block_;
  const ParseArguments<S>& arguments_;
  const ParsePlace<S>& place_;
  std::int32_t number_;
  int round_;
  std::int64_t row_;
};

}  // namespace weft::cuda
