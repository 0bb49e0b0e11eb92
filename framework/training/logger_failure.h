// Exceptions of a logger, which may be one of a plugin.
#pragma once

#include <functional>

#include "registry/base/export.h"

namespace weft {

// Calls `part` of a logger. Anything that it throws but an Error and std::bad_alloc is thrown as an
// Error(internal) that says where it comes from.
WEFT_API void run_logger(const std::function<void()>& part);

}  // namespace weft
