// Resources that the passes of shards share while they run.
#pragma once

#include <cstddef>
#include <functional>

#include "framework/tensor/object_pool.h"
#include "framework/tensor/storage.h"
#include "framework/tensor/task_runner.h"

namespace weft {

class PackedWeights;

// Null members: a pass keeps to its own thread; it packs weights for itself; it has scratch memory
// of its own.
struct WorkSharing {
  const TaskRunner* tasks = nullptr;  // uses the threads that would be idle
  PackedWeights* packed = nullptr;
  ObjectPool<Arena>* scratch = nullptr;  // of the host

  // Calls task(0) ... task(count - 1), each once, and returns when all have ended.
  void run(std::size_t count, const std::function<void(std::size_t)>& task) const {
    run_tasks(tasks, count, task);
  }
};

}  // namespace weft
