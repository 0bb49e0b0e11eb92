// Pipelines with word vectors that the reference's `init config` recommends for the goal accuracy.
// Source: docs/training.md, "Starting a config".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "registry/base/export.h"

namespace weft {

// "en_core_web_lg" for "en"; nothing for a language without one.
WEFT_API std::optional<std::string> recommended_vectors(std::string_view lang);

}  // namespace weft
