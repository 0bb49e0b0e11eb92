#include "tests/components/devices/chosen_device.h"

#include <map>
#include <utility>
#include <vector>

#include "framework/tensor/open_backend.h"
#include "registry/base/error.h"
#include "tests/framework/devices/device_library.h"

namespace weft::testing {
namespace {

class Fake final : public ChosenDevice {
  FakeDevice device_;
};

// The registrations that a library makes when it is opened, which it does once.
struct OpenedLibrary {
  std::vector<KernelSlot> slots;
  DeviceBackend* backend = nullptr;
  std::string why_none;

  explicit OpenedLibrary(const std::filesystem::path& library) {
    set_device_backend(DeviceKind::cuda, nullptr);
    try {
      backend = &open_cuda_backend(library);
    } catch (const Error& error) {
      why_none = error.message();
    }
    for (const KernelSlot* slot : kernel_slots()) slots.push_back(*slot);
  }
};

const OpenedLibrary& opened(const std::filesystem::path& library) {
  static std::map<std::filesystem::path, OpenedLibrary> all;
  const auto found = all.find(library);
  return found != all.end() ? found->second : all.try_emplace(library, library).first->second;
}

class Opened final : public ChosenDevice {
 public:
  explicit Opened(std::filesystem::path library) : library_(std::move(library)) {
    const OpenedLibrary& found = opened(library_);
    if (found.backend == nullptr) return;
    constexpr auto kCuda = static_cast<std::size_t>(DeviceKind::cuda);
    for (const KernelSlot& from : found.slots) {
      KernelSlot& slot = kernel_slot(from);
      slot.kernels[kCuda] = from.kernels[kCuda];
      slot.any_format_on[kCuda] = from.any_format_on[kCuda];
      slot.tf32_kernels[kCuda] = from.tf32_kernels[kCuda];
    }
    set_device_backend(DeviceKind::cuda, found.backend);
  }
  std::filesystem::path library() const override { return library_; }

 private:
  SavedDevices saved_;
  std::filesystem::path library_;
};

}  // namespace

std::unique_ptr<ChosenDevice> choose_device(const std::string& name, std::string& why_none) {
  if (name == "fake") return std::make_unique<Fake>();
  auto device = std::make_unique<Opened>(device_tests::device_library(name));
  why_none = opened(device->library()).why_none;
  if (!why_none.empty()) return nullptr;
  return device;
}

}  // namespace weft::testing
