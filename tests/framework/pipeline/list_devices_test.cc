#include "framework/pipeline/list_devices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/ops/gemm_description.h"
#include "tests/framework/devices/fake_device.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::StartsWith;

TEST(ListDevices, NamesTheProcessorsUnitsAndEachGpu) {
  testing::FakeDevice device;
  device.devices = 2;
  const DeviceList list = list_devices();
  EXPECT_THAT(list.devices,
              ElementsAre("cpu: " + gemm_description(), StartsWith("gpu 0: fake, capability "),
                          StartsWith("gpu 1: fake, capability ")));
  EXPECT_EQ(list.why_no_gpu, "");
}

TEST(ListDevices, SaysWhyThereIsNoGpu) {
  testing::FakeDevice device;
  device.devices = 0;
  const DeviceList list = list_devices();
  EXPECT_THAT(list.devices, ElementsAre(StartsWith("cpu: ")));
  EXPECT_EQ(list.why_no_gpu, "the fake device is off");
}

}  // namespace
}  // namespace weft
