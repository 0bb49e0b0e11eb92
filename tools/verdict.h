// Whether `train` takes a config: the last line of the commands that write or check one.
#pragma once

#include "registry/base/problem.h"

namespace weft::tools {

// On standard error: the obstacles one by one, then the verdict. Gives the exit code, 0 or 2.
int tell_verdict(const Problems& obstacles);

}  // namespace weft::tools
