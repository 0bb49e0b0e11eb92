// Steps in the host's memory: slices of the arrays, which threads may share. For the optimizer's
// own sources alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "framework/nn/weight_copies.h"
#include "framework/training/array_elements.h"
#include "framework/training/deferred_tables.h"
#include "framework/training/gathered_blocks.h"
#include "framework/training/live_blocks.h"
#include "framework/training/optimizer_memory.h"

namespace weft {

class Optimizer::HostMemory final : public Optimizer::Memory {
 public:
  void hold(OptimizerState&) const override {}
  std::vector<BlockSums> squares(Context& ctx, std::span<const ParameterStep> all, const Gradients&,
                                 const TaskRunner& run) const override;
  void step(Context& ctx, const Optimizer& optimizer, std::span<const ParameterStep> all,
            const TaskRunner& run) const override;
  std::vector<StepBounds> try_step(Context& ctx, const Optimizer& optimizer,
                                   std::span<const ParameterStep* const> some,
                                   const TaskRunner& run) const override;
  double bound(Context&, const Tensor& weights) const override { return largest_of(weights); }
  void defer_rows(WorkerPool* pool) override {
    deferred_ = pool != nullptr ? std::make_unique<DeferredTables>(*pool) : nullptr;
  }
  void write_copies(WeightCopies* copies) override { copies_ = copies; }
  void end_turns(const TaskRunner& run) const override {
    if (deferred_) deferred_->end(run);
  }
  void finish(const TaskRunner& run) const override {
    if (deferred_) deferred_->finish(run);
  }
  void swap_average(const NamedParameter& named, OptimizerState& state) const override;

 private:
  struct Slice;
  struct SliceNumbers;
  using SlicePool = ObjectPool<ParameterStep::SliceScratch>;

  // How a step changes an array: all of its numbers, or those alone that it can change.
  class Way;
  class AllNumbers;
  class LiveNumbers;
  class TouchedBlocks;
  class TouchedRows;
  std::unique_ptr<Way> way_of(Context& ctx, const Optimizer& optimizer, const ParameterStep& step,
                              const TaskRunner& run) const;
  std::unique_ptr<Way> way_of_blocks(Context& ctx, const Optimizer& optimizer,
                                     const ParameterStep& step) const;
  DeferredTable* begin_table(const Optimizer& optimizer, const ParameterStep& step,
                             const TaskRunner& run) const;
  View copy_of(const ParameterStep& step) const;
  static bool leaves_zeros(Context& ctx, const Optimizer& optimizer, const ParameterStep& step);
  static bool leaves_untouched(const Optimizer& optimizer, const ParameterStep& step);

  void update(Context& ctx, const Optimizer& optimizer, const Slice& slice,
              SliceNumbers& numbers) const;

  mutable SlicePool pool_;
  mutable ObjectPool<GatheredBlocks> gathered_;
  mutable std::map<const Parameter*, LiveBlocks> live_;
  std::unique_ptr<DeferredTables> deferred_;  // null: all is changed at once
  WeightCopies* copies_ = nullptr;
};

// A slice and all that is kept of it stay in the second cache from the rule to the average.
struct Optimizer::HostMemory::Slice {
  const ParameterStep* of;
  std::int64_t begin, count;

  static_assert(kBlockElements == BlockRuns::kBlocks * kRowGradientBlock);

  // The blocks of the part that is changed.
  static void cut(const ParameterStep& step, std::vector<Slice>& slices) {
    const std::int64_t length = block_length(step.shape());
    for (std::int64_t at = step.part.begin; at < step.part.end; at += length) {
      slices.push_back({&step, at, std::min(length, step.part.end - at)});
    }
  }
  // The same of the blocks that have a gradient, in the order in which they are kept.
  static void cut_touched(const ParameterStep& step, std::vector<Slice>& slices) {
    const std::int64_t size = step.rows == nullptr ? 0 : step.rows->values().size();
    const std::int64_t length = block_length(step.shape());
    for (std::int64_t at = 0; at < size; at += length) {
      slices.push_back({&step, at, std::min(length, size - at)});
    }
  }
  ArrayElements part(const Tensor& tensor) const { return {tensor, begin, count}; }
  double squares(Context& ctx, SlicePool& pool) const;
};

// The arrays that a step reads and writes, for a slice.
struct Optimizer::HostMemory::SliceNumbers {
  ArrayElements weights, mom1, mom2, average;

  SliceNumbers(const Slice& slice, ArrayElements::Access access)
      : SliceNumbers(slice, *slice.of->state, access) {}
  // In f32 none of it does anything: the arrays' own numbers were changed.
  void store() {
    mom1.store();
    mom2.store();
    weights.store();
  }
  StepBounds largest() {
    const double root = mom2.largest();
    const bool is_rooted = mom2_type != DType::f32;
    return {weights.largest(), mom1.largest(), is_rooted ? root * root : root, average.largest()};
  }

 private:
  SliceNumbers(const Slice& slice, const OptimizerState& state, ArrayElements::Access access)
      : weights(slice.of->named->parameter->value, slice.begin, slice.count, access),
        mom1(state.mom1, slice.begin - state.begin, slice.count, access),
        mom2(state.mom2, slice.begin - state.begin, slice.count, access),
        average(state.average, slice.begin - state.begin, slice.count, access),
        mom2_type(state.mom2.dtype()) {}

  DType mom2_type;
};

class Optimizer::HostMemory::Way {
 public:
  Way() = default;
  virtual ~Way() = default;
  Way(const Way&) = delete;
  Way& operator=(const Way&) = delete;

  // The slices that it changes.
  virtual void cut(const ParameterStep& step, std::vector<Slice>& slices) const {
    Slice::cut(step, slices);
  }
  // By any thread, beside other slices.
  virtual void change(Context& ctx, const Optimizer& optimizer, const Slice& slice) const = 0;
  // Once all slices of the array are changed.
  virtual void end(Parameter& /*parameter*/) const {}
  // The table whose other rows are changed later; null: nothing is.
  virtual DeferredTable* table() const { return nullptr; }
};

}  // namespace weft
