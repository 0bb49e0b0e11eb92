// A lock that threads wait for until a deadline.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "registry/base/export.h"

namespace weft {

// Taken by std::unique_lock with a time. It stands in the place of std::timed_mutex, whose waiting
// ThreadSanitizer of GCC 12 does not see: it reports each release as that of a free lock.
class WEFT_API Turns {
 public:
  bool try_lock_until(std::chrono::steady_clock::time_point deadline);
  void unlock();

 private:
  std::mutex mutex_;
  std::condition_variable freed_;
  bool is_taken_ = false;
};

}  // namespace weft
