// Rows of a table that the last step of training has yet to change. A batch uses few rows, and
// those that it leaves alone decay all the same: threads change them while they would wait, and
// whoever reads one sooner has it changed first. The numbers are those of a step that changes all
// at once.
#pragma once

#include <cstdint>
#include <span>

#include "registry/base/export.h"

namespace weft {

class WEFT_API DeferredRows {
 public:
  virtual ~DeferredRows() = default;
  // When this returns, these rows are as the step leaves them. By any thread, beside others.
  virtual void change(std::span<const std::int32_t> rows) = 0;
  // The same of all rows.
  virtual void change_all() = 0;
};

}  // namespace weft
