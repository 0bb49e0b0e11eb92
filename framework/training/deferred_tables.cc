#include "framework/training/deferred_tables.h"

#include <algorithm>

namespace weft {

// Tables may live on, without the moments.
DeferredTables::~DeferredTables() {
  finish(run_in_order);
  for (const auto& [_, deferred] : all_) deferred->release();
}

DeferredTable& DeferredTables::of(Parameter& table) {
  std::shared_ptr<DeferredTable>& own = all_[&table];
  if (!own) own = std::make_shared<DeferredTable>();
  // Another optimizer has left rows to later steps of its own.
  if (table.deferred && table.deferred != own) table.deferred->change_all();
  table.deferred = own;
  return *own;
}

void DeferredTables::start(const std::vector<DeferredTable*>& tables) {
  turns_.clear();
  rows_ = 0;
  for (DeferredTable* table : tables) {
    std::int64_t& first = next_turns_[table];
    const std::int64_t rows = table->rows(), count = (rows + kStepsOfRound - 1) / kStepsOfRound;
    if (first >= rows) first = 0;  // it has fewer than it had
    turns_.push_back({table, first, count});
    rows_ += count;
    first = (first + count) % rows;
  }
  next_ = 0;
  if (rows_ > 0) pool_.while_idle(*this);
}

bool DeferredTables::change_row(std::int64_t i) {
  for (const Turn& turn : turns_) {
    if (i < turn.count) {
      const std::int64_t row = (turn.first + i) % turn.table->rows();
      turn.table->fetch(row + 1);
      turn.table->change_unclaimed(row);
      return true;
    }
    i -= turn.count;
  }
  return false;
}

void DeferredTables::end(const TaskRunner& run) {
  if (turns_.empty()) return;
  constexpr std::int64_t kRowsOfTask = 16;
  pool_.end_idle_work();
  const FlushDenormals flush;
  const std::int64_t first = std::min<std::int64_t>(next_, rows_);
  const std::int64_t tasks = (rows_ - first + kRowsOfTask - 1) / kRowsOfTask;
  run(static_cast<std::size_t>(tasks), [&](std::size_t task) {
    const std::int64_t begin = first + static_cast<std::int64_t>(task) * kRowsOfTask;
    const std::int64_t end = std::min(begin + kRowsOfTask, rows_);
    const RowsProfile profile =
        turns_.front().table->profile_of(static_cast<std::size_t>(end - begin));
    for (std::int64_t i = begin; i < end; ++i) change_row(i);
  });
  turns_.clear();
}

void DeferredTables::finish(DeferredTable& table, const TaskRunner& run) {
  if (!table.waits()) return;
  constexpr std::int64_t kRowsOfTask = 64;
  const FlushDenormals flush;
  const std::int64_t rows = table.rows();
  run(static_cast<std::size_t>((rows + kRowsOfTask - 1) / kRowsOfTask), [&](std::size_t task) {
    const std::int64_t begin = static_cast<std::int64_t>(task) * kRowsOfTask;
    const std::int64_t end = std::min(begin + kRowsOfTask, rows);
    const RowsProfile profile = table.profile_of(static_cast<std::size_t>(end - begin));
    for (std::int64_t row = begin; row < end; ++row) table.change_unclaimed(row);
  });
  table.change_all();  // as it is now
}

void DeferredTables::finish(const TaskRunner& run) {
  end(run);
  for (const auto& [_, table] : all_) finish(*table, run);
}

}  // namespace weft
