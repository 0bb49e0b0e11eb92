// The folder that a pipeline is written to, of which nothing else may be lost.
#pragma once

#include <filesystem>

#include "registry/base/export.h"

namespace weft {

// Throws Error(usage) where something stands there that is neither a pipeline nor an empty folder:
// it would be replaced.
WEFT_API void refuse_other_folder(const std::filesystem::path& folder);
// Throws Error(usage) where the file that is read stands in the folder: it would be gone.
WEFT_API void refuse_input_within(const std::filesystem::path& folder,
                                  const std::filesystem::path& input);

}  // namespace weft
