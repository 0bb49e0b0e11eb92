#include "framework/training/step_rates.h"

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "framework/pipeline/setting_error.h"
#include "framework/training/finite_value.h"

namespace weft {
namespace {

void check(const RuleSchedule& rate, std::int64_t step) {
  ScheduleValue found = finite_value(*rate.schedule, step);
  if (found.fault.empty() && found.value >= rate.below) {
    found.fault = fmt::format("its schedule gives {} in step {}; only numbers below {} can be used",
                              found.value, step, rate.below);
  }
  if (found.fault.empty()) return;
  throw setting_error("training.optimizer." + std::string(rate.name), found.fault);
}

}  // namespace

void check_rates(const Optimizer& optimizer) {
  const OptimizerSettings& settings = optimizer.settings();
  const std::int64_t step = optimizer.schedule_step();
  check({"learn_rate", &settings.learn_rate}, step);
  check({"L2", &settings.l2}, step);
  check({"grad_clip", &settings.grad_clip}, step);
  for (const RuleSchedule& rate : optimizer.rule_schedules()) check(rate, step);
}

}  // namespace weft
