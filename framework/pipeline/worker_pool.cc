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
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "framework/ops/work_record.h"
#include "framework/pipeline/idle_work.h"
#include "framework/pipeline/task_round.h"
#include "registry/base/error.h"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif
#if defined(__linux__)
#include <sched.h>
#endif

namespace weft {

#if defined(__SSE__)
// The control register of SSE: bit 15 makes results that would be denormal zero, bit 6 takes
// denormal inputs as zero. It belongs to the thread, so each worker sets it for itself.
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

constexpr int kMostThreads = 1024;

// How long a thread looks for the next round, or for the end of this one, before it sleeps. To wake
// a thread takes tens of microseconds, several times in every training step; the work between two
// rounds of a step is shorter than this.
constexpr std::chrono::microseconds kSpinTime{500};
// The same while a round has not ended: a thread that still has a task may soon want help with it.
constexpr std::chrono::microseconds kHelpTime{1000};

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

// Which of a pool's threads the calling one is, while it works for it.
struct ThreadPlace {
  const void* pool = nullptr;
  std::size_t number = 0;
};
thread_local ThreadPlace here;

class AtPlace {
 public:
  explicit AtPlace(const ThreadPlace& place) : before_(here) { here = place; }
  ~AtPlace() { here = before_; }
  AtPlace(const AtPlace&) = delete;
  AtPlace& operator=(const AtPlace&) = delete;

 private:
  ThreadPlace before_;
};

}  // namespace

// One round at a time; and for each thread one that it opens within a task of that, for those who
// have nothing to do meanwhile, if there are any.
//
// A worker that goes to sleep first says so (`sleeping`) and looks once more then; an opener of a
// round opens it first and looks for sleepers then. Both are sequentially consistent, so that one
// of the two sees the other. Rounds within tasks wake nobody, and the thread that waits for the end
// of one takes nothing else meanwhile: state that its thread keeps for the task stays as it is.
struct WorkerPool::State {
  explicit State(int number)
      : threads(number),
        spins(static_cast<unsigned>(number) <= usable_cores()),
        within(spins ? static_cast<std::size_t>(number) : 0) {}

  TaskRound round;
  const int threads;
  const bool spins;  // with more threads than cores it would keep others from their work
  std::atomic<bool> in_round = false;
  std::atomic<bool> stopping = false;

  std::vector<TaskRound> within;  // by the thread that opens them
  alignas(64) std::atomic<int> open_within = 0;
  alignas(64) std::atomic<int> idle = 0;  // how many threads wait awake

  IdleSlot idle_work;

  alignas(64) std::atomic<std::size_t> sleeping = 0;  // how many workers
  std::mutex mutex;                                   // of `wake`
  std::condition_variable wake;
  std::vector<std::jthread> workers;  // last: joined before the rest goes

  bool has_news() const { return round.has_tasks() || stopping; }

  // Waits for the condition and helps others meanwhile; without others, by pieces of what can wait
  // if they are given. False if it takes too long: time to sleep.
  template <class Condition>
  bool wait_awake(Condition holds, IdleSlot* pieces) {
    while (spins && !holds()) {
      ++idle;
      const auto limit = round.has_ended() ? kSpinTime : kHelpTime;
      const auto is_wanted = [&] { return holds() || open_within > 0; };
      while (pieces != nullptr && !is_wanted() && pieces->do_piece()) {
      }
      const bool is_used = spin_until(
          limit, [&] { return is_wanted() || (pieces != nullptr && pieces->has_work()); });
      --idle;
      if (!is_used) return false;
      for (TaskRound& each : within) each.take_tasks();
    }
    return holds();
  }

  void work(std::size_t number) {
    const FlushDenormals flush;
    const AtPlace place({this, number});
    while (!stopping) {
      round.take_tasks();
      if (wait_awake([&] { return has_news(); }, &idle_work)) continue;
      std::unique_lock lock(mutex);
      ++sleeping;
      if (!has_news()) wake.wait(lock);
      --sleeping;
    }
  }

  // As many as have a task: the one with the number 0 is the caller's, which does the work of those
  // that the system does not start.
  void start_workers(std::size_t count) {
    const std::size_t useful = std::min(count, static_cast<std::size_t>(threads));
    try {
      for (std::size_t i = workers.size() + 1; i < useful; ++i) {
        workers.emplace_back([this, i] { work(i); });
      }
    } catch (const std::system_error&) {
    } catch (const std::bad_alloc&) {
    }
  }

  void wake_workers(std::size_t count) {
    const std::size_t asleep = sleeping;
    const std::size_t awake = workers.size() - asleep;
    if (awake + 1 >= count) return;
    const std::size_t missing = std::min(asleep, count - 1 - awake);
    if (missing == 0) return;
    // A thread that has looked for work already, and found none, waits once this is locked.
    { const std::lock_guard lock(mutex); }
    for (std::size_t i = 0; i < missing; ++i) wake.notify_one();
  }

  // Gives the error to throw on, if any.
  std::exception_ptr run_round(std::size_t count, const TaskRound::Task& task) {
    const AtPlace place({this, 0});
    start_workers(count);
    round.open(count, task);
    wake_workers(count);
    round.take_tasks();
    if (!wait_awake([&] { return round.has_ended(); }, nullptr)) round.sleep_until_end();
    return round.take_error();
  }

  // The calling thread's round within its task, where others wait; null if it is open already.
  TaskRound* free_round() {
    if (idle == 0 || here.pool != this) return nullptr;
    TaskRound& own = within[here.number];
    return own.has_ended() ? &own : nullptr;
  }

  std::exception_ptr run_within(TaskRound& own, std::size_t count, const TaskRound::Task& task) {
    own.open(count, task);
    ++open_within;
    own.take_tasks();
    --open_within;
    // The tasks that others still run are as short as those that were left for them.
    while (!spin_until(kHelpTime, [&] { return own.has_ended(); })) std::this_thread::yield();
    return own.take_error();
  }
};

namespace {

// For rounds that have no use for other threads. All tasks are run, whatever the others throw.
std::exception_ptr run_here(std::size_t count, const std::function<void(std::size_t)>& task) {
  std::exception_ptr first;
  const WorkRecord::RoundScope round(count);
  for (std::size_t i = 0; i < count; ++i) {
    const WorkRecord::TaskScope measured;
    try {
      task(i);
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  return first;
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

bool WorkerPool::has_idle_threads() const {
  return state_->threads > 1 && state_->spins;
}

void WorkerPool::while_idle(IdleWork& work) {
  state_->idle_work.put(work);
}

void WorkerPool::end_idle_work() {
  state_->idle_work.take_back();
}

// A call takes one of three ways: a single task runs here; the first caller opens a round for all
// threads; a call from within a task shares its tasks if somebody is idle. While a round is open,
// all other calls run their tasks themselves, one after the other.
void WorkerPool::run(std::size_t count, const std::function<void(std::size_t)>& task) {
  State& state = *state_;
  const FlushDenormals flush;
  std::exception_ptr error;
  if (count <= 1 || state.threads == 1) {
    error = run_here(count, task);
  } else if (state.in_round || state.in_round.exchange(true)) {  // looked at before it is written
    TaskRound* own = state.free_round();
    error = own != nullptr ? state.run_within(*own, count, task) : run_here(count, task);
  } else {
    try {
      error = state.run_round(count, task);
    } catch (...) {  // of a round that was not opened
      error = std::current_exception();
    }
    state.in_round = false;
  }
  if (error) std::rethrow_exception(error);
}

int choose_threads(int requested) {
  if (requested < 0 || requested > kMostThreads) {
    throw Error(ErrorKind::usage, fmt::format("--threads takes a number from 1 to {}, or 0 for all "
                                              "cores, not {}",
                                              kMostThreads, requested));
  }
  if (requested > 0) return requested;
  const char* variable = std::getenv("WEFT_NUM_THREADS");
  if (variable == nullptr || *variable == '\0') {
    return static_cast<int>(usable_cores());
  }
  int threads = 0;
  const char* end = variable + std::strlen(variable);
  const auto [stop, error] = std::from_chars(variable, end, threads);
  if (error != std::errc() || stop != end || threads < 1 || threads > kMostThreads) {
    throw Error(ErrorKind::usage,
                fmt::format("WEFT_NUM_THREADS is '{}', not a positive number{}", variable,
                            threads > kMostThreads ? fmt::format(" up to {}", kMostThreads) : ""));
  }
  return threads;
}

}  // namespace weft
