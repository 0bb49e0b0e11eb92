// The rows of tables that steps leave for later: of a batch of 100 words the optimizer would be a
// quarter of a step, most of it rows that no word of the batch uses. A part of each table has its
// turn in each step, by threads that would wait otherwise where there are any. For the optimizer's
// own sources alone.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "framework/nn/parameter.h"
#include "framework/pipeline/idle_work.h"
#include "framework/pipeline/worker_pool.h"
#include "framework/tensor/task_runner.h"
#include "framework/training/deferred_table.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API DeferredTables final : public IdleWork {
 public:
  // Steps until all rows have had their turn. The more, the longer a row stays in the caches while
  // its steps are made, and the longer a reader of all rows has to wait.
  static constexpr std::int64_t kStepsOfRound = 64;

  // The pool outlives it.
  explicit DeferredTables(WorkerPool& pool) : pool_(pool) {}
  ~DeferredTables() override;

  // That of the table, whose readers know of it from then on.
  DeferredTable& of(Parameter& table);
  // These have begun a step, and their touched rows are changed: a part of the others has its turn.
  void start(const std::vector<DeferredTable*>& tables);
  // When this returns, that part is changed, and threads of the pool are at none.
  void end(const TaskRunner& run);
  // When this returns, all rows of the table are changed. Between `end` and `start`.
  static void finish(DeferredTable& table, const TaskRunner& run);
  // The same of all tables, at any time between steps.
  void finish(const TaskRunner& run);

  // A row: some microseconds, as long as a task of the pool may wait for it.
  bool do_piece() noexcept override { return change_row(next_++); }

 private:
  // Rows that have their turn; those behind the end of the table are at its begin.
  struct Turn {
    DeferredTable* table;
    std::int64_t first, count;
  };

  // False: there are fewer.
  bool change_row(std::int64_t i);

  WorkerPool& pool_;
  std::map<const Parameter*, std::shared_ptr<DeferredTable>> all_;
  std::map<const DeferredTable*, std::int64_t> next_turns_;  // where they begin
  std::vector<Turn> turns_;                                  // of this step
  std::int64_t rows_ = 0;                                    // of these
  std::atomic<std::int64_t> next_ = 0;
};

}  // namespace weft
