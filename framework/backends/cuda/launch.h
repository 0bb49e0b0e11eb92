// Queues kernels (see block.h).
//
//   launch(stream, blocks, threads, SharedSize().add<float>(threads), RowSums{x, sums});
//   launch_elements(stream, n, Square{x, y});       // calls functor(i) for i in [0, n)
//   launch_matrix(stream, rows, columns, Copy{});   // calls functor(row, column)
#pragma once

#include <algorithm>
#include <cstdint>
#include <typeinfo>

#include "framework/backends/cuda/block.h"
#include "framework/backends/cuda/device_stream.h"
#include "framework/backends/cuda/queue_watch.h"

namespace weft::cuda {

constexpr std::int64_t divide_up(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

#ifdef __CUDACC__

template <class Kernel>
__global__ void run_kernel(const __grid_constant__ Kernel kernel) {
  extern __shared__ __align__(16) char shared[];
  Block block(shared);
  kernel(block);
}

// Threads of a block: a multiple of 32, at most 1024. Nothing is queued for 0 blocks.
template <class Kernel>
void launch(DeviceStream& stream, std::int64_t blocks, int threads, const SharedSize& shared,
            const Kernel& kernel) {
  if (blocks == 0) return;
  stream.post([blocks, threads, bytes = shared.bytes(), kernel](void* queue) {
    allow_shared(reinterpret_cast<const void*>(&run_kernel<Kernel>), bytes);
    run_kernel<<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads), bytes,
                 static_cast<cudaStream_t>(queue)>>>(kernel);
    check_launch();
  });
  tell_kernel(stream, typeid(Kernel));
}

#else

template <class Kernel>
void launch(DeviceStream& stream, std::int64_t blocks, int threads, const SharedSize& shared,
            const Kernel& kernel) {
  if (blocks == 0) return;
  {
    const DeviceAccess access(stream);
    const auto memory = shared_memory(shared.bytes());
    const bool backwards = next_launch_is_backwards();
    for (std::int64_t b = 0; b < blocks; ++b) {
      Block block(backwards ? blocks - 1 - b : b, threads, memory.get(), backwards);
      kernel(block);
    }
  }
  tell_kernel(stream, typeid(Kernel));
}

#endif

inline constexpr int kThreads = 256;
// One for each thread: small arrays are to occupy the whole device.
inline constexpr std::int64_t kElementsOfBlock = kThreads;

template <class Functor>
struct ElementsKernel {
  Functor functor;
  std::int64_t count;

  WEFT_KERNEL void operator()(Block& block) const {
    const std::int64_t first = block.index() * kElementsOfBlock;
    const std::int64_t end = first + kElementsOfBlock < count ? first + kElementsOfBlock : count;
    block.each([&](int thread) {
      for (std::int64_t i = first + thread; i < end; i += kThreads) functor(i);
    });
  }
};

template <class Functor>
void launch_elements(DeviceStream& stream, std::int64_t count, const Functor& functor) {
  launch(stream, divide_up(count, kElementsOfBlock), kThreads, {},
         ElementsKernel<Functor>{functor, count});
}

// A block has several rows, or a part of one.
template <class Functor>
struct MatrixKernel {
  Functor functor;
  std::int64_t rows, columns;
  std::int64_t parts;  // of a row
  std::uint32_t rows_of_block;

  WEFT_KERNEL void operator()(Block& block) const {
    const std::int64_t first = block.index() / parts * rows_of_block;
    const std::int64_t begin = block.index() % parts * kElementsOfBlock;
    const std::int64_t rows_left = rows - first, columns_left = columns - begin;
    const auto height =
        static_cast<std::uint32_t>(rows_left < rows_of_block ? rows_left : rows_of_block);
    const auto width = static_cast<std::uint32_t>(
        columns_left < kElementsOfBlock ? columns_left : kElementsOfBlock);
    block.each([&](int thread) {
      for (auto e = static_cast<std::uint32_t>(thread); e < height * width; e += kThreads) {
        functor(first + e / width, begin + e % width);
      }
    });
  }
};

template <class Functor>
void launch_matrix(DeviceStream& stream, std::int64_t rows, std::int64_t columns,
                   const Functor& functor) {
  if (rows == 0 || columns == 0) return;
  const std::int64_t parts = divide_up(columns, kElementsOfBlock);
  const std::int64_t of_block = std::max<std::int64_t>(1, kElementsOfBlock / columns);
  launch(
      stream, divide_up(rows, of_block) * parts, kThreads, {},
      MatrixKernel<Functor>{functor, rows, columns, parts, static_cast<std::uint32_t>(of_block)});
}

}  // namespace weft::cuda
