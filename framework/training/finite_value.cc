#include "framework/training/finite_value.h"

#include <cmath>

#include <fmt/format.h>

#include "registry/base/foreign_exception.h"

namespace weft {

ScheduleValue finite_value(const Schedule& schedule, std::int64_t step) {
  double value = 0.0;
  try {
    value = schedule(step);
  } catch (...) {
    const auto words = foreign_words();
    return {0.0, words ? fmt::format("its schedule failed (\"{}\") in step {}", *words, step)
                       : fmt::format("its schedule failed ({}) in step {}", kNoStdException, step)};
  }
  if (std::isfinite(value)) return {value, ""};
  return {0.0, fmt::format("its schedule gives {} in step {}", value, step)};
}

}  // namespace weft
