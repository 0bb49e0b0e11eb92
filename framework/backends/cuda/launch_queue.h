// Work that a thread of its own hands to a driver, in the order in which it was posted. A launch
// keeps its caller for microseconds, and an update of few words is hundreds of calls: the caller
// works out the next ones meanwhile.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace weft::cuda {

class LaunchQueue {
 public:
  // `begin` is what the thread does first.
  explicit LaunchQueue(const std::function<void()>& begin)
      : thread_([this, begin] { run(begin); }), id_(thread_.get_id()) {}
  // Everything that was posted is done; an error that nobody was told of is lost.
  ~LaunchQueue() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    posted_more_.notify_one();
    thread_.join();
  }
  LaunchQueue(const LaunchQueue&) = delete;
  LaunchQueue& operator=(const LaunchQueue&) = delete;

  // Whether this is called by work that was posted.
  bool is_at_work() const { return std::this_thread::get_id() == id_; }

  // From any thread; at once where work posts work. Throws the error with which work that this
  // thread may rely on was given up: all that was posted by then and since its last `finish`. Every
  // thread is told, not the one alone that posted the work that failed.
  void post(std::function<void()> work) {
    if (is_at_work()) return work();
    bool sleeps = false;
    {
      const std::lock_guard lock(mutex_);
      Poster& poster = poster_of_this_thread();
      throw_error(poster);
      waiting_.push_back(std::move(work));
      poster.rely_from(++posted_);
      sleeps = sleeps_;
    }
    if (sleeps) posted_more_.notify_one();
  }

  // From now on this thread relies on what others post for it.
  void rely() {
    if (is_at_work()) return;
    const std::lock_guard lock(mutex_);
    poster_of_this_thread().rely_from(posted_ + 1);
  }

  // Until all that was posted is done or given up.
  void wait() const {
    if (is_at_work()) return;
    const std::uint64_t wanted = posted_;
    for (int turn = 0; done_ < wanted; ++turn) {
      if (turn > kQuickTurns) std::this_thread::yield();
    }
  }
  // Waits, and throws as `post`. Behind it this thread relies on nothing that was posted before.
  void finish() {
    if (is_at_work()) return;
    wait();
    const std::lock_guard lock(mutex_);
    Poster& poster = poster_of_this_thread();
    throw_error(poster);
    poster.first = kNothing;
  }

 private:
  static constexpr int kQuickTurns = 1000;
  // Longer than the gaps between the launches of a step, and short beside the time that a sleeping
  // thread takes to wake up.
  static constexpr std::chrono::microseconds kAwake{300};

  static constexpr std::uint64_t kNothing = std::numeric_limits<std::uint64_t>::max();

  // A thread that posts. Pieces of work are numbered from 1 on.
  struct Poster {
    std::uint64_t first = kNothing;  // on which it relies
    std::uint64_t told = 0;          // failures

    void rely_from(std::uint64_t number) { first = std::min(first, number); }
  };
  struct Failure {
    std::exception_ptr error;
    std::uint64_t last;  // piece of work that was given up; kNothing: all that come, too
  };

  Poster& poster_of_this_thread() const {
    thread_local std::map<std::uint64_t, Poster> posters;  // by the numbers of queues
    return posters[number_];
  }
  static std::uint64_t next_number() {
    static std::atomic<std::uint64_t> numbers = 0;
    return ++numbers;
  }

  // Of a thread that comes late only the last failures are known any more.
  void throw_error(Poster& poster) {
    std::exception_ptr found;
    const std::uint64_t known = failed_ - failures_.size();
    for (std::uint64_t i = std::max(poster.told, known); i < failed_ && !found; ++i) {
      const Failure& failure = failures_[static_cast<std::size_t>(i - known)];
      if (failure.last >= poster.first) found = failure.error;
    }
    poster.told = failed_;
    if (!found) return;
    poster.first = kNothing;
    std::rethrow_exception(found);
  }

  void run(const std::function<void()>& begin) {
    attempt(begin, true);
    std::vector<std::function<void()>> work;
    while (take(work)) {
      for (const std::function<void()>& one : work) {
        if (done_ >= given_up_) attempt(one, false);
        ++done_;
      }
      work.clear();
    }
  }

  // Behind an error all that was posted by then is given up: it relies on the work that failed.
  void attempt(const std::function<void()>& work, bool is_begin) {
    constexpr std::size_t kMostKept = 64;
    try {
      work();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      given_up_ = is_begin ? kNothing : std::max<std::uint64_t>(given_up_, posted_);
      failures_.push_back({std::current_exception(), given_up_});
      if (failures_.size() > kMostKept) failures_.pop_front();
      ++failed_;
    }
  }

  // All that waits; false at the end. Stays awake for a while where there is nothing.
  bool take(std::vector<std::function<void()>>& work) {
    const std::uint64_t taken = done_;
    const auto end = std::chrono::steady_clock::now() + kAwake;
    while (posted_ == taken && !ends_ && std::chrono::steady_clock::now() < end) continue;
    std::unique_lock lock(mutex_);
    if (waiting_.empty() && !ends_) {
      sleeps_ = true;
      posted_more_.wait(lock, [&] { return !waiting_.empty() || ends_; });
      sleeps_ = false;
    }
    std::swap(work, waiting_);
    return !work.empty();
  }

  std::mutex mutex_;
  std::condition_variable posted_more_;
  std::vector<std::function<void()>> waiting_;
  std::deque<Failure> failures_;  // the last ones
  std::uint64_t failed_ = 0;      // all of them
  bool sleeps_ = false;
  std::atomic<bool> ends_ = false;
  std::atomic<std::uint64_t> posted_ = 0, done_ = 0;
  std::uint64_t given_up_ = 0;  // work up to that number is not done; of the thread alone
  std::uint64_t number_ = next_number();
  std::thread thread_;  // the last member: it uses the others
  std::thread::id id_;
};

}  // namespace weft::cuda
