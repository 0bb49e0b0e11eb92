// Files that hold one JSON value.
#pragma once

#include <filesystem>
#include <string>

#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// Throws as `read_file`, and Error(data) with line and column where the file is no JSON.
WEFT_API Node read_json_file(const std::filesystem::path& file);
// The same of a text that was read from the file.
WEFT_API Node json_from_file(const std::string& text, const std::filesystem::path& file);
// The same of settings (64 MiB at most), for a file that holds an object; Error(data) names the
// file where it is another value.
WEFT_API Object read_json_object(const std::filesystem::path& file);

}  // namespace weft
