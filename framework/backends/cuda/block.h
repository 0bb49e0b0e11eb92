// Thread blocks, which kernels are written against: groups of threads that share memory.
//
//   struct RowSums {
//     const float* x;
//     float* sums;
//     WEFT_KERNEL void operator()(Block& block) const {
//       float* lanes = block.shared<float>(block.threads());
//       block.each([&](int thread) { lanes[thread] = ...; });  // and then all wait for all
//       block.each([&](int thread) { if (thread == 0) sums[block.index()] = lanes[0] + ...; });
//     }
//   };
//
// A region given to `each` runs for every thread; its writes are seen by all in the next one.
// Code between regions computes the same value for every thread: arguments, sizes, pointers. It
// does not read memory that regions write. Values that a thread keeps from one region to the next
// are in shared memory.
//
// nvcc makes a kernel of it. Any other compiler makes the emulated device of the tests: the host
// runs block by block, region by region, thread by thread, now from the first to the last, now the
// other way round, so that a dependence on the order of threads within a region shows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#ifdef __CUDACC__
#define WEFT_KERNEL __device__
#else
#define WEFT_KERNEL
#endif

namespace weft::cuda {

class Block {
 public:
#ifdef __CUDACC__
  __device__ explicit Block(char* shared) : shared_(shared) {}
  __device__ std::int64_t index() const {
    return blockIdx.x;
  }
  __device__ int threads() const {
    return static_cast<int>(blockDim.x);
  }
  template <class Region>
  __device__ void each(Region region) const {
    region(static_cast<int>(threadIdx.x));
    __syncthreads();
  }
#else
  Block(std::int64_t index, int threads, char* shared, bool backwards)
      : shared_(shared), index_(index), threads_(threads), backwards_(backwards) {}
  std::int64_t index() const {
    return index_;
  }
  int threads() const {
    return threads_;
  }
  template <class Region>
  void each(Region region) const {
    for (int i = 0; i < threads_; ++i) region(backwards_ ? threads_ - 1 - i : i);
  }
#endif

  // The next `count` elements of the shared memory that the launch asked for (see `SharedSize`).
  template <class T>
  WEFT_KERNEL T* shared(std::ptrdiff_t count) {
    used_ = (used_ + kSharedAlignment - 1) / kSharedAlignment * kSharedAlignment;
    T* found = reinterpret_cast<T*>(shared_ + used_);
    used_ += static_cast<std::size_t>(count) * sizeof(T);
    return found;
  }

  static constexpr std::size_t kSharedAlignment = 16;

 private:
  char* shared_;
  std::size_t used_ = 0;
#ifndef __CUDACC__
  std::int64_t index_;
  int threads_;
  bool backwards_;
#endif
};

// Calls use(0) to use(count - 1) without a loop: an array that only these numbers index is kept in
// registers, and loads of several turns are under way at once.
template <int count, class Use>
WEFT_KERNEL void unrolled(const Use& use) {
  [&]<int... i>(std::integer_sequence<int, i...>) {
    (use(i), ...);
  }
  (std::make_integer_sequence<int, count>());
}

// The bytes for the arrays that a kernel takes with `shared`.
class SharedSize {
 public:
  template <class T>
  SharedSize& add(std::ptrdiff_t count) {
    constexpr std::size_t kAlignment = Block::kSharedAlignment;
    bytes_ = (bytes_ + kAlignment - 1) / kAlignment * kAlignment;
    bytes_ += static_cast<std::size_t>(count) * sizeof(T);
    return *this;
  }
  // The arrays of another size, behind these.
  SharedSize& add(const SharedSize& others) {
    return add<std::max_align_t>(0).add<char>(static_cast<std::ptrdiff_t>(others.bytes()));
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_ = 0;
};

}  // namespace weft::cuda
