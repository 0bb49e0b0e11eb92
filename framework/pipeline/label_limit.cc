#include "framework/pipeline/label_limit.h"

#include <utility>

#include <fmt/format.h>

#include "registry/base/error.h"

namespace weft {

void require_few_labels(std::size_t labels, const std::string& source) {
  if (std::cmp_less_equal(labels, kMostClasses)) return;
  throw Error(ErrorKind::data, fmt::format("{}: more than {} labels", source, kMostClasses));
}

}  // namespace weft
