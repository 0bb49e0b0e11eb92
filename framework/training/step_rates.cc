#include "framework/training/step_rates.h"

#include <cmath>
#include <cstdint>
#include <exception>
#include <new>
#include <string>

#include <fmt/format.h>

#include "registry/base/error.h"

namespace weft {
namespace {

[[noreturn]] void refuse(const char* name, std::int64_t step, const std::string& fault) {
  throw Error(ErrorKind::config, fmt::format("[training.optimizer] {}: its schedule {} in step {}",
                                             name, fault, step));
}

void check_rate(const char* name, const Schedule& schedule, std::int64_t step) {
  if (schedule.is_constant()) return;
  double rate = 0.0;
  try {
    rate = schedule(step);
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    refuse(name, step, fmt::format("failed (\"{}\")", error.what()));
  } catch (...) {
    refuse(name, step, "failed (it threw something that is no std::exception)");
  }
  if (!std::isfinite(rate)) refuse(name, step, fmt::format("gives {}", rate));
}

}  // namespace

void check_rates(const Optimizer& optimizer) {
  const OptimizerSettings& settings = optimizer.settings();
  const std::int64_t step = optimizer.schedule_step();
  check_rate("learn_rate", settings.learn_rate, step);
  check_rate("L2", settings.l2, step);
  check_rate("grad_clip", settings.grad_clip, step);
}

}  // namespace weft
