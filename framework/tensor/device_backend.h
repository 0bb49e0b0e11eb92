// The interface of a library that drives devices of one kind. The CPU needs none.
#pragma once

#include <memory>
#include <string>

#include "framework/tensor/device.h"
#include "framework/tensor/device_properties.h"
#include "framework/tensor/stream.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API DeviceBackend {
 public:
  virtual ~DeviceBackend() = default;
  // Devices that can be used, 0 where there is none; they are numbered from 0.
  virtual int count() const = 0;
  // One line that says why there is none: "no device", "the driver is too old (...)"; else "".
  virtual std::string why_none() const = 0;
  virtual DeviceProperties properties(int index) const = 0;
  virtual std::size_t total_memory(int index) const = 0;  // bytes
  virtual std::unique_ptr<Stream> make_stream(int index) = 0;
};

// The backend lives until it is replaced or the process ends. Null takes it away, for tests. Called
// while nothing runs.
WEFT_API void set_device_backend(DeviceKind kind, DeviceBackend* backend);
WEFT_API DeviceBackend* device_backend(DeviceKind kind);  // null: not opened

}  // namespace weft
