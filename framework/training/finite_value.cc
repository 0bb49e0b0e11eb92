#include "framework/training/finite_value.h"

#include <cmath>
#include <exception>
#include <new>
#include <string>

#include <fmt/format.h>

#include "registry/base/error.h"

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
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    refuse(setting, step, fmt::format("failed (\"{}\")", error.what()));
  } catch (...) {
    refuse(setting, step, "failed (it threw something that is no std::exception)");
  }
  if (!std::isfinite(value)) refuse(setting, step, fmt::format("gives {}", value));
  return value;
}

}  // namespace weft
