// An optimizer whose steps can be computed by hand: the gradient times a rate, and nothing else.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "framework/training/optimizer.h"

namespace weft {

class RuledDescent final : public Optimizer {
 public:
  explicit RuledDescent(Schedule rate) : Optimizer(settings(std::move(rate))) {}

 protected:
  std::optional<StepRule> rule(std::int64_t, StepScalars& s) const override {
    s.learn_rate = static_cast<float>(learn_rate());
    return StepRule::sgd;
  }
  int moments() const override { return 0; }

 private:
  static OptimizerSettings settings(Schedule rate) {
    OptimizerSettings settings;
    settings.learn_rate = std::move(rate);
    settings.grad_clip = 0.0;
    settings.use_averages = false;
    return settings;
  }
};

}  // namespace weft
