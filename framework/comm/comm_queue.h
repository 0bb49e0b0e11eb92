// The operations that a communicator was asked for, and the thread that carries them out one after
// the other. Private to framework/comm.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "framework/comm/communicator.h"

namespace weft {

struct Work::State {
  const char* what = "";
  std::function<void(CommEngine&)> operation;                   // a collective
  std::function<std::unique_ptr<Transfer>(CommEngine&)> begin;  // or a message
  std::unique_ptr<Transfer> transfer;
  std::uint64_t signature = 0;
  Communicator::Keep keep;
  std::shared_ptr<CommQueue> queue;
  bool is_over = false;
  std::exception_ptr error;
};

// Shared with the thread, which goes on alone where an operation never ends.
struct CommQueue {
  std::unique_ptr<CommEngine> engine;
  CommOptions options;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::shared_ptr<Work::State>> waiting;
  std::vector<std::shared_ptr<Work::State>> under_way;  // messages
  bool must_end = false;
  bool has_ended = false;
  std::string aborted;  // the reason, once the run was given up
  std::atomic<std::uint64_t> bytes_sent = 0;
  std::atomic<std::int64_t> waited_ns = 0;

  void run();
  void carry_out(Work::State& work);
  void check_order(const Work::State& work);
  void finish(const std::shared_ptr<Work::State>& work, std::exception_ptr error);
  bool look_at_transfers(std::unique_lock<std::mutex>& lock);
  // With the reason that a rank gave for giving up, where there is one.
  std::exception_ptr explained(std::exception_ptr error);
};

}  // namespace weft
