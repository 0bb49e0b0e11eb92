#include "framework/tensor/open_backend.h"

#include <cstring>
#include <mutex>
#include <optional>
#include <string>

#include <dlfcn.h>

#include "registry/base/error.h"
#include "registry/plugins/elf_section.h"
#include "registry/plugins/plugin.h"

namespace weft {
namespace {

constexpr const char* kLibrary = "libweft_cuda.so";
constexpr const char* kEntry = "weft_open_backend";
constexpr const char* kWithout = "; leave out --gpu-id to use the CPU";

[[noreturn]] void fail(const std::string& why) {
  throw Error(ErrorKind::device, "no GPU can be used: " + why + kWithout);
}

// Beside the library that this text is in.
std::filesystem::path beside_this_library() {
  Dl_info info{};
  const void* here = reinterpret_cast<const void*>(&beside_this_library);
  if (dladdr(here, &info) == 0 || info.dli_fname == nullptr) return kLibrary;
  return std::filesystem::absolute(info.dli_fname).parent_path() / kLibrary;
}

std::string loader_error() {
  const char* text = dlerror();
  return text == nullptr ? "unknown error" : text;
}

// Why the library was not made by the build that this one is of, or "". The interface of backends
// has no version: any other header may have changed it.
std::string other_build(const std::filesystem::path& library) {
  std::optional<std::string> tag;
  try {
    tag = read_elf_section(library, ".weft_backend");
  } catch (const Error& error) {
    return error.message();
  }
  if (!tag) return library.string() + " is no backend of weft";
  tag->resize(std::strlen(tag->c_str()));
  if (*tag == abi_tag()) return "";
  return library.string() + " was built for \"" + *tag + "\", this is \"" + std::string(abi_tag()) +
         "\"";
}

// Gives why it cannot, or "".
std::string load(const std::filesystem::path& library) {
  if (!std::filesystem::exists(library)) {
    return "this installation has no CUDA backend (" + library.string() +
           " is not there; it is built where the CUDA toolkit is)";
  }
  if (std::string why = other_build(library); !why.empty()) return why;
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return loader_error();
  const auto open = reinterpret_cast<void (*)()>(dlsym(handle, kEntry));
  if (open == nullptr) return library.string() + " is no backend of weft";
  open();
  if (device_backend(DeviceKind::cuda) != nullptr) return "";
  return library.string() + " has registered no backend";
}

// Loads the backend unless there is one; gives why no device of it can be used, or "".
std::string prepare(const std::filesystem::path& library) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (device_backend(DeviceKind::cuda) == nullptr) {
    if (std::string why = load(library); !why.empty()) return why;
  }
  const DeviceBackend& backend = *device_backend(DeviceKind::cuda);
  return backend.count() == 0 ? backend.why_none() : "";
}

}  // namespace

DeviceBackend& open_cuda_backend() {
  return open_cuda_backend(beside_this_library());
}

DeviceBackend& open_cuda_backend(const std::filesystem::path& library) {
  if (const std::string why = prepare(library); !why.empty()) fail(why);
  return *device_backend(DeviceKind::cuda);
}

std::string why_no_gpu() {
  return prepare(beside_this_library());
}

Device gpu_device(const DeviceBackend& backend, int index) {
  const int count = backend.count();
  if (index >= 0 && index < count) return {DeviceKind::cuda, index};
  const std::string known = count == 1 ? "there is one GPU, number 0"
                                       : "there are GPUs 0 to " + std::to_string(count - 1);
  throw Error(ErrorKind::device,
              "there is no GPU " + std::to_string(index) + ": " + known + kWithout);
}

DeviceProperties properties_of(const Device& device) {
  const DeviceBackend* backend = device_backend(device.kind);
  return backend == nullptr ? DeviceProperties() : backend->properties(device.index);
}

}  // namespace weft
