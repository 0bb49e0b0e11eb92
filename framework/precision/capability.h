// Whether a device can do what the policy asks, whether it is worth it, and constants that 16 bits
// cannot hold. Everything works on a description of the device, so that no device is needed to test
// it. Source: docs/precision.md, "Pitfalls".
#pragma once

#include <span>
#include <string_view>

#include "framework/precision/notice.h"
#include "framework/precision/policy.h"
#include "framework/tensor/device_properties.h"
#include "registry/base/export.h"

namespace weft {

// P020 (an error) where the device lacks the format, P021 where fp16 runs without matrix units,
// P023 on a CPU. Nothing at O0, unless tf32 is asked for.
WEFT_API Notices check_device(const PrecisionPolicy& policy, const DeviceProperties& device);

// P050 or P051 for a constant of the config that an fp16 kernel could not hold; zero fits.
WEFT_API Notices check_constant(const PrecisionPolicy& policy, std::string_view key, double value);

// The time that one kind of op took in the steps of a profile.
struct OpTime {
  std::string_view op;
  double seconds = 0.0;
  bool is_gemm = false;  // runs with 16-bit inputs where the policy says so
};

// P070 if GEMMs are less than 30 % of the time, so that 16 bits cannot help much.
WEFT_API Notices check_gain(const PrecisionPolicy& policy, std::span<const OpTime> profile);

}  // namespace weft
