// A table whose rows make a step one after the other, by several threads and in any order: those
// that have a gradient at once, the rest some steps later, or when they are read. A row is then
// changed by all steps that it has missed, while the caches hold it. For the optimizer's own
// sources alone.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "framework/nn/deferred_rows.h"
#include "framework/ops/fading_steps.h"
#include "framework/ops/optimizer_arrays.h"
#include "framework/ops/optimizer_step.h"
#include "framework/tensor/stream.h"
#include "framework/tensor/tensor.h"
#include "framework/training/optimizer.h"
#include "framework/training/rows_profile.h"
#include "registry/base/export.h"

namespace weft {

// Whether rows without a gradient can be changed some time after those that have one: where its
// layer says so, of a table in f32 with two moments, where they are most rows and no average
// follows. Null: none has one.
WEFT_API bool can_wait(const Parameter& table, const OptimizerState& state,
                       const RowGradient* gradient);

class WEFT_API DeferredTable final : public DeferredRows {
 public:
  // All (rows, width) in f32.
  struct Arrays {
    Tensor weights, mom1, mom2;
  };
  // A further step; rows that missed earlier ones wait for this one too. Where it is one of other
  // arrays or by another rule, or the earlier ones are too many to be kept, all rows are changed
  // first. `scalars` have no L2 term. Nobody reads rows meanwhile.
  void begin(Arrays arrays, StepRule rule, const StepScalars& scalars);
  // The rows that have a gradient in this step, (rows, width), each once. Nobody reads rows.
  void change_touched(std::span<const std::int32_t> rows, const float* gradient);

  // Changes all rows, and forgets the arrays.
  void release() {
    change_all();
    arrays_ = {};
  }

  // Whether some rows may have missed steps.
  bool waits() const { return waits_.load(std::memory_order_acquire); }
  std::int64_t rows() const { return rows_; }
  // By the steps that it has missed, unless another thread is at it. In a thread that flushes
  // denormal numbers, as the steps themselves.
  void change_unclaimed(std::int64_t row);
  // For some rows that are changed so while it lives.
  RowsProfile profile_of(std::size_t rows) const;
  // Has the caches fetch a row that is to be changed soon. Any number.
  void fetch(std::int64_t row) const;
  void change(std::span<const std::int32_t> rows, const TaskRunner* tasks) override;
  void change_all() override;

 private:
  // Steps since `begin` found no row waiting; the first number is ahead while a thread is at it.
  struct RowSteps {
    std::atomic<std::uint16_t> claimed = 0, made = 0;
  };
  static constexpr std::size_t kMostSteps = FadingSteps::kMostSteps;
  static_assert(kMostSteps <= std::numeric_limits<std::uint16_t>::max());

  bool is_current(std::int64_t row) const {
    return all_[static_cast<std::size_t>(row)].made.load(std::memory_order_acquire) ==
           steps_.size();
  }
  void change_unclaimed_of(std::span<const std::int32_t> rows);
  void wait_for(std::int64_t row) const;
  double bytes_of(std::size_t rows) const;
  View at(const Tensor& array, std::int64_t row) const;
  void make_steps(std::int64_t row, std::size_t begin, std::size_t end) const;

  Arrays arrays_;
  StepRule rule_ = StepRule::adam;
  std::vector<StepScalars> steps_;
  FadingSteps fading_;              // all of these
  std::shared_ptr<Stream> stream_;  // of the host
  std::int64_t rows_ = 0, width_ = 0;
  std::unique_ptr<RowSteps[]> all_;
  std::atomic<bool> waits_ = false;
};

}  // namespace weft
