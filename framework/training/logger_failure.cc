#include "framework/training/logger_failure.h"

#include <fmt/format.h>

#include "registry/base/error.h"
#include "registry/base/foreign_exception.h"

namespace weft {

void run_logger(const std::function<void()>& part) {
  try {
    part();
  } catch (...) {
    const auto words = foreign_words();
    throw Error(ErrorKind::internal,
                fmt::format("the logger of [training.logger] failed: {}",
                            words ? std::string_view(*words) : kNoStdException));
  }
}

}  // namespace weft
