// A file that holds one JSON value.
#pragma once

#include <filesystem>

#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// Throws as `read_file`, and Error(data) with line and column where the file is no JSON.
WEFT_API Node read_json_file(const std::filesystem::path& file);

}  // namespace weft
