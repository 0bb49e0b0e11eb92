#include "registry/plugins/plugin.h"

#include <cstdlib>
#include <cstring>
#include <memory>

#include <cxxabi.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include "registry/base/error.h"
#include "registry/base/foreign_exception.h"
#include "registry/base/sha256.h"
#include "registry/plugins/elf_section.h"
#include "registry/plugins/plugin_entry.h"

namespace weft {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& why) {
  throw Error(ErrorKind::plugin,
              fmt::format("the plugin {} cannot be used: {}", file.string(), why));
}

// The text of a fixed field, which a damaged file may have left without its final zero.
template <std::size_t N>
std::string text_of(const char (&field)[N]) {
  return std::string(field, strnlen(field, N));
}

PluginDescriptor read_descriptor(const std::filesystem::path& file) {
  const auto bytes = read_elf_section(file, ".weft_plugin");
  PluginDescriptor descriptor;
  if (!bytes) refuse(file, "it is a shared library, but no plugin of weft");
  constexpr std::size_t head = offsetof(PluginDescriptor, name);
  const std::string magic(descriptor.magic, sizeof descriptor.magic);
  if (bytes->size() < head || !bytes->starts_with(magic)) refuse(file, "its descriptor is damaged");
  std::uint32_t size = 0;
  std::memcpy(&size, bytes->data() + offsetof(PluginDescriptor, size), sizeof size);
  if (size != sizeof descriptor || bytes->size() < size) {
    refuse(file, "it was built for another version of weft");
  }
  std::memcpy(&descriptor, bytes->data(), sizeof descriptor);
  return descriptor;
}

void check_tag(const std::filesystem::path& file, const PluginDescriptor& descriptor) {
  const std::string tag = text_of(descriptor.abi);
  if (tag == kAbiTag.str()) return;
  refuse(file, fmt::format("it was built for \"{}\", this is \"{}\"; build it again against the "
                           "installed weft",
                           tag, kAbiTag.str()));
}

// `LIB.so@sha256:HEX` without its hash; the file must have that hash.
std::filesystem::path checked_path(std::string_view library) {
  constexpr std::string_view mark = "@sha256:";
  const auto at = library.rfind(mark);
  std::filesystem::path file(library.substr(0, at));
  if (at == library.npos) return file;
  const std::string_view wanted = library.substr(at + mark.size());
  if (wanted.size() != 64 || wanted.find_first_not_of("0123456789abcdef") != wanted.npos) {
    refuse(file, fmt::format("\"{}\" is no SHA-256 (64 lower-case hexadecimal digits)", wanted));
  }
  read_elf_section(file, "");  // says so if there is no such file
  if (const std::string found = sha256_of_file(file); found != wanted) {
    refuse(file, fmt::format("its SHA-256 is {}, not {}", found, wanted));
  }
  return file;
}

std::string demangled(std::string text) {
  constexpr std::string_view mark = "undefined symbol: ";
  const auto at = text.find(mark);
  if (at == text.npos) return text;
  const auto start = at + mark.size();
  const auto end = std::min(text.find_first_of(", )", start), text.size());
  const std::string symbol = text.substr(start, end - start);
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, nullptr), std::free);
  return fmt::format("it uses {}, which no library that it names offers (undefined symbol)",
                     name ? name.get() : symbol.c_str());
}

void* open_library(const std::filesystem::path& file) {
  // An absolute path: a bare name would be searched for in the system's folders.
  void* handle =
      dlopen(std::filesystem::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (handle == nullptr) {
    const char* why = dlerror();
    refuse(file, demangled(why != nullptr ? why : "it cannot be opened"));
  }
  return handle;
}

// Runs the plugin's own code for the first time, which may throw anything.
const Registration* registrations_of(const std::filesystem::path& file) {
  try {
    void* handle = open_library(file);
    using Registrations = const Registration* (*)();
    const auto registrations =
        reinterpret_cast<Registrations>(dlsym(handle, "weft_plugin_registrations"));
    if (registrations == nullptr) refuse(file, "it does not export weft_plugin_registrations");
    return registrations();
  } catch (...) {
    const auto words = foreign_words();
    refuse(file, words ? fmt::format("it threw while it was loaded: {}", *words)
                       : std::string(kNoStdException));
  }
}

// Whether the program has a library of that name open; opens none.
bool is_open(const std::string& name) {
  void* handle = dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (handle != nullptr) dlclose(handle);
  return handle != nullptr;
}

std::vector<std::string> brought_libraries(const std::filesystem::path& file) {
  std::vector<std::string> names = read_needed_libraries(file);
  std::erase_if(names, is_open);
  return names;
}

}  // namespace

std::string_view abi_tag() {
  return kAbiTag.str();
}

PluginInfo inspect_plugin(std::string_view library) {
  const std::filesystem::path file = checked_path(library);
  const PluginDescriptor descriptor = read_descriptor(file);
  check_tag(file, descriptor);
  return {text_of(descriptor.name), text_of(descriptor.version), file, brought_libraries(file)};
}

PluginInfo load_plugin(std::string_view library, Catalogue& catalogue) {
  PluginInfo info = inspect_plugin(library);
  const std::filesystem::path& file = info.file;
  const Registration* const registrations = registrations_of(file);
  try {
    catalogue.add(registrations, fmt::format("{} {} ({})", info.name, info.version, file.string()));
  } catch (const Error&) {  // of the catalogue
    throw;
  } catch (...) {  // of a hook of the plugin
    const auto words = foreign_words();
    refuse(file, words ? fmt::format("it threw while its functions were added: {}", *words)
                       : std::string(kNoStdException));
  }
  return info;
}

}  // namespace weft
