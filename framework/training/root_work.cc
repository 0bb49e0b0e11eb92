#include "framework/training/root_work.h"

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

namespace weft {
namespace {

constexpr std::uint8_t kBusy = 0, kDone = 1;

std::uint8_t broadcast_sign(Communicator& comm, std::uint8_t sign) {
  auto shared = std::make_shared<std::uint8_t>(sign);
  comm.broadcast({shared.get(), 1, DType::u8}, 0, shared).wait();
  return *shared;
}

// Gives signs from a thread of its own until it is destroyed.
class Signs {
 public:
  explicit Signs(Communicator& comm)
      : comm_(comm),
        pause_(std::min(comm.deadline() / 4, std::chrono::milliseconds(5000))),
        thread_([this] { give(); }) {}
  ~Signs() { end(); }
  Signs(const Signs&) = delete;
  Signs& operator=(const Signs&) = delete;

  // Throws where a sign could not be given.
  void stop() {
    end();
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void give() {
    std::unique_lock lock(mutex_);
    while (!news_.wait_for(lock, pause_, [this] { return must_end_; })) {
      lock.unlock();
      try {
        broadcast_sign(comm_, kBusy);
      } catch (...) {
        error_ = std::current_exception();
        return;
      }
      lock.lock();
    }
  }
  void end() {
    {
      const std::lock_guard lock(mutex_);
      must_end_ = true;
      news_.notify_all();
    }
    if (thread_.joinable()) thread_.join();
  }

  Communicator& comm_;
  std::chrono::milliseconds pause_;
  std::mutex mutex_;
  std::condition_variable news_;
  bool must_end_ = false;
  std::exception_ptr error_;
  std::thread thread_;
};

}  // namespace

void do_on_root(Communicator& comm, const std::function<void()>& work) {
  if (!comm.is_root()) {
    while (broadcast_sign(comm, kBusy) == kBusy) {
    }
    return;
  }
  {
    Signs signs(comm);
    work();
    signs.stop();
  }
  broadcast_sign(comm, kDone);
}

}  // namespace weft
