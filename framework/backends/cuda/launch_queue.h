// Work that a thread of its own hands to a driver, in the order in which it was posted. A launch
// keeps its caller for microseconds, and an update of few words is hundreds of calls: the caller
// works out the next ones meanwhile.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
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

  // From any thread; at once where work posts work. Throws the error of earlier work, with which
  // all that was posted before the throw is given up.
  void post(std::function<void()> work) {
    if (is_at_work()) return work();
    bool sleeps = false;
    {
      const std::lock_guard lock(mutex_);
      throw_error();
      waiting_.push_back(std::move(work));
      ++posted_;
      sleeps = sleeps_;
    }
    if (sleeps) posted_more_.notify_one();
  }

  // Until all that was posted is done or given up.
  void wait() const {
    if (is_at_work()) return;
    const std::uint64_t wanted = posted_;
    for (int turn = 0; done_ < wanted; ++turn) {
      if (turn > kQuickTurns) std::this_thread::yield();
    }
  }
  // Waits, and throws the error of that work.
  void finish() {
    wait();
    const std::lock_guard lock(mutex_);
    throw_error();
  }

 private:
  static constexpr int kQuickTurns = 1000;
  // Longer than the gaps between the launches of a step, and short beside the time that a sleeping
  // thread takes to wake up.
  static constexpr std::chrono::microseconds kAwake{300};

  void throw_error() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

  void run(const std::function<void()>& begin) {
    attempt(begin);
    std::vector<std::function<void()>> work;
    while (take(work)) {
      for (const std::function<void()>& one : work) {
        if (done_ >= given_up_) attempt(one);
        ++done_;
      }
      work.clear();
    }
  }

  // Behind an error all that was posted by then is given up: it relies on the work that failed.
  void attempt(const std::function<void()>& work) {
    try {
      work();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      error_ = std::current_exception();
      given_up_ = posted_;
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
  std::exception_ptr error_;
  bool sleeps_ = false;
  std::atomic<bool> ends_ = false;
  std::atomic<std::uint64_t> posted_ = 0, done_ = 0;
  std::uint64_t given_up_ = 0;  // work with a smaller number is not done; of the thread alone
  std::thread thread_;          // the last member: it uses the others
  std::thread::id id_;
};

}  // namespace weft::cuda
