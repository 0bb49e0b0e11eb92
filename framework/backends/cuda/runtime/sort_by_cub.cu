#include <cub/device/device_radix_sort.cuh>

#include "framework/backends/cuda/runtime/check.h"
#include "framework/backends/cuda/runtime/cuda_stream.h"
#include "framework/backends/cuda/sort.h"

namespace weft::cuda {

void sort_pairs(DeviceStream& stream, const std::uint32_t* keys, const std::uint32_t* values,
                std::int64_t count, int bits, const SortedPairs& sorted) {
  if (count == 0) return;
  const auto sort = [=](void* memory, std::size_t& bytes, void* queue) {
    check(cub::DeviceRadixSort::SortPairs(memory, bytes, keys, sorted.keys, values, sorted.values,
                                          static_cast<int>(count), 0, bits,
                                          static_cast<cudaStream_t>(queue)));
  };
  std::size_t bytes = 0;
  static_cast<CudaStream&>(stream).use_its_device();
  sort(nullptr, bytes, nullptr);  // tells how much memory it wants
  const Scratch<char> memory(stream, static_cast<std::int64_t>(bytes) + 1);
  stream.post([sort, bytes, memory = memory.data()](void* queue) {
    std::size_t given = bytes;
    sort(memory, given, queue);
  });
}

}  // namespace weft::cuda
