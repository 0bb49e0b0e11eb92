// The memory of the emulated device: one mapping that cannot be touched except while a kernel or a
// copy of the backend runs, so that a test in which the host reads or writes it ends at once.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>

namespace weft::cuda {

class DeviceMemory {
 public:
  static DeviceMemory& instance();

  // Aligned to 256 bytes, filled with bytes that are NaN as floats. Throws Error(memory). The
  // process ends when memory is given back after whose end a kernel has written.
  void* take(std::size_t bytes);
  void give_back(void* memory);
  // Bytes that were given out at the same time, at most.
  std::size_t peak() const;
  bool holds(const void* memory) const;

  // Between the two the memory can be touched. Calls nest; another thread waits, as what is queued
  // on a stream runs one after the other.
  void open();
  void close();

 private:
  DeviceMemory();
  void protect(int how);
  void check_guard(std::size_t offset);

  mutable std::recursive_mutex mutex_;
  char* base_ = nullptr;
  std::size_t touched_ = 0;  // bytes from the base on that were ever given out
  std::size_t given_ = 0;    // bytes that are given out
  std::size_t peak_ = 0;
  int users_ = 0;
  std::map<std::size_t, std::size_t> free_;  // offset to bytes
  std::map<std::size_t, std::size_t> used_;
};

}  // namespace weft::cuda
