// Waiting for what was started.
#include <chrono>
#include <exception>

#include <fmt/format.h>

#include "framework/comm/comm_queue.h"

namespace weft {

bool Work::is_done() const {
  const std::lock_guard lock(state_->queue->mutex);
  return state_->is_over;
}

void Work::wait() const {
  std::unique_lock lock(state_->queue->mutex);
  const auto deadline = state_->queue->options.deadline;
  lock.unlock();
  wait(deadline);
}

void Work::wait(std::chrono::milliseconds deadline) const {
  CommQueue& queue = *state_->queue;
  const auto start = std::chrono::steady_clock::now();
  std::unique_lock lock(queue.mutex);
  const bool in_time = queue.changed.wait_for(
      lock, deadline, [&] { return state_->is_over || !queue.aborted.empty(); });
  queue.waited_ns += std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count();
  if (state_->is_over) {
    if (state_->error) std::rethrow_exception(state_->error);
    return;
  }
  if (!queue.aborted.empty()) throw PeerLost(queue.aborted);
  if (!in_time) {
    throw TimedOut(
        fmt::format("rank {} ({}): no answer in {:.3g} seconds to a {}: another rank or "
                    "the network has stopped",
                    queue.engine->rank(), host_name(),
                    std::chrono::duration<double>(deadline).count(), state_->what));
  }
}

}  // namespace weft
