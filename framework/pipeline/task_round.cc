#include "framework/pipeline/task_round.h"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace weft {

void pause_core() {
#if defined(__SSE__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

void TaskRound::open(std::size_t count, const Task& task) {
  count_ = count;
  task_ = &task;
  unfinished_ = count;
  unclaimed_ = count;
}

void TaskRound::take_tasks() {
  std::size_t left = unclaimed_;
  while (left > 0) {
    if (!unclaimed_.compare_exchange_weak(left, left - 1)) continue;
    const std::size_t i = count_ - left;
    try {
      (*task_)(i);
    } catch (...) {
      keep_error(i);
    }
    if (--unfinished_ == 0 && opener_sleeps_) {
      const std::lock_guard lock(mutex_);
      done_.notify_one();
    }
    left = unclaimed_;
  }
}

void TaskRound::sleep_until_end() {
  std::unique_lock lock(mutex_);
  opener_sleeps_ = true;
  done_.wait(lock, [&] { return has_ended(); });
  opener_sleeps_ = false;
}

void TaskRound::keep_error(std::size_t i) {
  const std::lock_guard lock(mutex_);
  if (error_ && error_at_ < i) return;
  error_ = std::current_exception();
  error_at_ = i;
}

}  // namespace weft
