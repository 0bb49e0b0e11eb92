// Opening libweft_cuda.so, which lies beside libweft.so, when a GPU is asked for or the devices are
// listed. Nothing is opened otherwise.
#pragma once

#include <filesystem>
#include <string>

#include "framework/tensor/device_backend.h"
#include "registry/base/export.h"

namespace weft {

// The backend of NVIDIA GPUs; once it is open, the same. Throws Error(device) with one line: the
// library is not there, cannot be opened, or is no backend; there is no device, or no driver for
// it.
WEFT_API DeviceBackend& open_cuda_backend();
// The same with another file, for tests.
WEFT_API DeviceBackend& open_cuda_backend(const std::filesystem::path& library);

// Why there is no GPU that can be used, one line; "" where there is one. Opens the backend.
WEFT_API std::string why_no_gpu();

// The device of that number. Throws Error(device) for one that the machine does not have.
WEFT_API Device gpu_device(const DeviceBackend& backend, int index);

// The properties that precision checks ask for: those of a CPU where it is one.
WEFT_API DeviceProperties properties_of(const Device& device);

}  // namespace weft
