// Watches the work that a backend queues: counts it, waits for each piece where errors have to be
// found, and says whether the library may hand a GEMM back.
//
// By the environment, read when the backend is opened:
//
//   WEFT_CUDA_COUNTERS=FILE  the counts are written there when the process ends, as one JSON object
//   WEFT_CUDA_SYNC=1         each piece of work is waited for, so that an error comes from the op
//                            that made it, with the name of the kernel; arrays have to lie on the
//                            device
//   WEFT_CUDA_STRICT=1       a GEMM that the library has to take and does not is an error
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <typeinfo>

#include "framework/backends/cuda/device_stream.h"

namespace weft::cuda {

enum class Queued : std::uint8_t {
  kernel,  // of this backend
  memset,
  copy,          // in any direction
  allocation,    // of an array or of scratch memory
  wait,          // of the host for the device
  sort,          // by the library: several kernels each
  library_gemm,  // by the library
  tile_gemm,     // by the kernel that takes every GEMM; counted among the kernels as well
};
inline constexpr std::size_t kQueuedKinds = 8;

void count(Queued what);
std::int64_t counted(Queued what);
// Bytes of the device that this process has had in use at the same time, as far as it is known.
void note_peak_memory(std::size_t bytes);

bool is_strict();
bool waits_for_each();

// Behind what was queued on the stream. Throws Error(device) with that name where each piece is
// waited for and this one failed.
void tell_queued(DeviceStream& stream, Queued what, std::string_view name);
// The name of a kernel is that of its type.
void tell_kernel(DeviceStream& stream, const std::type_info& kernel);

// Throws Error(internal) where each piece is waited for and the memory is not the device's.
void check_lies_on_device(const void* memory);
// Of this backend: whether kernels can read the memory.
bool lies_on_device(const void* memory);

}  // namespace weft::cuda
