// Where a config may have a run write: below the run's output, and nowhere else unless the command
// line says so. Source: docs/limits.md, "Configs".
#pragma once

#include <filesystem>
#include <vector>

#include "registry/base/export.h"
#include "registry/base/problem.h"
#include "registry/functions/catalogue.h"
#include "registry/value/config.h"

namespace weft {

// Goes over the parameters that functions write to (`written` in their fields). A value that was
// given on the command line or in the environment stays as it is. Any other one is put below
// `output`, which `values`, expanded, are changed to say; problems tell where it would lie
// elsewhere, take the place of one of the run's own files (run_folder.h), or that of another log.
// Without an output only the command line can name such a file. Gives the paths that were put
// there, relative to the output.
WEFT_API std::vector<std::filesystem::path> place_written_paths(Config& values,
                                                                const Catalogue& catalogue,
                                                                const std::filesystem::path& output,
                                                                Problems& problems);

// The same as far as it can be told without an output: for commands that only check.
WEFT_API void check_written_paths(const Config& values, const Catalogue& catalogue,
                                  Problems& problems);

}  // namespace weft
