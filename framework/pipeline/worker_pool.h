// Threads that run the tasks of a batch. Which thread runs which task is never part of a result.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "registry/base/export.h"

namespace weft {

class IdleWork;

class WEFT_API WorkerPool {
 public:
  // `threads` in all, the calling one included; at least 1. Threads start with the first `run` that
  // has use for them.
  explicit WorkerPool(int threads);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  int threads() const;

  // Calls task(0) ... task(count - 1), each once, and returns when all are done. Denormal numbers
  // are flushed to zero meanwhile. If tasks throw, the exception of the one with the lowest number
  // is thrown on. A task may call `run` too: its tasks are shared with threads that have nothing to
  // do; while all are busy they run one after another on the same thread.
  //
  // Between rounds that follow each other soon, threads wait awake, so that a round costs about a
  // microsecond; after a fraction of a millisecond they sleep, and at once where there are more of
  // them than cores.
  void run(std::size_t count, const std::function<void(std::size_t)>& task);

  // Whether threads ever wait awake.
  bool has_idle_threads() const;
  // Threads that wait awake do pieces of it from now on, until none is left or it is taken back.
  // One at a time.
  void while_idle(IdleWork& work);
  // When this returns, no thread is at a piece.
  void end_idle_work();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Flushes denormal numbers to zero on this thread while it lives: decayed moments of the optimizer
// reach them and are up to 100 times slower.
class WEFT_API FlushDenormals {
 public:
  FlushDenormals();
  ~FlushDenormals();
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
  unsigned saved_;
};

// The number of threads to use, at most 1024: `requested` if positive, else WEFT_NUM_THREADS, else
// all cores that this process may run on. Throws Error(usage) where either is out of range.
WEFT_API int choose_threads(int requested);

}  // namespace weft
