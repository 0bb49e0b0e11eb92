#include "framework/tensor/open_backend.h"

#include <filesystem>
#include <functional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/ops/context.h"
#include "registry/base/error.h"
#include "tests/framework/devices/fake_device.h"

namespace weft {
namespace {

using testing::FakeDevice;
using ::testing::HasSubstr;

// One line of an error of the kind that the device's have.
std::string failure(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::device);
    EXPECT_EQ(error.message().find('\n'), std::string::npos);
    return error.message();
  }
  return "";
}

TEST(OpenBackend, ALibraryThatIsNotThereIsNamed) {
  EXPECT_THAT(failure([] { open_cuda_backend("/nowhere/libweft_cuda.so"); }),
              HasSubstr("/nowhere/libweft_cuda.so is not there"));
}

TEST(OpenBackend, AFileThatIsNoLibraryIsNamed) {
  const auto file = std::filesystem::path(::testing::TempDir()) / "no_library.so";
  std::FILE* out = std::fopen(file.c_str(), "w");
  std::fputs("text", out);
  std::fclose(out);
  EXPECT_THAT(failure([&] { open_cuda_backend(file); }), HasSubstr("no_library.so"));
  std::filesystem::remove(file);
}

TEST(OpenBackend, AMachineWithoutADeviceSaysWhy) {
  FakeDevice device;
  device.devices = 0;
  EXPECT_THAT(failure([] { open_cuda_backend(); }),
              HasSubstr("no GPU can be used: the fake device is off; leave out --gpu-id"));
}

TEST(OpenBackend, ANumberThatNoDeviceHasIsTold) {
  FakeDevice device;
  EXPECT_EQ(gpu_device(open_cuda_backend(), 0), (Device{DeviceKind::cuda, 0}));
  EXPECT_THAT(failure([&] { gpu_device(device, 1); }),
              HasSubstr("there is no GPU 1: there is one GPU, number 0"));
  device.devices = 3;
  EXPECT_THAT(failure([&] { gpu_device(device, 5); }), HasSubstr("there are GPUs 0 to 2"));
}

TEST(OpenBackend, PropertiesAreThoseOfTheDevice) {
  EXPECT_EQ(properties_of({}).kind, DeviceProperties::Kind::cpu);
  const FakeDevice device;
  EXPECT_EQ(properties_of({DeviceKind::cuda, 0}).name, "fake");
}

TEST(OpenBackend, AStreamOfADeviceWithoutABackendIsAnError) {
  EXPECT_THAT(failure([] { Context ctx(Device{DeviceKind::cuda, 0}); }), HasSubstr("loaded"));
}

}  // namespace
}  // namespace weft
