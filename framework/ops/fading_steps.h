// Steps of Adam after which a weight without a gradient stands still but for its decay, told ahead.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "framework/ops/optimizer_step.h"

namespace weft {

// Where there is no gradient the first moment fades faster than the root of the second and the
// weight together: the size of Adam's move, relative to the weight, only shrinks from then on. Once
// a move is less than half of the distance to the nearest other number, the subtraction gives the
// weight itself, in this step and in all that follow.
class FadingSteps {
 public:
  // After which nothing is told any more: the margins hold for as many roundings.
  static constexpr std::size_t kMostSteps = 4096;

  // A further step. Its settings decide whether moves only shrink, and whether a gradient of zero
  // adds a zero without a sign.
  void add(const StepScalars& s) {
    // Numbers below the normal ones do not fade any more: the least epsilon and weight and the
    // largest rate keep their moves below all that counts.
    constexpr float kLeastEps = 1e-12F, kLargestDecay = 1e-3F, kLargestRate = 1.0F;
    fade_ = fade_ && count_ < kMostSteps && s.l2 == 0.0F && s.clip >= 0.0F && s.eps >= kLeastEps &&
            s.decay >= 0.0F && s.decay <= kLargestDecay && s.learn_rate >= 0.0F &&
            s.learn_rate <= kLargestRate && s.beta1 >= 0.0F && s.beta1 <= 0.95F &&
            s.beta2 >= 0.95F && s.beta2 <= 1.0F;
    ++count_;
    learn_rate_ = std::max(learn_rate_, s.learn_rate);
    eps_ = std::min(eps_, s.eps);
  }
  bool fade() const { return fade_; }
  // Whether no step moves a number that has these moments before the first, provided that `fade`.
  // Half of the distance is 2^-25 of the weight at least; a quarter of that leaves room for what is
  // rounded here. False where a number is NaN. (Without a branch: vector code.)
  bool leaves(float weight, float mom1, float mom2) const {
    constexpr float kLeastWeight = 1e-15F, kLargestWeight = 1e15F;
    const float size = std::abs(weight);
    const bool is_usual = (size >= kLeastWeight) & (size <= kLargestWeight);
    return is_usual & (learn_rate_ * std::abs(mom1) < 0x1p-27F * size * (std::sqrt(mom2) + eps_));
  }

 private:
  bool fade_ = true;
  std::size_t count_ = 0;
  float learn_rate_ = 0.0F, eps_ = 1.0F;  // the largest and the least of the steps
};

}  // namespace weft
