#include "framework/training/late_notice.h"

#include <utility>

namespace weft {

LateNotice::LateNotice(std::ostream* err, std::string text, std::chrono::milliseconds after)
    : text_(std::move(text)) {
  if (err == nullptr) return;
  const auto when = std::chrono::steady_clock::now() + after;
  thread_ = std::thread([this, err, when] { tell_later(*err, when); });
}

LateNotice::~LateNotice() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  over_.notify_all();
  thread_.join();
}

void LateNotice::tell_later(std::ostream& err, std::chrono::steady_clock::time_point when) {
  std::unique_lock lock(mutex_);
  if (!over_.wait_until(lock, when, [this] { return is_over_; })) err << text_ << std::flush;
}

}  // namespace weft
