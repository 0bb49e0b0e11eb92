#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include <cxxabi.h>

#include "framework/backends/cuda/queue_watch.h"
#include "registry/base/error.h"
#include "registry/base/export.h"

namespace weft::cuda {
namespace {

constexpr std::array<const char*, kQueuedKinds> kNames = {
    "kernels", "memsets", "copies", "allocations", "waits", "sorts", "library_gemms", "tile_gemms"};

bool is_on(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && std::string_view(value) == "1";
}

class Counters {
 public:
  Counters() {
    const char* file = std::getenv("WEFT_CUDA_COUNTERS");
    if (file != nullptr) file_ = file;
  }
  // At the end of the process. Nobody is left to be told that it failed.
  ~Counters() {
    if (file_.empty()) return;
    std::FILE* out = std::fopen(file_.c_str(), "w");
    if (out == nullptr) return;
    for (std::size_t i = 0; i < kQueuedKinds; ++i) {
      std::fprintf(out, "%s\"%s\": %lld", i == 0 ? "{" : ", ", kNames[i],
                   static_cast<long long>(counts[i].load()));
    }
    std::fprintf(out, ", \"peak_bytes\": %llu}\n", static_cast<unsigned long long>(peak.load()));
    std::fclose(out);
  }

  std::array<std::atomic<std::int64_t>, kQueuedKinds> counts{};
  std::atomic<std::size_t> peak = 0;

 private:
  std::string file_;
};

Counters counters;
std::atomic<bool> waits = is_on("WEFT_CUDA_SYNC");
std::atomic<bool> strict = is_on("WEFT_CUDA_STRICT");

std::string demangled(const char* symbol) {
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(symbol, nullptr, nullptr, nullptr), std::free);
  return name ? name.get() : symbol;
}

// A wait that is no part of the run.
void wait_for(DeviceStream& stream) {
  stream.synchronize();
  --counters.counts[static_cast<std::size_t>(Queued::wait)];
}

}  // namespace

void count(Queued what) {
  ++counters.counts[static_cast<std::size_t>(what)];
}

std::int64_t counted(Queued what) {
  return counters.counts[static_cast<std::size_t>(what)];
}

void note_peak_memory(std::size_t bytes) {
  std::size_t before = counters.peak;
  while (before < bytes && !counters.peak.compare_exchange_weak(before, bytes)) continue;
}

bool is_strict() {
  return strict;
}

bool waits_for_each() {
  return waits;
}

void tell_queued(DeviceStream& stream, Queued what, std::string_view name) {
  stream.note_queued();
  count(what);
  if (!waits) return;
  try {
    wait_for(stream);
  } catch (const Error& error) {
    throw Error(error.kind(), error.message() + " (" + std::string(name) + ")");
  }
}

void tell_kernel(DeviceStream& stream, const std::type_info& kernel) {
  tell_queued(stream, Queued::kernel,
              waits ? "in the kernel " + demangled(kernel.name()) : std::string());
}

void check_lies_on_device(const void* memory) {
  if (!waits || memory == nullptr || lies_on_device(memory)) return;
  throw Error(ErrorKind::internal, "a kernel was given memory that is not the device's");
}

}  // namespace weft::cuda

// Both for tests: sets the mode "sync" or "strict"; gives the count of that name, -1 where there is
// none.
extern "C" WEFT_API void weft_cuda_set(const char* mode, int on) {
  (std::string_view(mode) == "sync" ? weft::cuda::waits : weft::cuda::strict) = on != 0;
}

extern "C" WEFT_API std::int64_t weft_cuda_count(const char* name) {
  for (std::size_t i = 0; i < weft::cuda::kQueuedKinds; ++i) {
    if (std::string_view(name) == weft::cuda::kNames[i]) {
      return weft::cuda::counted(static_cast<weft::cuda::Queued>(i));
    }
  }
  return -1;
}
