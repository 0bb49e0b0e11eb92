// How far threads could share the work of a pass: the rounds of tasks that it gives to the worker
// pool, measured on one thread.
//
//   WorkRecord record({4, 16});
//   { const WorkRecordScope scope(record); nlp.update(batch, {.threads = 1}); }
//   record.seconds() / record.expected()[1]  // the speed-up to expect of 16 threads
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "registry/base/export.h"

namespace weft {

// Belongs to the thread that has the scope. Nothing that passes between threads is in it: waking
// them, rounds too short to be shared, and memory that all wait for cost more. Nor is the time that
// it takes itself: of short ops and tasks that would be a tenth.
class WEFT_API WorkRecord {
 public:
  using Clock = std::chrono::steady_clock;

  // `threads`: numbers, from 1 on, for which times are worked out. `now` is another clock in tests.
  explicit WorkRecord(std::vector<int> threads,
                      std::function<Clock::time_point()> now = Clock::now);
  ~WorkRecord();
  WorkRecord(const WorkRecord&) = delete;
  WorkRecord& operator=(const WorkRecord&) = delete;

  // While it lives, `count` tasks are run that any threads could take. Only if this thread records.
  class WEFT_API RoundScope {
   public:
    explicit RoundScope(std::size_t count);
    ~RoundScope();
    RoundScope(const RoundScope&) = delete;
    RoundScope& operator=(const RoundScope&) = delete;

   private:
    WorkRecord* record_;
  };
  // While it lives, one task of the round is run.
  class WEFT_API TaskScope {
   public:
    TaskScope();
    ~TaskScope();
    TaskScope(const TaskScope&) = delete;
    TaskScope& operator=(const TaskScope&) = delete;

   private:
    WorkRecord* record_;
  };
  // While it lives, this thread does the work of a profile, which is left out.
  class WEFT_API WatchScope {
   public:
    WatchScope();
    ~WatchScope();
    WatchScope(const WatchScope&) = delete;
    WatchScope& operator=(const WatchScope&) = delete;

   private:
    WorkRecord* record_;
    Clock::time_point start_;
  };
  // An op has taken `time` until now. See OpProfile::add.
  static void add_op(std::string_view layer, std::string_view op, Clock::duration time);

  // ---- once the scope has ended; seconds
  // Of everything, on one thread.
  double seconds() const { return seconds_; }
  // Of that outside of all rounds of two tasks and more: one thread works, the others wait.
  double single() const { return single_; }
  // The part of `single` in which no op is run.
  double single_outside_of_ops() const { return single_ - single_in_ops_; }
  // Of everything with as many threads as each of `threads` says: a round of at least as many tasks
  // gives each thread one after the other, as they get free; of fewer tasks, each gets its share of
  // the threads for the rounds that it opens.
  const std::vector<double>& expected() const { return expected_; }
  // Of an op in a layer, divided by the tasks of the rounds that it runs in.
  struct OpTime {
    double undivided = 0;  // outside of the rounds that it opens: however many threads there are
    double with_most = 0;  // with as many threads as the last of `threads`
  };
  // By layer and op.
  const std::map<std::pair<std::string, std::string>, OpTime>& ops() const { return ops_; }

 private:
  friend class WorkRecordScope;
  struct Round;
  struct Task;
  struct Frame;

  void start();
  void stop();
  void open_round(std::size_t count);
  void close_round();
  void open_task();
  void close_task();

  std::vector<int> threads_;
  std::function<Clock::time_point()> now_;
  std::vector<double> expected_;
  std::map<std::pair<std::string, std::string>, OpTime> ops_;
  double seconds_ = 0, single_ = 0, single_in_ops_ = 0;
  std::unique_ptr<Task> root_;  // all that is outside of rounds; of these the last has its tasks
  std::vector<Frame> frames_;   // the tasks that are running, each within the one before
};

// From now on this thread records its rounds, until the scope ends. `record` outlives it. One at a
// time on a thread.
class WEFT_API WorkRecordScope {
 public:
  explicit WorkRecordScope(WorkRecord& record);
  ~WorkRecordScope();
  WorkRecordScope(const WorkRecordScope&) = delete;
  WorkRecordScope& operator=(const WorkRecordScope&) = delete;
};

}  // namespace weft
