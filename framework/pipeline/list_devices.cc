#include "framework/pipeline/list_devices.h"

#include <fmt/format.h>

#include "framework/ops/gemm_description.h"
#include "framework/pipeline/byte_size.h"
#include "framework/tensor/open_backend.h"
#include "registry/base/error.h"

namespace weft {
namespace {

std::string cpu_text() {
  try {
    return "cpu: " + gemm_description();
  } catch (const Error& error) {  // no OpenBLAS: some GEMMs have nothing to run on
    return fmt::format("cpu: {}", error.message());
  }
}

std::string gpu_text(const DeviceBackend& backend, int index) {
  const DeviceProperties gpu = backend.properties(index);
  return fmt::format("gpu {}: {}, capability {}.{}, {}", index, gpu.name, gpu.major, gpu.minor,
                     byte_size_text(static_cast<double>(backend.total_memory(index))));
}

}  // namespace

DeviceList list_devices() {
  DeviceList list{.devices = {cpu_text()}, .why_no_gpu = why_no_gpu()};
  if (!list.why_no_gpu.empty()) return list;
  const DeviceBackend& backend = open_cuda_backend();
  for (int i = 0; i < backend.count(); ++i) list.devices.push_back(gpu_text(backend, i));
  return list;
}

}  // namespace weft
