// Loads registered functions from shared libraries. Source: docs/plugins.md.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "registry/catalogue.h"

namespace weft {

struct PluginInfo {
  std::string name;     // "acme"
  std::string version;  // "1.2.0"
  std::filesystem::path file;
};

// Reads who made the plugin, and for which libraries, from the file alone: no code of it runs.
// Throws Error(plugin) if the file is missing, no shared library of this machine, or no plugin.
WEFT_API PluginInfo inspect_plugin(const std::filesystem::path& file);

// Loads `LIB.so` or `LIB.so@sha256:HEX` and adds its functions to the catalogue. The library stays
// loaded until the program ends. Throws Error(plugin), one sentence, if the file's hash or the ABI
// tag is another, if the library cannot be opened, or if one of its names is taken.
WEFT_API PluginInfo load_plugin(std::string_view library, Catalogue& catalogue);

// The tag that a plugin must carry to be loaded.
WEFT_API std::string_view abi_tag();

}  // namespace weft
