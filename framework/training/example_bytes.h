// How much memory examples take.
#pragma once

#include <cstddef>

#include "framework/text/example.h"
#include "registry/base/export.h"

namespace weft {

// An estimate: tokens, annotation and alignment; documents that share their tokens count them once.
WEFT_API std::size_t estimated_bytes(const Example& example);

}  // namespace weft
