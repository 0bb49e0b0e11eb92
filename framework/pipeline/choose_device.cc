#include "framework/pipeline/choose_device.h"

#include "framework/nn/device_weights.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/pipeline_settings.h"
#include "framework/tensor/open_backend.h"

namespace weft {

void run_on_gpu(Language& nlp, int gpu) {
  if (gpu < 0) return nlp.run_on(nullptr);
  const Device device = gpu_device(open_cuda_backend(), gpu);
  std::shared_ptr<Stream> stream = make_stream(device);
  const auto limit = system_settings(expanded(nlp.config())).gpu_memory;
  if (limit) stream->set_budget(static_cast<std::size_t>(limit->bytes));
  nlp.run_on(std::move(stream));
}

Device device_of(const Language& nlp) {
  return nlp.device_weights() ? nlp.device_weights()->stream()->device() : Device();
}

}  // namespace weft
