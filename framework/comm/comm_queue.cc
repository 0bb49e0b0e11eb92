#include "framework/comm/comm_queue.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

namespace weft {
namespace {

// How often transfers under way are looked at: at first, and once nothing has come for a while.
// Ranks that do not wait for each other have some under way all the time.
constexpr std::chrono::microseconds kLook{50}, kLongestLook{1000};

}  // namespace

void CommQueue::check_order(const Work::State& work) {
  const auto size = static_cast<std::size_t>(engine->size());
  std::vector<std::uint64_t> all(size);
  const std::vector<std::size_t> bytes(size, sizeof(std::uint64_t));
  engine->all_gather_v(&work.signature, all.data(), bytes);
  const auto other = std::find_if(all.begin(), all.end(), [&](auto s) { return s != all.front(); });
  if (other == all.end()) return;
  throw Error(ErrorKind::internal,
              fmt::format("ranks 0 and {} are not at the same collective; this rank called {}",
                          other - all.begin(), work.what));
}

void CommQueue::carry_out(Work::State& work) {
  if (options.check_order) check_order(work);
  work.operation(*engine);
}

std::exception_ptr CommQueue::explained(std::exception_ptr error) {
  const std::string reason = engine->reason_of_abort();
  return reason.empty() ? std::move(error) : std::make_exception_ptr(PeerLost(reason));
}

void CommQueue::finish(const std::shared_ptr<Work::State>& work, std::exception_ptr error) {
  work->is_over = true;
  work->error = std::move(error);
  work->keep.reset();
  work->operation = nullptr;
  work->transfer.reset();
  changed.notify_all();
}

// Whether some have ended.
bool CommQueue::look_at_transfers(std::unique_lock<std::mutex>& lock) {
  bool have_ended = false;
  std::vector<std::shared_ptr<Work::State>> all = std::move(under_way);
  under_way.clear();
  for (const auto& work : all) {
    std::exception_ptr error;
    bool is_done = false;
    lock.unlock();
    try {
      is_done = work->transfer->is_done();
    } catch (...) {
      error = explained(std::current_exception());
    }
    lock.lock();
    if (is_done || error) {
      finish(work, error);
      have_ended = true;
    } else {
      under_way.push_back(work);
    }
  }
  return have_ended;
}

void CommQueue::run() {
  std::unique_lock lock(mutex);
  std::chrono::microseconds look = kLook;
  while (true) {
    look = look_at_transfers(lock) ? kLook : std::min(2 * look, kLongestLook);
    const auto has_news = [this] { return must_end || !waiting.empty(); };
    if (!under_way.empty()) {
      changed.wait_for(lock, look, has_news);
    } else {
      changed.wait(lock, has_news);
    }
    if (waiting.empty()) {
      if (must_end) break;
      continue;
    }
    look = kLook;
    const std::shared_ptr<Work::State> work = waiting.front();
    waiting.pop_front();
    std::exception_ptr error;
    lock.unlock();
    try {
      if (work->begin) {
        work->transfer = work->begin(*engine);
      } else {
        carry_out(*work);
      }
    } catch (...) {
      error = explained(std::current_exception());
    }
    lock.lock();
    if (work->begin && !error) {
      under_way.push_back(work);
    } else {
      finish(work, error);
    }
  }
  // The engine goes before the end is told: its store may have the others to answer (StoreServer),
  // and the program ends afterwards. Messages under way, that nobody waited for, need it for as
  // long as they live.
  if (under_way.empty()) {
    std::unique_ptr<CommEngine> last = std::move(engine);
    lock.unlock();
    last.reset();
    lock.lock();
  }
  has_ended = true;
  changed.notify_all();
}

}  // namespace weft
