// Files and folders that a config names: a command that reads them must not write over them.
#pragma once

#include <filesystem>
#include <vector>

#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// Files and folders that stand under strings of the config's sections, each once: corpora, vectors,
// sources of components, lists of patterns and of labels. `values` has no variables left. Sections
// that only hold variables ([paths]) are not looked at, nor are loggers, whose files are written,
// and names of languages, components and functions.
WEFT_API std::vector<std::filesystem::path> named_inputs(const Config& values);
// Those that readers of [corpora] are given.
WEFT_API std::vector<std::filesystem::path> named_corpora(const Config& values);

// Throws Error(usage) where one of named_inputs is the folder or lies in it: a pipeline will be
// written in its place.
WEFT_API void refuse_inputs_within(const std::filesystem::path& folder, const Config& values);

}  // namespace weft
