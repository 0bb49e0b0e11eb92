// Tasks from the last one to the first, as threads could take them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>

#include "framework/tensor/task_runner.h"

namespace weft {

struct BackwardsTasks {
  BackwardsTasks() = default;
  BackwardsTasks(const BackwardsTasks&) = delete;
  BackwardsTasks& operator=(const BackwardsTasks&) = delete;

  std::size_t most = 0;  // tasks of a round
  TaskRunner runner = [this](std::size_t count, const std::function<void(std::size_t)>& task) {
    most = std::max(most, count);
    for (std::size_t i = count; i-- > 0;) task(i);
  };
};

}  // namespace weft
