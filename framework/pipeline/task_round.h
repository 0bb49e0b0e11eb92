// One round of tasks that threads claim, and how threads wait for each other.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <utility>

namespace weft {

// Tells the core that this is a loop that waits; leaves it to its other hardware thread.
void pause_core();

// Looks until it holds, for about so long at most. Gives what it saw last.
template <class Condition>
bool spin_until(std::chrono::microseconds limit, Condition holds) {
  constexpr int kLooksPerClock = 32;
  const auto end = std::chrono::steady_clock::now() + limit;
  do {
    for (int i = 0; i < kLooksPerClock; ++i) {
      if (holds()) return true;
      pause_core();
    }
  } while (std::chrono::steady_clock::now() < end);
  return holds();
}

// Used for one round after the other. Tasks are claimed by counting `unclaimed` down and are over
// when `unfinished` is 0: a thread that comes too late finds nothing to claim, and none waits for
// it. A thread that has claimed a task may read `count`, `task` and `error` until it has counted
// `unfinished` down, as the opener of the round waits for that before it changes them.
class TaskRound {
 public:
  using Task = std::function<void(std::size_t)>;

  // Only after the round before has ended.
  void open(std::size_t count, const Task& task);
  // Runs tasks until none is left to claim.
  void take_tasks();
  bool has_tasks() const { return unclaimed_ > 0; }
  bool has_ended() const { return unfinished_ == 0; }
  // Sleeps until the last task is over.
  void sleep_until_end();
  // Once it has ended: the error of the task with the lowest number, if any.
  std::exception_ptr take_error() { return std::exchange(error_, nullptr); }

 private:
  void keep_error(std::size_t i);

  // Threads that spin for tasks, and the one that waits for the end, do not share a cache line:
  // writes to one do not disturb the other.
  alignas(64) std::atomic<std::size_t> unclaimed_ = 0;
  std::size_t count_ = 0;
  const Task* task_ = nullptr;
  std::size_t error_at_ = 0;  // the task that `error_` is of
  std::exception_ptr error_;

  // A thread that goes to sleep says so first and looks once more then; the end of a round is
  // written before the sleepers are looked at. Both are sequentially consistent, so that one sees
  // the other.
  alignas(64) std::atomic<std::size_t> unfinished_ = 0;
  std::atomic<bool> opener_sleeps_ = false;
  std::mutex mutex_;  // of `done_` and the error
  std::condition_variable done_;
};

}  // namespace weft
