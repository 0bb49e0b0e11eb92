#include "framework/training/gradient_counts.h"

#include <utility>

#include <fmt/format.h>

namespace weft {

Object log_line(const GradientCounts& counts) {
  Object numbers;
  numbers.set("used", counts.used);
  numbers.set("stale", counts.stale);
  Object line;
  line.set("gradients", std::move(numbers));
  return line;
}

std::string stale_message(const GradientCounts& counts) {
  return fmt::format(
      "{:.0f} % of the gradients came too late and were dropped: a larger [training.distributed] "
      "max_staleness keeps more of them, ranks of like speed lose fewer",
      100.0 * counts.stale_share());
}

}  // namespace weft
