// The devices on which pipelines are tested: the fake one, which has the CPU's kernels, and the
// emulated one, which has those of GPUs (tests/emulated_device).
#pragma once

#include <memory>
#include <string>

#include "tests/framework/devices/fake_device.h"

namespace weft::testing {

// The device that GPU 0 is while this lives.
class ChosenDevice {
 public:
  virtual ~ChosenDevice() = default;
};

// "fake" or "emulated".
std::unique_ptr<ChosenDevice> choose_device(const std::string& name);

}  // namespace weft::testing
