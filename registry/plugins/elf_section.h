// Reads a section of an ELF shared library, and what it needs, without loading it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "registry/base/export.h"

namespace weft {

// The bytes of the section, or nothing if the library has none of that name. Throws Error(plugin)
// if the file cannot be read, is no shared library for this machine, or is damaged. Every length in
// the file is checked against its size; a section of more than 64 KiB, or section names of more
// than a MiB, count as damage.
WEFT_API std::optional<std::string> read_elf_section(const std::filesystem::path& file,
                                                     std::string_view section);

// The names of the libraries that the system's loader opens together with this one (DT_NEEDED), as
// the loader finds them: by the program headers. Throws as read_elf_section; more than 4096 entries
// or a name of more than 4096 bytes count as damage.
std::vector<std::string> read_needed_libraries(const std::filesystem::path& file);

}  // namespace weft
