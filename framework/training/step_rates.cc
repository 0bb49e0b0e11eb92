#include "framework/training/step_rates.h"

#include <cstdint>
#include <string>

#include "framework/pipeline/setting_error.h"
#include "framework/training/finite_value.h"

namespace weft {
namespace {

void check(const Schedule& schedule, std::int64_t step, const std::string& setting) {
  const ScheduleValue rate = finite_value(schedule, step);
  if (!rate.fault.empty()) throw setting_error("training.optimizer." + setting, rate.fault);
}

}  // namespace

void check_rates(const Optimizer& optimizer) {
  const OptimizerSettings& settings = optimizer.settings();
  const std::int64_t step = optimizer.schedule_step();
  check(settings.learn_rate, step, "learn_rate");
  check(settings.l2, step, "L2");
  check(settings.grad_clip, step, "grad_clip");
}

}  // namespace weft
