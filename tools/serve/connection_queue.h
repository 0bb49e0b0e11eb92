// Threads for connections: one for each that is open, up to a number. The next ones wait, and then
// the system keeps those that come.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include <httplib.h>

namespace weft::tools {

class ConnectionQueue : public httplib::TaskQueue {
 public:
  // `waiting` is kept up to date: connections that no thread has taken yet.
  ConnectionQueue(std::size_t threads, std::atomic<std::size_t>& waiting)
      : most_(threads), waiting_(waiting) {}
  ~ConnectionQueue() override { shutdown(); }
  ConnectionQueue(const ConnectionQueue&) = delete;
  ConnectionQueue& operator=(const ConnectionQueue&) = delete;

  // Blocks, and with it the accepting of connections, while as many wait as may be open.
  void enqueue(std::function<void()> serve) override;
  // Returns when all that were accepted are served.
  void shutdown() override;

 private:
  void start_thread();
  void work();

  std::size_t most_;  // threads, and connections that wait for one
  std::atomic<std::size_t>& waiting_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> connections_;
  std::vector<std::thread> threads_;  // started as they are needed
  std::size_t idle_ = 0;
  bool ends_ = false;
};

}  // namespace weft::tools
