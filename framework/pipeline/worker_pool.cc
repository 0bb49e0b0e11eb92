#include "framework/pipeline/worker_pool.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "registry/error.h"

#if defined(__SSE__)
#include <xmmintrin.h>
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

// One round of tasks at a time: `round` wakes the workers, who take numbers from `next`.
struct WorkerPool::State {
  int threads = 1;
  std::mutex mutex;
  std::condition_variable wake;
  std::condition_variable done;
  std::size_t round = 0;
  std::size_t busy = 0;
  bool stopping = false;

  std::size_t count = 0;
  const std::function<void(std::size_t)>* task = nullptr;
  std::atomic<std::size_t> next{0};
  std::vector<std::exception_ptr> errors;
  std::vector<std::jthread> workers;  // last: joined before the rest goes

  void take_tasks() {
    const FlushDenormals flush;
    for (std::size_t i = next.fetch_add(1); i < count; i = next.fetch_add(1)) {
      try {
        (*task)(i);
      } catch (...) {
        errors[i] = std::current_exception();
      }
    }
  }

  void work() {
    std::size_t seen = 0;
    std::unique_lock lock(mutex);
    while (true) {
      wake.wait(lock, [&] { return stopping || round != seen; });
      if (stopping) return;
      seen = round;
      lock.unlock();
      take_tasks();
      lock.lock();
      if (--busy == 0) done.notify_one();
    }
  }

  void start_workers() {
    while (static_cast<int>(workers.size()) + 1 < threads) {
      workers.emplace_back([this] { work(); });
    }
  }
};

WorkerPool::WorkerPool(int threads) : state_(std::make_unique<State>()) {
  state_->threads = std::max(1, threads);
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->stopping = true;
  }
  state_->wake.notify_all();
}

int WorkerPool::threads() const {
  return state_->threads;
}

void WorkerPool::run(std::size_t count, const std::function<void(std::size_t)>& task) {
  State& state = *state_;
  state.count = count;
  state.task = &task;
  state.next = 0;
  state.errors.assign(count, nullptr);
  if (count > 1 && state.threads > 1) {
    state.start_workers();
    {
      const std::lock_guard lock(state.mutex);
      ++state.round;
      state.busy = state.workers.size();
    }
    state.wake.notify_all();
  }
  state.take_tasks();
  {
    std::unique_lock lock(state.mutex);
    state.done.wait(lock, [&] { return state.busy == 0; });
  }
  for (const std::exception_ptr& error : state.errors) {
    if (error) std::rethrow_exception(error);
  }
}

int choose_threads(int requested) {
  if (requested > 0) return requested;
  const char* variable = std::getenv("WEFT_NUM_THREADS");
  if (variable == nullptr || *variable == '\0') {
    return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
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
