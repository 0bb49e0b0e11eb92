// A whole file as text.
#pragma once

#include <filesystem>
#include <string>

namespace weft {

// The bytes of the file, which may be an unnamed pipe (`<(...)` of a shell). Throws Error(usage) if
// it cannot be read, is a folder or a FIFO, or holds more than 16 MiB.
std::string read_file_text(const std::filesystem::path& file);

}  // namespace weft
