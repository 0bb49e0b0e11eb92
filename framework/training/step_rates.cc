#include "framework/training/step_rates.h"

#include <cstdint>

#include "framework/training/finite_value.h"

namespace weft {

void check_rates(const Optimizer& optimizer) {
  const OptimizerSettings& settings = optimizer.settings();
  const std::int64_t step = optimizer.schedule_step();
  finite_value(settings.learn_rate, step, "[training.optimizer] learn_rate");
  finite_value(settings.l2, step, "[training.optimizer] L2");
  finite_value(settings.grad_clip, step, "[training.optimizer] grad_clip");
}

}  // namespace weft
