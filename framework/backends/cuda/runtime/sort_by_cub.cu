#include <cub/device/device_radix_sort.cuh>

#include "framework/backends/cuda/runtime/check.h"
#include "framework/backends/cuda/sort.h"

namespace weft::cuda {

void sort_pairs(DeviceStream& stream, const std::uint32_t* keys, const std::uint32_t* values,
                std::int64_t count, int bits, const SortedPairs& sorted) {
  if (count == 0) return;
  const auto queue = static_cast<cudaStream_t>(stream.native());
  const int items = static_cast<int>(count);
  std::size_t bytes = 0;
  const auto run = [&](void* memory) {
    check(cub::DeviceRadixSort::SortPairs(memory, bytes, keys, sorted.keys, values, sorted.values,
                                          items, 0, bits, queue));
  };
  run(nullptr);  // tells how much memory it wants
  const Scratch<char> memory(stream, static_cast<std::int64_t>(bytes) + 1);
  run(memory.data());
}

}  // namespace weft::cuda
