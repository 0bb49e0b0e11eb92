// Sorting on the device.
#pragma once

#include <cstdint>

#include "framework/backends/cuda/device_stream.h"

namespace weft::cuda {

struct SortedPairs {
  std::uint32_t* keys;
  std::uint32_t* values;
};

// Writes `count` pairs in ascending order of their keys to `sorted`; equal keys stay in order. Keys
// are below 2^bits.
void sort_pairs(DeviceStream& stream, const std::uint32_t* keys, const std::uint32_t* values,
                std::int64_t count, int bits, const SortedPairs& sorted);

}  // namespace weft::cuda
