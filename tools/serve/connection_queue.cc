#include "tools/serve/connection_queue.h"

#include <utility>

namespace weft::tools {

void ConnectionQueue::enqueue(std::function<void()> serve) {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return connections_.size() < most_; });
  connections_.push_back(std::move(serve));
  waiting_ = connections_.size();
  if (idle_ < connections_.size() && threads_.size() < most_) {
    threads_.emplace_back([this] { work(); });
  }
  changed_.notify_all();
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
