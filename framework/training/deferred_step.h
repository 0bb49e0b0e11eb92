// The rows of tables that a step leaves for threads that would wait otherwise: of a batch of 100
// words the optimizer is a quarter of a step, most of it rows that no word of the batch uses. For
// the optimizer's own sources alone.
#pragma once

#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <vector>

#include "framework/nn/parameter.h"
#include "framework/pipeline/idle_work.h"
#include "framework/pipeline/worker_pool.h"
#include "framework/tensor/task_runner.h"
#include "framework/training/table_step.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API DeferredStep final : public IdleWork {
 public:
  // The pool outlives it.
  explicit DeferredStep(WorkerPool& pool) : pool_(pool) {}
  ~DeferredStep() override;

  // That of the table, whose readers know of it from then on.
  TableStep& of(Parameter& table);
  // Whether threads waited long enough of late to change most of the rows that were left to them:
  // where a batch keeps them busy, to change all at once is faster.
  bool pays() { return rest_ == 0 || --rest_ == 0; }
  // These have begun, and their touched rows are changed.
  void start(std::vector<TableStep*> tables);
  // When this returns, all rows are changed.
  void finish(const TaskRunner& run);

  bool do_piece() noexcept override { return change_piece(next_++); }

 private:
  // False: there are fewer.
  bool change_piece(std::size_t i);

  WorkerPool& pool_;
  std::map<const Parameter*, std::shared_ptr<TableStep>> all_;
  std::vector<TableStep*> tables_;  // of this step
  std::size_t pieces_ = 0;          // of these
  std::atomic<std::size_t> next_ = 0;
  int rest_ = 0, last_rest_ = 0;  // steps until it is tried again
};

}  // namespace weft
