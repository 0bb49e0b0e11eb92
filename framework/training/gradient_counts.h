// The gradients of single parameters that came to the ranks that update these, where ranks do not
// wait for each other.
#pragma once

#include <cstdint>
#include <string>

#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

struct GradientCounts {
  std::int64_t used = 0;
  std::int64_t stale = 0;  // of older weights than may be: dropped

  // 0 where none came.
  double stale_share() const {
    const std::int64_t all = used + stale;
    return all > 0 ? static_cast<double>(stale) / static_cast<double>(all) : 0.0;
  }
};

// {"gradients": {"used": 90, "stale": 10}}
WEFT_API Object log_line(const GradientCounts& counts);
// A warning of many stale ones, in one sentence.
WEFT_API std::string stale_message(const GradientCounts& counts);

}  // namespace weft
