// Reads one section of an ELF shared library without loading it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace weft {

// The bytes of the section, or nothing if the library has none of that name. Throws Error(plugin)
// if the file cannot be read, is no shared library for this machine, or is damaged. Every length in
// the file is checked against its size; a section of more than 64 KiB counts as damage.
std::optional<std::string> read_elf_section(const std::filesystem::path& file,
                                            std::string_view section);

}  // namespace weft
