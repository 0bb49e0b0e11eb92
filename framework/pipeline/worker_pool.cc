#include "framework/pipeline/worker_pool.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "registry/error.h"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif
#if defined(__linux__)
#include <sched.h>
#endif

namespace weft {

#if defined(__SSE__)
FlushDenormals::FlushDenormals() : saved_(_mm_getcsr()) {
  constexpr unsigned kFlushToZero = 0x8000;
  constexpr unsigned kDenormalsAreZero = 0x0040;
  _mm_setcsr(saved_ | kFlushToZero | kDenormalsAreZero);
}
FlushDenormals::~FlushDenormals() {
  _mm_setcsr(saved_);
}
#else
FlushDenormals::FlushDenormals() : saved_(0) {}
FlushDenormals::~FlushDenormals() = default;
#endif

namespace {

// How long a thread looks for the next round, or for the end of this one, before it sleeps. To wake
// a thread takes tens of microseconds, several times in every training step; what lies between two
// rounds of a step is shorter than this.
constexpr std::chrono::microseconds kSpinTime{150};
// Looks between two looks at the clock.
constexpr int kLooksPerClock = 32;

// Tells the core that this is a loop that waits; leaves it to its other hardware thread.
void pause_core() {
#if defined(__SSE__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Looks for at most kSpinTime. Gives what it saw last.
template <class Condition>
bool spin_until(Condition holds) {
  const auto end = std::chrono::steady_clock::now() + kSpinTime;
  do {
    for (int i = 0; i < kLooksPerClock; ++i) {
      if (holds()) return true;
      pause_core();
    }
  } while (std::chrono::steady_clock::now() < end);
  return holds();
}

// Those that this process may run on.
unsigned usable_cores() {
#if defined(__linux__)
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0) {
    return static_cast<unsigned>(std::max(1, CPU_COUNT(&cores)));
  }
#endif
  return std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace

// One round at a time. Its tasks are claimed by counting `unclaimed` down and are over when
// `unfinished` is 0: a worker that comes too late finds nothing to claim, and nobody waits for it.
// Who has claimed a task may read `count`, `task` and `error` until it has counted `unfinished`
// down, as the caller waits for that before it changes them.
//
// A thread that goes to sleep first says so (`sleeping`, `caller_sleeps`) and looks once more then;
// who has work for it, or has ended the round, first writes that and looks at who sleeps then. All
// four are sequentially consistent, so that one of the two sees the other.
struct WorkerPool::State {
  explicit State(int number)
      : threads(number), spins(static_cast<unsigned>(number) <= usable_cores()) {}

  // Who waits awake for `unclaimed`, and who waits for `unfinished`, is not disturbed by writes to
  // the other: they lie on two cache lines.
  alignas(64) std::atomic<std::size_t> unclaimed = 0;
  std::size_t count = 0;
  const std::function<void(std::size_t)>* task = nullptr;
  std::size_t error_at = 0;  // the task that `error` is of
  std::exception_ptr error;
  const int threads;
  const bool spins;  // with more threads than cores it would keep others from their work
  std::atomic<bool> in_round = false;

  alignas(64) std::atomic<std::size_t> unfinished = 0;
  std::mutex mutex;  // of `wake`, `done` and `error`
  std::atomic<bool> caller_sleeps = false;
  std::atomic<bool> stopping = false;

  alignas(64) std::atomic<std::size_t> sleeping = 0;  // how many workers
  std::condition_variable wake, done;
  std::vector<std::jthread> workers;  // last: joined before the rest goes

  bool has_news() const { return unclaimed > 0 || stopping; }

  void keep_error(std::size_t i) {
    const std::lock_guard lock(mutex);
    if (error && error_at < i) return;
    error = std::current_exception();
    error_at = i;
  }

  void take_tasks() {
    std::size_t left = unclaimed;
    while (left > 0) {
      if (!unclaimed.compare_exchange_weak(left, left - 1)) continue;
      const std::size_t i = count - left;
      try {
        (*task)(i);
      } catch (...) {
        keep_error(i);
      }
      if (--unfinished == 0 && caller_sleeps) {
        const std::lock_guard lock(mutex);
        done.notify_one();
      }
      left = unclaimed;
    }
  }

  void work() {
    const FlushDenormals flush;
    while (!stopping) {
      take_tasks();
      if (spins && spin_until([&] { return has_news(); })) continue;
      std::unique_lock lock(mutex);
      ++sleeping;
      if (!has_news()) wake.wait(lock);
      --sleeping;
    }
  }

  // As many as have a task: the one with the number 0 is for who calls.
  void start_workers() {
    const std::size_t useful = std::min(count, static_cast<std::size_t>(threads)) - 1;
    while (workers.size() < useful) workers.emplace_back([this] { work(); });
  }

  void wake_workers() {
    const std::size_t asleep = sleeping;
    const std::size_t awake = workers.size() - asleep;
    if (awake + 1 >= count) return;
    const std::size_t missing = std::min(asleep, count - 1 - awake);
    if (missing == 0) return;
    // Who has looked for work already, and found none, waits once this is locked.
    { const std::lock_guard lock(mutex); }
    for (std::size_t i = 0; i < missing; ++i) wake.notify_one();
  }

  void wait_for_end() {
    if (unfinished == 0 || (spins && spin_until([&] { return unfinished == 0; }))) return;
    std::unique_lock lock(mutex);
    caller_sleeps = true;
    done.wait(lock, [&] { return unfinished == 0; });
    caller_sleeps = false;
  }

  // Gives the error to throw on, if any.
  std::exception_ptr run_round(std::size_t tasks, const std::function<void(std::size_t)>& run) {
    count = tasks;
    task = &run;
    start_workers();
    unfinished = count;
    unclaimed = count;
    wake_workers();
    take_tasks();
    wait_for_end();
    return std::exchange(error, nullptr);
  }
};

namespace {

// For rounds that have no use for other threads. All tasks are run, whatever the others throw.
void run_here(std::size_t count, const std::function<void(std::size_t)>& task) {
  std::exception_ptr first;
  for (std::size_t i = 0; i < count; ++i) {
    try {
      task(i);
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace

WorkerPool::WorkerPool(int threads) : state_(std::make_unique<State>(std::max(1, threads))) {}

WorkerPool::~WorkerPool() {
  state_->stopping = true;
  { const std::lock_guard lock(state_->mutex); }  // see wake_workers
  state_->wake.notify_all();
}

int WorkerPool::threads() const {
  return state_->threads;
}

void WorkerPool::run(std::size_t count, const std::function<void(std::size_t)>& task) {
  State& state = *state_;
  const FlushDenormals flush;
  if (count <= 1 || state.threads == 1 || state.in_round.exchange(true)) {
    return run_here(count, task);
  }
  std::exception_ptr error;
  try {
    error = state.run_round(count, task);
  } catch (...) {  // no thread could be started
    error = std::current_exception();
  }
  state.in_round = false;
  if (error) std::rethrow_exception(error);
}

int choose_threads(int requested) {
  if (requested > 0) return requested;
  const char* variable = std::getenv("WEFT_NUM_THREADS");
  if (variable == nullptr || *variable == '\0') {
    return static_cast<int>(usable_cores());
  }
  int threads = 0;
  const char* end = variable + std::strlen(variable);
  const auto [stop, error] = std::from_chars(variable, end, threads);
  if (error != std::errc() || stop != end || threads < 1) {
    throw Error(ErrorKind::usage,
                fmt::format("WEFT_NUM_THREADS is '{}', not a positive number", variable));
  }
  return threads;
}

}  // namespace weft
