#include "framework/training/finite_value.h"

#include <cmath>
#include <string>

#include <fmt/format.h>

#include "registry/base/error.h"
#include "registry/base/foreign_exception.h"

namespace weft {
namespace {

[[noreturn]] void refuse(std::string_view setting, std::int64_t step, const std::string& fault) {
  throw Error(ErrorKind::config,
              fmt::format("{}: its schedule {} in step {}", setting, fault, step));
}

}  // namespace

double finite_value(const Schedule& schedule, std::int64_t step, std::string_view setting) {
  double value = 0.0;
  try {
    value = schedule(step);
  } catch (...) {
    const auto words = foreign_words();
    refuse(setting, step,
           words ? fmt::format("failed (\"{}\")", *words)
                 : fmt::format("failed ({})", kNoStdException));
  }
  if (!std::isfinite(value)) refuse(setting, step, fmt::format("gives {}", value));
  return value;
}

}  // namespace weft
