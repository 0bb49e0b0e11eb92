// Where a tensor lies and an op runs.
#pragma once

#include <cstdint>

namespace weft {

enum class DeviceKind : std::uint8_t { cpu, cuda };

struct Device {
  DeviceKind kind = DeviceKind::cpu;
  int index = 0;
  bool operator==(const Device&) const = default;
};

}  // namespace weft
