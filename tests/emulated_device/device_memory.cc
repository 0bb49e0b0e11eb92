#include "tests/emulated_device/device_memory.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include <sys/mman.h>

#include "framework/backends/cuda/device_stream.h"
#include "framework/backends/cuda/queue_watch.h"
#include "framework/ops/hash_embed.h"
#include "registry/base/error.h"

namespace weft::cuda {
namespace {

constexpr std::size_t kBytes = std::size_t{1} << 36;  // of addresses; memory is taken when touched
constexpr std::size_t kAlignment = 256;
constexpr std::size_t kPage = 4096;
constexpr std::size_t kGuard = 256;  // bytes after an array that nobody may change
constexpr unsigned char kFill = 0xFF;

std::size_t rounded_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace

DeviceMemory& DeviceMemory::instance() {
  static auto* memory = new DeviceMemory;  // outlives all static objects
  return *memory;
}

DeviceMemory::DeviceMemory() {
  void* memory =
      ::mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw Error(ErrorKind::memory, "no addresses for an emulated device");
  base_ = static_cast<char*>(memory);
  free_[0] = kBytes;
}

void DeviceMemory::protect(int how) {
  if (touched_ > 0 && ::mprotect(base_, rounded_up(touched_, kPage), how) != 0) {
    throw Error(ErrorKind::device, "the memory of the emulated device cannot be protected");
  }
}

void DeviceMemory::check_guard(std::size_t offset) {
  open();
  const auto* guard = reinterpret_cast<const unsigned char*>(base_ + offset);
  const bool whole = std::all_of(guard, guard + kGuard, [](auto byte) { return byte == kFill; });
  close();
  if (whole) return;
  std::fputs("a kernel wrote beyond the end of an array of the emulated device\n", stderr);
  std::abort();
}

void* DeviceMemory::take(std::size_t bytes) {
  const std::size_t wanted = rounded_up(bytes, kAlignment) + kGuard;
  const std::lock_guard lock(mutex_);
  const auto fits = [&](const auto& block) { return block.second >= wanted; };
  const auto found = std::find_if(free_.begin(), free_.end(), fits);
  if (found == free_.end()) throw Error(ErrorKind::memory, "out of memory on the emulated device");
  const auto [offset, size] = *found;
  free_.erase(found);
  if (size > wanted) free_[offset + wanted] = size - wanted;
  used_[offset] = wanted;
  given_ += wanted;
  peak_ = std::max(peak_, given_);
  touched_ = std::max(touched_, offset + wanted);
  protect(PROT_READ | PROT_WRITE);
  std::memset(base_ + offset, kFill, wanted);
  if (users_ == 0) protect(PROT_NONE);
  return base_ + offset;
}

void DeviceMemory::give_back(void* memory) {
  const std::lock_guard lock(mutex_);
  const auto offset = static_cast<std::size_t>(static_cast<char*>(memory) - base_);
  const auto found = used_.find(offset);
  if (found == used_.end()) return;
  check_guard(offset + found->second - kGuard);
  given_ -= found->second;
  auto block = free_.emplace(*found).first;
  used_.erase(found);
  const auto next = std::next(block);
  if (next != free_.end() && block->first + block->second == next->first) {
    block->second += next->second;
    free_.erase(next);
  }
  if (block == free_.begin()) return;
  const auto before = std::prev(block);
  if (before->first + before->second != block->first) return;
  before->second += block->second;
  free_.erase(block);
}

std::size_t DeviceMemory::peak() const {
  const std::lock_guard lock(mutex_);
  return peak_;
}

bool DeviceMemory::holds(const void* memory) const {
  return memory >= base_ && memory < base_ + kBytes;
}

void DeviceMemory::open() {
  mutex_.lock();
  if (users_++ == 0) protect(PROT_READ | PROT_WRITE);
}

void DeviceMemory::close() {
  if (--users_ == 0) protect(PROT_NONE);
  mutex_.unlock();
}

DeviceAccess::DeviceAccess(DeviceStream& stream) {
  stream.native();
  DeviceMemory::instance().open();
}

DeviceAccess::~DeviceAccess() {
  DeviceMemory::instance().close();
}

bool lies_on_device(const void* memory) {
  return DeviceMemory::instance().holds(memory);
}

std::unique_ptr<char[]> shared_memory(std::size_t bytes) {
  std::unique_ptr<char[]> memory(new char[bytes + 1]);
  std::memset(memory.get(), kFill, bytes);
  return memory;
}

bool next_launch_is_backwards() {
  static std::atomic<std::uint64_t> launches{0};
  return (finish_hash(++launches) & 1) != 0;
}

}  // namespace weft::cuda
