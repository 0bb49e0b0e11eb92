#include <algorithm>
#include <utility>

#include "framework/backends/cuda/launch.h"
#include "framework/backends/cuda/uploads.h"

namespace weft::cuda {
namespace {

constexpr std::int64_t kUnit = 16;
// One unit for each thread: the way to the host's memory is long, and all go it at once.
constexpr std::int64_t kBytesOfBlock = kUnit * kThreads;

struct alignas(kUnit) Unit {
  std::uint64_t words[2];
};

// Every block copies a part of one array, by units of 16 bytes where both sides are aligned to
// them.
struct CopyAll {
  Uploads::Copy copies[Uploads::kMost];
  std::int64_t first_block[Uploads::kMost];
  int count = 0;

  WEFT_KERNEL void operator()(Block& block) const {
    int i = count - 1;
    while (first_block[i] > block.index()) --i;
    const Uploads::Copy& copy = copies[i];
    const std::int64_t begin = (block.index() - first_block[i]) * kBytesOfBlock;
    const std::int64_t left = copy.bytes - begin;
    const std::int64_t bytes = left < kBytesOfBlock ? left : kBytesOfBlock;
    char* to = copy.to + begin;
    const char* from = copy.from + begin;
    const bool aligned =
        (reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from)) % kUnit ==
        0;
    const std::int64_t units = aligned ? bytes / kUnit : 0;
    block.each([&](int thread) {
      for (std::int64_t u = thread; u < units; u += kThreads) {
        reinterpret_cast<Unit*>(to)[u] = reinterpret_cast<const Unit*>(from)[u];
      }
      for (std::int64_t b = units * kUnit + thread; b < bytes; b += kThreads) to[b] = from[b];
    });
  }
};

}  // namespace

void Uploads::know(const void* memory, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  known_.push_back({static_cast<const char*>(memory), bytes});
}

void Uploads::forget(const void* memory) {
  const std::lock_guard lock(mutex_);
  std::erase_if(known_, [&](const Range& range) {
    if (range.begin != memory) return false;
    // Nobody can want copies from memory that is gone.
    std::erase_if(waiting_, [&](const Copy& copy) {
      return copy.from >= range.begin && copy.from < range.begin + range.bytes;
    });
    return true;
  });
}

bool Uploads::knows(const void* memory, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  return is_known(static_cast<const char*>(memory), bytes);
}

bool Uploads::is_known(const char* from, std::size_t bytes) const {
  return std::any_of(known_.begin(), known_.end(), [&](const Range& range) {
    return from >= range.begin && from + bytes <= range.begin + range.bytes;
  });
}

// Copies of one kernel come in no order: a place that is written twice needs two kernels.
void Uploads::make_room(DeviceStream& stream, const char* to, std::size_t bytes) {
  const bool overlaps = std::any_of(waiting_.begin(), waiting_.end(), [&](const Copy& copy) {
    return to < copy.to + copy.bytes && copy.to < to + bytes;
  });
  if (overlaps || waiting_.size() == std::size_t{kMost}) flush(stream);
}

bool Uploads::add(DeviceStream& stream, void* to, const void* from, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  auto* source = static_cast<const char*>(from);
  if (bytes > kMostBytes || !is_known(source, bytes)) return false;
  auto* target = static_cast<char*>(to);
  make_room(stream, target, bytes);
  waiting_.push_back({target, source, static_cast<std::int64_t>(bytes)});
  return true;
}

void Uploads::add_kept(DeviceStream& stream, void* to, std::shared_ptr<const char[]> keep,
                       std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  auto* target = static_cast<char*>(to);
  make_room(stream, target, bytes);
  waiting_.push_back({target, keep.get(), static_cast<std::int64_t>(bytes)});
  kept_.push_back(std::move(keep));
}

void Uploads::flush(DeviceStream& stream) {
  const std::lock_guard lock(mutex_);
  if (waiting_.empty()) return;
  const std::vector<Copy> copies = std::exchange(waiting_, {});
  std::vector<std::shared_ptr<const char[]>> kept = std::exchange(kept_, {});
  CopyAll all;  // also of one: a copy engine takes the host twice as long to start
  std::int64_t blocks = 0;
  for (const Copy& copy : copies) {
    all.copies[all.count] = copy;
    all.first_block[all.count++] = blocks;
    blocks += divide_up(copy.bytes, kBytesOfBlock);
  }
  try {
    launch(stream, blocks, kThreads, {}, all);
  } catch (...) {  // of this thread's earlier work: the copies of others wait on
    waiting_ = copies;
    kept_ = std::move(kept);
    throw;
  }
}

void Uploads::drop(const void* memory, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto* begin = static_cast<const char*>(memory);
  std::erase_if(waiting_,
                [&](const Copy& copy) { return copy.to >= begin && copy.to < begin + bytes; });
}

}  // namespace weft::cuda
