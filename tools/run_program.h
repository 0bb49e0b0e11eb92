// Runs what a command line asks for: in the program, and in `python -m weft`.
#pragma once

#include "tools/command.h"

namespace weft::tools {

// `words` without the program's own name, `train config.cfg`; gives the exit code. Messages go to
// standard error, those of exceptions of any type too: none passes through.
int run_program(const Words& words);

}  // namespace weft::tools
