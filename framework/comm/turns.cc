#include "framework/comm/turns.h"

namespace weft {

bool Turns::try_lock_until(std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  if (!freed_.wait_until(lock, deadline, [this] { return !is_taken_; })) return false;
  is_taken_ = true;
  return true;
}

void Turns::unlock() {
  {
    const std::lock_guard lock(mutex_);
    is_taken_ = false;
  }
  freed_.notify_one();
}

}  // namespace weft
