// How many labels a component may have: each is a class, and costs a row of weights and a score of
// every token or text (docs/limits.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "registry/base/export.h"

namespace weft {

inline constexpr std::int64_t kMostClasses = 65536;

// Throws Error(data) "SOURCE: more than 65536 labels" where there are more.
WEFT_API void require_few_labels(std::size_t labels, const std::string& source);

}  // namespace weft
