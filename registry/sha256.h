// SHA-256 as in FIPS 180-4.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "registry/export.h"

namespace weft {

// 64 lower-case hexadecimal digits.
WEFT_API std::string sha256(std::string_view bytes);
// Of a regular file, read in pieces. Throws as InputFile if it cannot be read.
WEFT_API std::string sha256_of_file(const std::filesystem::path& file);

}  // namespace weft
