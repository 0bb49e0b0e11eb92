#include "tools/serve/connection_queue.h"

#include <new>
#include <system_error>
#include <utility>

namespace weft::tools {

void ConnectionQueue::enqueue(std::function<void()> serve) {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return connections_.size() < most_; });
  connections_.push_back(std::move(serve));
  waiting_ = connections_.size();
  if (idle_ < connections_.size() && threads_.size() < most_) start_thread();
  changed_.notify_all();
}

// Where the system has no further thread, the connection waits for one of those that are there, as
// it does beyond the most of them; the next connection tries again.
void ConnectionQueue::start_thread() {
  try {
    threads_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
  } catch (const std::bad_alloc&) {
  }
}

void ConnectionQueue::shutdown() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ends_ = true;
    changed_.notify_all();
  }
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

void ConnectionQueue::work() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    ++idle_;
    changed_.wait(lock, [this] { return ends_ || !connections_.empty(); });
    --idle_;
    if (connections_.empty()) return;
    const std::function<void()> serve = std::move(connections_.front());
    connections_.pop_front();
    waiting_ = connections_.size();
    changed_.notify_all();
    lock.unlock();
    serve();
    lock.lock();
  }
}

}  // namespace weft::tools
