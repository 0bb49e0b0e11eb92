// A whole file as text.
#pragma once

#include <filesystem>
#include <string>

namespace weft {

// The bytes of the file. Throws Error(usage) if it cannot be read or is a folder.
std::string read_file_text(const std::filesystem::path& file);

}  // namespace weft
