#include "framework/tensor/open_backend.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/ops/context.h"
#include "registry/base/error.h"
#include "registry/plugins/plugin.h"
#include "tests/framework/devices/device_library.h"
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

// The emulated library with other bytes for those of `from`, wherever they stand.
std::filesystem::path changed_library(const std::string& from, const std::string& to) {
  std::ifstream in(device_tests::device_library("emulated"), std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  for (auto at = bytes.find(from); at != bytes.npos; at = bytes.find(from, at + 1)) {
    bytes.replace(at, from.size(), to);
  }
  auto file = std::filesystem::path(::testing::TempDir()) / "changed_library.so";
  std::ofstream(file, std::ios::binary) << bytes;
  return file;
}

TEST(OpenBackend, ALibraryOfAnotherBuildIsRefusedBeforeItIsOpened) {
  const testing::SavedDevices saved;
  set_device_backend(DeviceKind::cuda, nullptr);
  const std::string tag(abi_tag());
  std::string other = tag;
  other.back() = other.back() == '0' ? '1' : '0';
  const auto file = changed_library(tag, other);
  EXPECT_EQ(failure([&] { open_cuda_backend(file); }),
            "no GPU can be used: " + file.string() + " was built for \"" + other +
                "\", this is \"" + tag + "\"; leave out --gpu-id to use the CPU");
  EXPECT_EQ(device_backend(DeviceKind::cuda), nullptr);
  std::filesystem::remove(file);
}

TEST(OpenBackend, ALibraryWithoutATagIsNoBackend) {
  const testing::SavedDevices saved;
  set_device_backend(DeviceKind::cuda, nullptr);
  const auto file = changed_library(".weft_backend", ".some_section");
  EXPECT_THAT(failure([&] { open_cuda_backend(file); }), HasSubstr("is no backend of weft"));
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
