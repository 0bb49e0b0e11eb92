#include "framework/training/deferred_table.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "framework/ops/kernel.h"
#include "framework/pipeline/worker_pool.h"

namespace weft {
namespace {

// That a batch reads and that wait: another thread has to begin before this one has ended.
constexpr std::size_t kRowsOfTask = 16;

}  // namespace

bool can_wait(const Parameter& table, const OptimizerState& state, const RowGradient* gradient) {
  const Tensor& weights = table.value;
  if (!table.may_be_deferred || weights.shape().rank() != 2 || weights.size() == 0) return false;
  if (!state.mom1 || !state.mom2 || state.average) return false;
  if (gradient != nullptr && gradient->type() != DType::f32) return false;
  for (const Tensor* array : {&weights, &state.mom1, &state.mom2}) {
    if (array->dtype() != DType::f32) return false;
  }
  return gradient == nullptr ||
         static_cast<std::int64_t>(gradient->rows().size()) * 2 <= weights.dim(0);
}

void DeferredTable::begin(Arrays arrays, StepRule rule, const StepScalars& scalars) {
  const bool goes_on = rule == rule_ && steps_.size() < kMostSteps &&
                       arrays.weights.cview().data == arrays_.weights.cview().data &&
                       arrays.mom1.cview().data == arrays_.mom1.cview().data &&
                       arrays.mom2.cview().data == arrays_.mom2.cview().data;
  if (!goes_on) change_all();
  arrays_ = std::move(arrays);
  rule_ = rule;
  if (!stream_) stream_ = std::make_shared<Stream>();
  if (!waits()) {
    steps_.clear();
    fading_ = {};
    width_ = arrays_.weights.dim(1);
    if (rows_ != arrays_.weights.dim(0)) {
      const std::int64_t rows = arrays_.weights.dim(0);
      all_ = std::make_unique<RowSteps[]>(static_cast<std::size_t>(rows));
      rows_ = rows;
    }
    for (RowSteps& row : std::span(all_.get(), static_cast<std::size_t>(rows_))) {
      row.claimed.store(0, std::memory_order_relaxed);
      row.made.store(0, std::memory_order_relaxed);
    }
  }
  steps_.push_back(scalars);
  fading_.add(scalars);
  waits_.store(true, std::memory_order_release);
}

View DeferredTable::at(const Tensor& array, std::int64_t row) const {
  return {const_cast<float*>(array.data<float>()) + row * width_, DType::f32, {width_}};
}

// By those of `steps_` from `begin` to `end`.
void DeferredTable::make_steps(std::int64_t row, std::size_t begin, std::size_t end) const {
  auto* const run = rule_ == StepRule::adam ? kernel_of<AdamWithoutGradient>(DeviceKind::cpu)
                                            : kernel_of<MomentumWithoutGradient>(DeviceKind::cpu);
  run(*stream_, at(arrays_.weights, row), at(arrays_.mom1, row), at(arrays_.mom2, row),
      std::span(std::as_const(steps_)).subspan(begin, end - begin), fading_);
}

// Rows lie anywhere, and to wait for their numbers would be a third of the time of their steps.
void DeferredTable::fetch(std::int64_t row) const {
  constexpr std::int64_t kLine = 16;  // numbers
  if (row >= rows_) return;
  for (const Tensor* array : {&arrays_.weights, &arrays_.mom1, &arrays_.mom2}) {
    const float* numbers = array->data<float>() + row * width_;
    for (std::int64_t i = 0; i < width_; i += kLine) __builtin_prefetch(numbers + i);
  }
}

double DeferredTable::bytes_of(std::size_t rows) const {
  constexpr std::size_t kArrays = 3;
  return static_cast<double>(rows * kArrays * sizeof(float)) * static_cast<double>(width_);
}

RowsProfile DeferredTable::profile_of(std::size_t rows) const {
  return {rule_ == StepRule::adam ? AdamWithoutGradient::name : MomentumWithoutGradient::name,
          bytes_of(rows)};
}

void DeferredTable::change_touched(std::span<const std::int32_t> rows, const float* gradient) {
  const auto now = static_cast<std::uint16_t>(steps_.size());
  auto* const run = rule_ == StepRule::adam ? kernel_of<AdamStep>(DeviceKind::cpu)
                                            : kernel_of<MomentumStep>(DeviceKind::cpu);
  const RowsProfile profile(rule_ == StepRule::adam ? AdamStep::name : MomentumStep::name,
                            bytes_of(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::int32_t row = rows[i];
    if (i + 1 < rows.size()) fetch(rows[i + 1]);
    RowSteps& steps = all_[static_cast<std::size_t>(row)];
    const std::size_t made = steps.made.load(std::memory_order_relaxed);
    if (made + 1 < now) make_steps(row, made, now - 1U);
    run(*stream_, at(arrays_.weights, row), ConstView(gradient, DType::f32, {width_}),
        at(arrays_.mom1, row), at(arrays_.mom2, row), steps_.back());
    gradient += width_;
    steps.claimed.store(now, std::memory_order_relaxed);
    steps.made.store(now, std::memory_order_relaxed);
  }
}

void DeferredTable::change_unclaimed(std::int64_t row) {
  RowSteps& steps = all_[static_cast<std::size_t>(row)];
  const auto now = static_cast<std::uint16_t>(steps_.size());
  std::uint16_t from = steps.claimed.load(std::memory_order_relaxed);
  if (from == now || !steps.claimed.compare_exchange_strong(from, now)) return;
  make_steps(row, from, now);
  steps.made.store(now, std::memory_order_release);
}

// Another thread is at it.
void DeferredTable::wait_for(std::int64_t row) const {
  while (!is_current(row)) std::this_thread::yield();
}

// The next one is fetched meanwhile.
void DeferredTable::change_unclaimed_of(std::span<const std::int32_t> rows) {
  const FlushDenormals flush;
  const RowsProfile profile = profile_of(rows.size());
  fetch(rows.front());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i + 1 < rows.size()) fetch(rows[i + 1]);
    change_unclaimed(rows[i]);
  }
}

// Of words that are used again most rows are as they should be.
void DeferredTable::change(std::span<const std::int32_t> rows, const TaskRunner* tasks) {
  if (!waits()) return;
  std::vector<std::int32_t> waiting;
  for (const std::int32_t row : rows) {
    if (!is_current(row)) waiting.push_back(row);
  }
  const std::size_t pieces = (waiting.size() + kRowsOfTask - 1) / kRowsOfTask;
  run_tasks(tasks, pieces, [&](std::size_t piece) {
    const std::size_t begin = piece * waiting.size() / pieces;
    const std::size_t end = (piece + 1) * waiting.size() / pieces;
    change_unclaimed_of(std::span(waiting).subspan(begin, end - begin));
  });
  for (const std::int32_t row : waiting) wait_for(row);  // a turn may be at it
}

void DeferredTable::change_all() {
  if (!waits()) return;
  const FlushDenormals flush;
  const RowsProfile profile = profile_of(static_cast<std::size_t>(rows_));
  for (std::int64_t row = 0; row < rows_; ++row) change_unclaimed(row);
  for (std::int64_t row = 0; row < rows_; ++row) wait_for(row);
  waits_.store(false, std::memory_order_release);
}

}  // namespace weft
