#include "tools/serve/turnstile.h"

#include <algorithm>

namespace weft::tools {

Turnstile::Entry Turnstile::enter(std::chrono::steady_clock::time_point deadline) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (free_ == 0) {
    if (waiting_ == most_waiting_) return Entry::full;
    ++waiting_;
    const bool came = freed_.wait_until(lock, deadline, [this] { return free_ > 0; });
    --waiting_;
    if (!came) return Entry::too_late;
  }
  --free_;
  return Entry::inside;
}

// Those who wait come first.
int Turnstile::take_more(int most) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const int taken = waiting_ > 0 ? 0 : std::clamp(most, 0, free_);
  free_ -= taken;
  return taken;
}

void Turnstile::leave(int count) {
  const std::lock_guard<std::mutex> lock(mutex_);
  free_ += count;
  freed_.notify_all();
}

}  // namespace weft::tools
