#include "tests/components/devices/chosen_device.h"

#include <vector>

#include "framework/tensor/open_backend.h"

namespace weft::testing {
namespace {

class Fake final : public ChosenDevice {
  FakeDevice device_;
};

// The registrations that the library makes when it is opened, which it does once.
struct Emulation {
  std::vector<KernelSlot> slots;
  DeviceBackend* backend = nullptr;

  Emulation() {
    set_device_backend(DeviceKind::cuda, nullptr);
    backend = &open_cuda_backend(WEFT_BINARY_DIR "/tests/libweft_cuda_emulated.so");
    for (const KernelSlot* slot : kernel_slots()) slots.push_back(*slot);
  }
};

class Emulated final : public ChosenDevice {
 public:
  Emulated() {
    static const Emulation emulation;
    constexpr auto kCuda = static_cast<std::size_t>(DeviceKind::cuda);
    for (const KernelSlot& from : emulation.slots) {
      KernelSlot& slot = kernel_slot(from);
      slot.kernels[kCuda] = from.kernels[kCuda];
      slot.any_format_on[kCuda] = from.any_format_on[kCuda];
      slot.tf32_kernels[kCuda] = from.tf32_kernels[kCuda];
    }
    set_device_backend(DeviceKind::cuda, emulation.backend);
  }

 private:
  SavedDevices saved_;
};

}  // namespace

std::unique_ptr<ChosenDevice> choose_device(const std::string& name) {
  if (name == "fake") return std::make_unique<Fake>();
  return std::make_unique<Emulated>();
}

}  // namespace weft::testing
