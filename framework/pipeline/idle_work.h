// Work that nobody waits for yet: threads of a pool do it piece by piece while they have no tasks.
#pragma once

#include <atomic>
#include <thread>

#include "registry/base/export.h"

namespace weft {

class WEFT_API IdleWork {
 public:
  virtual ~IdleWork() = default;
  // Does a piece, by any thread and beside others. As a task may come up meanwhile, a piece takes
  // some microseconds at most. False where none was left to begin. Throws nothing.
  virtual bool do_piece() noexcept = 0;
};

// Where a pool's threads find such work, one at a time.
class IdleSlot {
 public:
  void put(IdleWork& work) { work_ = &work; }
  // When this returns, no thread is at a piece of it any more.
  void take_back() {
    work_ = nullptr;
    while (inside_ > 0) std::this_thread::yield();
  }
  bool has_work() const { return work_.load(std::memory_order_relaxed) != nullptr; }
  // Whether there was something to do. Work without a piece left is not looked at again.
  bool do_piece() {
    if (!has_work()) return false;
    ++inside_;  // first: see take_back
    IdleWork* work = work_;
    const bool did = work != nullptr && work->do_piece();
    if (work != nullptr && !did) work_.compare_exchange_strong(work, nullptr);
    --inside_;
    return did;
  }

 private:
  alignas(64) std::atomic<IdleWork*> work_ = nullptr;
  std::atomic<int> inside_ = 0;
};

}  // namespace weft
