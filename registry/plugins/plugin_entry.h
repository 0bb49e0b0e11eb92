// The two C symbols that a plugin exports. `weft_add_plugin` writes the file that defines them; by
// hand it is, in one source file of the plugin:
//
//   #include "registry/plugins/plugin_entry.h"
//   extern "C" {
//   [[gnu::used, gnu::section(".weft_plugin")]] WEFT_API
//   extern constexpr weft::PluginDescriptor weft_plugin_descriptor =
//       weft::describe_plugin("acme", "1.2.0");
//   WEFT_API const weft::Registration* weft_plugin_registrations() {
//     return weft::Registration::head();
//   }
//   }
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "registry/functions/registration.h"
#include "registry/plugins/abi_tag.h"

namespace weft {

// Plain bytes without pointers: the loader reads them from the file, in the section .weft_plugin,
// before the library is opened and any of its code could run.
struct PluginDescriptor {
  char magic[8] = {'w', 'e', 'f', 't', 'p', 'l', 'u', 'g'};
  std::uint32_t size = sizeof(PluginDescriptor);
  std::uint32_t reserved = 0;
  char name[64] = {};
  char version[32] = {};
  char abi[AbiTag::kSize] = {};
};

constexpr PluginDescriptor describe_plugin(std::string_view name, std::string_view version) {
  PluginDescriptor descriptor;
  std::copy_n(name.begin(), std::min(name.size(), sizeof descriptor.name - 1), descriptor.name);
  std::copy_n(version.begin(), std::min(version.size(), sizeof descriptor.version - 1),
              descriptor.version);
  std::copy(kAbiTag.text().begin(), kAbiTag.text().end(), descriptor.abi);
  return descriptor;
}

}  // namespace weft
