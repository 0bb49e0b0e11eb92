// A stream of a GPU that the host plays: a thread that does one thing after the other.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace weft::testing {

class FakeStream {
 public:
  FakeStream() : thread_([this] { run(); }) {}
  ~FakeStream() {
    {
      const std::scoped_lock lock(mutex_);
      must_end_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  FakeStream(const FakeStream&) = delete;
  FakeStream& operator=(const FakeStream&) = delete;

  void queue(std::function<void()> action) {
    {
      const std::scoped_lock lock(mutex_);
      actions_.push_back(std::move(action));
    }
    changed_.notify_all();
  }
  bool is_idle() {
    const std::scoped_lock lock(mutex_);
    return actions_.empty();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return actions_.empty(); });
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return must_end_ || !actions_.empty(); });
      if (actions_.empty()) return;
      const std::function<void()> action = actions_.front();  // there until it is done
      lock.unlock();
      action();
      lock.lock();
      actions_.pop_front();
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> actions_;
  bool must_end_ = false;
  std::thread thread_;
};

}  // namespace weft::testing
