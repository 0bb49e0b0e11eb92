// Loads registered functions from shared libraries. Source: docs/plugins.md.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "registry/functions/catalogue.h"

namespace weft {

struct PluginInfo {
  std::string name;     // "acme"
  std::string version;  // "1.2.0"
  std::filesystem::path file;
  // Libraries that the system opens together with the plugin and that the program did not have
  // open: they come from elsewhere, and the plugin's hash says nothing about them.
  std::vector<std::string> brings = {};
};

// Reads who made the plugin from the file alone: no code of it runs. `library` is as for
// load_plugin, and so are the checks, but for those that need it opened. Throws Error(plugin).
WEFT_API PluginInfo inspect_plugin(std::string_view library);

// Loads `LIB.so` or `LIB.so@sha256:HEX` and adds its functions to the catalogue. The library stays
// loaded until the program ends. Throws Error(plugin), one sentence, if the file's hash or the ABI
// tag is another, if the library cannot be opened, or if one of its names is taken.
WEFT_API PluginInfo load_plugin(std::string_view library, Catalogue& catalogue);

// The tag that a plugin must carry to be loaded.
WEFT_API std::string_view abi_tag();

}  // namespace weft
