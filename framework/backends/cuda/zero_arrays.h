// Several arrays become zeros in one kernel.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "framework/backends/cuda/launch.h"

namespace weft::cuda {

inline constexpr int kMostZeroed = 8;

struct ZeroedArray {
  void* array;
  std::int64_t bytes;
};

// A block has a part of one array. Arrays begin at multiples of four bytes.
struct ZeroArrays {
  static constexpr std::int64_t kWordsOfBlock = 16 * kThreads;

  ZeroedArray arrays[kMostZeroed];
  std::int64_t first_block[kMostZeroed];
  int count = 0;

  WEFT_KERNEL void operator()(Block& block) const {
    int i = count - 1;
    while (first_block[i] > block.index()) --i;
    const ZeroedArray& of = arrays[i];
    const std::int64_t words = of.bytes / 4;
    const std::int64_t begin = (block.index() - first_block[i]) * kWordsOfBlock;
    const std::int64_t end = begin + kWordsOfBlock < words ? begin + kWordsOfBlock : words;
    block.each([&](int thread) {
      for (std::int64_t w = begin + thread; w < end; w += kThreads) {
        static_cast<std::uint32_t*>(of.array)[w] = 0;
      }
      // Bytes behind the last whole word.
      const std::int64_t rest = 4 * words + thread;
      if (begin == 0 && rest < of.bytes) static_cast<char*>(of.array)[rest] = 0;
    });
  }
};

inline void zero_arrays(DeviceStream& stream, std::initializer_list<ZeroedArray> arrays) {
  ZeroArrays all;
  std::int64_t blocks = 0;
  for (const ZeroedArray& one : arrays) {
    if (one.bytes == 0) continue;
    all.arrays[all.count] = one;
    all.first_block[all.count++] = blocks;
    blocks += one.bytes < 4 ? 1 : divide_up(one.bytes / 4, ZeroArrays::kWordsOfBlock);
  }
  launch(stream, blocks, kThreads, {}, all);
}

}  // namespace weft::cuda
