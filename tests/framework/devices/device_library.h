// The libraries of devices that tests open, and whether this machine has a GPU.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include <dlfcn.h>

#include "framework/ops/kernel.h"

namespace weft::device_tests {

// "emulated": beside this program. "cuda": beside libweft.so, or the file that WEFT_TEST_CUDA
// names. Nothing is compiled in, so that the tests run where they are copied to.
inline std::filesystem::path device_library(const std::string& name) {
  if (name == "emulated") {
    return std::filesystem::read_symlink("/proc/self/exe").parent_path() /
           "libweft_cuda_emulated.so";
  }
  if (const char* chosen = std::getenv("WEFT_TEST_CUDA")) return chosen;
  Dl_info info{};
  dladdr(reinterpret_cast<const void*>(&kernel_slots), &info);
  return std::filesystem::absolute(info.dli_fname).parent_path() / "libweft_cuda.so";
}

// A function that a library of a device exports for tests; null where it has none of that name.
template <class Fn>
Fn* device_function(const std::filesystem::path& library, const char* name) {
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_NOLOAD);
  return handle == nullptr ? nullptr : reinterpret_cast<Fn*>(dlsym(handle, name));
}

// How often the library has queued something of that name (framework/backends/cuda/queue_watch.cu).
inline std::int64_t queued_count(const std::filesystem::path& library, const char* name) {
  const auto count = device_function<std::int64_t(const char*)>(library, "weft_cuda_count");
  return count == nullptr ? -1 : count(name);
}

// Modes of the library, which the environment chooses in programs.
class DeviceMode {
 public:
  // "sync" or "strict".
  DeviceMode(const std::filesystem::path& library, const char* mode)
      : set_(device_function<void(const char*, int)>(library, "weft_cuda_set")), mode_(mode) {
    if (set_ != nullptr) set_(mode_, 1);
  }
  ~DeviceMode() {
    if (set_ != nullptr) set_(mode_, 0);
  }
  DeviceMode(const DeviceMode&) = delete;
  DeviceMode& operator=(const DeviceMode&) = delete;

 private:
  void (*set_)(const char*, int);
  const char* mode_;
};

// An environment variable while it lives.
class Variable {
 public:
  explicit Variable(const char* name) : name_(name) { ::setenv(name, "1", 1); }
  ~Variable() { ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

// Whether tests on a GPU must not be skipped here. WEFT_NEEDS_GPU=1 says so of any machine, 0 of
// none.
inline bool needs_gpu() {
  if (const char* told = std::getenv("WEFT_NEEDS_GPU")) return std::string_view(told) == "1";
  return std::filesystem::exists("/dev/nvidia0");
}

}  // namespace weft::device_tests
