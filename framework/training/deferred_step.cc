#include "framework/training/deferred_step.h"

#include <algorithm>
#include <utility>

namespace weft {

// Tables may live on, without the moments.
DeferredStep::~DeferredStep() {
  finish(run_in_order);
  for (const auto& [_, step] : all_) step->release();
}

TableStep& DeferredStep::of(Parameter& table) {
  std::shared_ptr<TableStep>& step = all_[&table];
  if (!step) step = std::make_shared<TableStep>();
  table.deferred = step;
  return *step;
}

void DeferredStep::start(std::vector<TableStep*> tables) {
  tables_ = std::move(tables);
  pieces_ = 0;
  for (const TableStep* table : tables_) pieces_ += table->pieces();
  next_ = 0;
  if (pieces_ > 0) pool_.while_idle(*this);
}

bool DeferredStep::change_piece(std::size_t i) {
  for (TableStep* table : tables_) {
    if (i < table->pieces()) {
      table->change_piece(i);
      return true;
    }
    i -= table->pieces();
  }
  return false;
}

void DeferredStep::finish(const TaskRunner& run) {
  if (tables_.empty()) return;
  constexpr std::size_t kPiecesOfTask = 8;
  pool_.end_idle_work();
  const FlushDenormals flush;
  const std::size_t first = std::min<std::size_t>(next_, pieces_);
  run((pieces_ - first + kPiecesOfTask - 1) / kPiecesOfTask, [&](std::size_t task) {
    const std::size_t begin = first + task * kPiecesOfTask;
    for (std::size_t i = begin; i < std::min(begin + kPiecesOfTask, pieces_); ++i) change_piece(i);
  });
  for (TableStep* table : tables_) table->change_all();
  tables_.clear();
  constexpr int kFirstRest = 8, kLongestRest = 128;
  const bool paid = (pieces_ - first) * 4 < pieces_;
  last_rest_ = paid ? 0 : std::clamp(2 * last_rest_, kFirstRest, kLongestRest);
  rest_ = last_rest_;
}

}  // namespace weft
