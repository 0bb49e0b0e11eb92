// Rows of a table that the last steps of training have yet to change. A batch uses few rows, and
// those that it leaves alone decay all the same: a reader has a row changed first, by all the steps
// that it has missed. The numbers are those of steps that change all rows at once.
#pragma once

#include <cstdint>
#include <span>

#include "framework/tensor/task_runner.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API DeferredRows {
 public:
  virtual ~DeferredRows() = default;
  // When this returns, these rows are as the steps leave them. By any thread, beside others;
  // `tasks`, where there are any, lend it more of them.
  virtual void change(std::span<const std::int32_t> rows, const TaskRunner* tasks) = 0;
  // The same of all rows.
  virtual void change_all() = 0;
};

}  // namespace weft
