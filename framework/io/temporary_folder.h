// Where files go that nobody keeps.
#pragma once

#include <filesystem>

#include "registry/base/export.h"

namespace weft {

// TMPDIR, or /tmp where that is not set or empty. Throws Error(system) where it is no folder.
WEFT_API std::filesystem::path temporary_folder();

}  // namespace weft
