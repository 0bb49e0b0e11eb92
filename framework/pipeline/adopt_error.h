// Faults of a config that show when what it names is made: they become problems beside others.
#pragma once

#include <functional>
#include <string>

#include "registry/base/export.h"
#include "registry/base/origin.h"
#include "registry/base/problem.h"

namespace weft {

// Runs `part`. An Error(config) of it is added to `problems`; where it knows no path and no place,
// those given are its own. False if there was one. Other errors pass through.
WEFT_API bool run_adopting(const std::string& path, const Origin& place, Problems& problems,
                           const std::function<void()>& part);

}  // namespace weft
