// How independent pieces of work are run: one after another, or by a pool of threads. Results never
// depend on which.
#pragma once

#include <cstddef>
#include <functional>

namespace weft {

// Calls task(0) ... task(count - 1), each once, in any order, and returns when all have ended.
using TaskRunner =
    std::function<void(std::size_t count, const std::function<void(std::size_t)>& task)>;

inline void run_in_order(std::size_t count, const std::function<void(std::size_t)>& task) {
  for (std::size_t i = 0; i < count; ++i) task(i);
}

// By the runner, or one after another where there is none.
inline void run_tasks(const TaskRunner* runner, std::size_t count,
                      const std::function<void(std::size_t)>& task) {
  runner == nullptr || count < 2 ? run_in_order(count, task) : (*runner)(count, task);
}

}  // namespace weft
