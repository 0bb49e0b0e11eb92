// The devices on which pipelines are tested: the fake one, which has the CPU's kernels, the
// emulated one, which has those of GPUs (tests/emulated_device), and a GPU where there is one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "tests/framework/devices/fake_device.h"

namespace weft::testing {

// The device that GPU 0 is while this lives.
class ChosenDevice {
 public:
  virtual ~ChosenDevice() = default;
  // The library that it was opened from; "" for the fake one.
  virtual std::filesystem::path library() const { return {}; }
};

// "fake", "emulated" or "cuda"; null where there is none, and then why_none says why.
std::unique_ptr<ChosenDevice> choose_device(const std::string& name, std::string& why_none);

inline const auto kPipelineDevices = ::testing::Values("fake", "emulated", "cuda");
inline std::string device_name(const ::testing::TestParamInfo<std::string>& info) {
  return info.param;
}

// Tests with the name of a device as parameter; skipped where it is absent.
class DeviceSuite : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (device_ == nullptr) GTEST_SKIP() << "no device " << GetParam() << ": " << why_none_;
  }

  std::string why_none_;
  std::unique_ptr<ChosenDevice> device_ = choose_device(GetParam(), why_none_);
};

}  // namespace weft::testing
