// Runs what a command line asks for: in the program, and in `python -m weft`.
#pragma once

#include "tools/command.h"

namespace weft::tools {

// `words` without the program's own name, `train config.cfg`; gives the exit code. Messages go to
// standard error. Exceptions that are none of std::exception pass through: those of Python.
int run_program(const Words& words);

}  // namespace weft::tools
