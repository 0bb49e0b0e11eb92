// Steps in the host's memory: slices of the arrays, which threads may share.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "framework/nn/weight_copies.h"
#include "framework/training/array_elements.h"
#include "framework/training/average_swap.h"
#include "framework/training/deferred_tables.h"
#include "framework/training/gathered_blocks.h"
#include "framework/training/live_blocks.h"
#include "framework/training/optimizer_memory.h"

namespace weft {
namespace {

float* numbers_of(const Tensor& tensor) {
  return static_cast<float*>(const_cast<void*>(tensor.cview().data));
}

StepBounds larger(const StepBounds& left, const StepBounds& right) {
  return {.weight = std::max(left.weight, right.weight),
          .mom1 = std::max(left.mom1, right.mom1),
          .mom2 = std::max(left.mom2, right.mom2),
          .average = std::max(left.average, right.average)};
}

}  // namespace

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
  void swap_average(const NamedParameter& named, OptimizerState& state) const override {
    weft::swap_average(named.parameter->value, state);
    ++named.parameter->version;
  }

 private:
  struct Slice;
  struct SliceNumbers;
  using SlicePool = ObjectPool<ParameterStep::SliceScratch>;
  // The blocks of an array that a step can change.
  struct Reach {
    LiveBlocks* live = nullptr;      // null: not known, all of them
    bool is_plain = false;           // see leaves_untouched
    bool is_touched = false;         // those alone that have a gradient
    DeferredTable* table = nullptr;  // which changes the others later; null: nobody does
    View copy = {};                  // of all, in 16 bits, to be written too; empty: there is none
  };
  void update(Context& ctx, const Optimizer& optimizer, const Slice& slice,
              SliceNumbers& numbers) const;
  void update_live(Context& ctx, const Optimizer& optimizer, const Slice& slice,
                   const LiveBlocks& live) const;
  void update_touched(Context& ctx, const Optimizer& optimizer, const Slice& slice) const;
  Reach reach_of(Context& ctx, const Optimizer& optimizer, const ParameterStep& step) const;
  DeferredTable* begin_table(const Optimizer& optimizer, const ParameterStep& step,
                             const TaskRunner& run) const;
  View copy_of(const ParameterStep& step) const;
  static bool leaves_zeros(Context& ctx, const Optimizer& optimizer, const ParameterStep& step);
  static bool leaves_untouched(const Optimizer& optimizer, const ParameterStep& step);

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
  void change_touched(DeferredTable& table) const {
    const std::int64_t width = of->shape()[1], first = begin / width;
    table.change_touched(of->rows->rows().subspan(static_cast<std::size_t>(first),
                                                  static_cast<std::size_t>(count / width)),
                         of->rows->values().row<float>(first));
  }
  // While the weights are in the second cache.
  void write_copy(View copy) const {
    auto* place = static_cast<std::uint16_t*>(copy.data) + begin;
    cast_rows(part(of->named->parameter->value).view(), View(place, copy.dtype, {count}));
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

double Optimizer::HostMemory::Slice::squares(Context& ctx, SlicePool& pool) const {
  const float l2 = of->scalars.l2;
  double result = 0.0;
  if (of->dense == nullptr && l2 == 0.0F) {  // zeros, but for the rows that are kept
    of->with_kept_rows(pool, begin, count, [&](ConstView numbers) {
      ctx.run<SquaredNorm>(numbers, numbers, 0.0F, &result);
    });
    return result;
  }
  of->with_gradient(pool, begin, count, [&](const float* numbers) {
    const ConstView gradient(numbers, DType::f32, {count});
    ctx.run<SquaredNorm>(gradient, part(of->named->parameter->value).view(), l2, &result);
  });
  return result;
}

std::vector<BlockSums> Optimizer::HostMemory::squares(Context& ctx,
                                                      std::span<const ParameterStep> all,
                                                      const Gradients&,
                                                      const TaskRunner& run) const {
  std::vector<Slice> slices;
  for (const ParameterStep& step : all) Slice::cut(step, slices);
  std::vector<double> of_slices(slices.size());
  run(slices.size(), [&](std::size_t i) { of_slices[i] = slices[i].squares(ctx, pool_); });
  std::vector<BlockSums> all_sums;
  std::size_t at = 0;
  for (const ParameterStep& step : all) {
    BlockSums& blocks = all_sums.emplace_back(BlockSums{step.named, {}});
    for (; at < slices.size() && slices[at].of == &step; ++at) {
      blocks.sums.push_back(of_slices[at]);
    }
  }
  return all_sums;
}

void Optimizer::HostMemory::update(Context& ctx, const Optimizer& optimizer, const Slice& slice,
                                   SliceNumbers& numbers) const {
  const ParameterStep& step = *slice.of;
  const OptimizerState& state = *step.state;
  numbers.mom2.square();
  step.with_gradient(pool_, slice.begin, slice.count, [&](const float* gradient) {
    optimizer.apply(ctx,
                    {numbers.weights.view(), ConstView(gradient, DType::f32, {slice.count}),
                     numbers.mom1.view(), numbers.mom2.view()},
                    state.updates, step.scalars);
  });
  numbers.mom2.take_root();
  if (optimizer.keeps_averages()) {  // of the weights before they are rounded
    ctx.run<AverageStep>(numbers.average.view(), numbers.weights.view(),
                         optimizer.average_rate(state));
  }
}

// Whether a step leaves a number alone that is zero with everything that is kept of it: an epsilon
// of zero, or a rule of somebody else, may not.
bool Optimizer::HostMemory::leaves_zeros(Context& ctx, const Optimizer& optimizer,
                                         const ParameterStep& step) {
  std::array<float, 4> numbers{};  // weight, gradient, moments
  const auto view = [&](std::size_t i) { return View(&numbers[i], DType::f32, {1}); };
  optimizer.apply(ctx, {view(0), view(1), view(2), view(3)}, step.state->updates, step.scalars);
  return std::all_of(numbers.begin(), numbers.end(),
                     [](float number) { return std::bit_cast<std::uint32_t>(number) == 0; });
}

// Whether a step changes nothing that has no gradient (see LiveBlocks::follow_plain_step): those of
// plain descent where nothing decays and no average follows.
bool Optimizer::HostMemory::leaves_untouched(const Optimizer& optimizer,
                                             const ParameterStep& step) {
  StepScalars scalars = step.scalars;
  return optimizer.rule(step.state->updates, scalars) == StepRule::sgd && scalars.l2 == 0.0F &&
         scalars.decay == 0.0F && !optimizer.keeps_averages();
}

Optimizer::HostMemory::Reach Optimizer::HostMemory::reach_of(Context& ctx,
                                                             const Optimizer& optimizer,
                                                             const ParameterStep& step) const {
  const Parameter& parameter = *step.named->parameter;
  const OptimizerState& state = *step.state;
  const Tensor* const arrays[] = {&parameter.value, &state.mom1, &state.mom2, &state.average};
  const bool is_f32 = std::all_of(std::begin(arrays), std::end(arrays), [](const Tensor* array) {
    return !*array || array->dtype() == DType::f32;
  });
  const bool has_blocks = step.rows != nullptr && step.rows->type() == DType::f32;
  const bool has_nothing = step.rows == nullptr && step.dense == nullptr;
  if (!parameter.is_table || step.shape().rank() != 1 || step.shape()[0] % kRowGradientBlock != 0 ||
      !is_f32 || !(has_blocks || has_nothing) || !leaves_zeros(ctx, optimizer, step)) {
    return {.copy = copy_of(step)};
  }
  LiveBlocks& live = live_[&parameter];
  live.find(parameter, step.part, arrays);
  if (has_blocks) live.add(*step.rows);
  const bool is_plain = leaves_untouched(optimizer, step);
  return {&live, is_plain, is_plain && live.follow_plain_step()};
}

// The blocks of a slice that can change, side by side; each number by itself, as in `update`.
void Optimizer::HostMemory::update_live(Context& ctx, const Optimizer& optimizer,
                                        const Slice& slice, const LiveBlocks& live) const {
  const ObjectPool<GatheredBlocks>::Lease lease(gathered_);
  GatheredBlocks& all = *lease;
  const ParameterStep& step = *slice.of;
  live.in_slice(slice.begin, slice.count, all.blocks);
  if (all.blocks.empty()) return;
  const OptimizerState& state = *step.state;
  float* const weights = numbers_of(step.named->parameter->value);
  const View w = all.gather(all.weights, weights);
  const bool has_moments = static_cast<bool>(state.mom1);
  const auto first = static_cast<std::int32_t>(state.begin / kRowGradientBlock);
  const View m1 = has_moments ? all.gather(all.mom1, numbers_of(state.mom1), first) : View();
  const View m2 = has_moments ? all.gather(all.mom2, numbers_of(state.mom2), first) : View();
  optimizer.apply(ctx, {w, all.gather_gradient(step.rows), m1, m2}, state.updates, step.scalars);
  if (optimizer.keeps_averages()) {
    float* const average = numbers_of(state.average);
    ctx.run<AverageStep>(all.gather(all.average, average, first), w, optimizer.average_rate(state));
    all.scatter(all.average, average, first);
  }
  all.scatter(all.weights, weights);
  if (!has_moments) return;
  all.scatter(all.mom1, numbers_of(state.mom1), first);
  all.scatter(all.mom2, numbers_of(state.mom2), first);
}

// Rules that leave the rest alone read no moments, and no average follows. (Adam with `beta2 = 0`
// keeps moments, which stay as they are.)
void Optimizer::HostMemory::update_touched(Context& ctx, const Optimizer& optimizer,
                                           const Slice& slice) const {
  const ObjectPool<GatheredBlocks>::Lease lease(gathered_);
  GatheredBlocks& all = *lease;
  const ParameterStep& step = *slice.of;
  const std::int64_t first = slice.begin / kRowGradientBlock;
  const std::int64_t count = slice.count / kRowGradientBlock;
  const auto blocks =
      step.rows->rows().subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
  all.blocks.assign(blocks.begin(), blocks.end());
  float* const weights = numbers_of(step.named->parameter->value);
  const View w = all.gather(all.weights, weights);
  const ConstView gradient(step.rows->values().row<float>(first), DType::f32, {slice.count});
  optimizer.apply(ctx, {w, gradient, View(), View()}, step.state->updates, step.scalars);
  all.scatter(all.weights, weights);
}

// That of a whole weight; where ranks change parts of it nobody has all numbers at hand.
View Optimizer::HostMemory::copy_of(const ParameterStep& step) const {
  const bool is_whole = step.part.is_whole(step.shape().size());
  return copies_ != nullptr && is_whole ? copies_->place_of(*step.named->parameter) : View();
}

// The step of a table whose other rows can wait; null where all is to be changed now, after the
// steps before.
DeferredTable* Optimizer::HostMemory::begin_table(const Optimizer& optimizer,
                                                  const ParameterStep& step,
                                                  const TaskRunner& run) const {
  Parameter& parameter = *step.named->parameter;
  const OptimizerState& state = *step.state;
  StepScalars scalars = step.scalars;
  const auto rule = optimizer.rule(state.updates, scalars);
  const bool is_whole = step.dense == nullptr && step.part.is_whole(step.shape().size());
  const bool has_rule = rule == StepRule::adam || rule == StepRule::momentum;
  // Copies and the term of L2 in gradients need all rows in each step.
  if (!is_whole || !has_rule || scalars.l2 != 0.0F || copy_of(step) ||
      !can_wait(parameter, state, step.rows)) {
    if (parameter.deferred) DeferredTables::finish(deferred_->of(parameter), run);
    return nullptr;
  }
  DeferredTable& table = deferred_->of(parameter);
  table.begin({parameter.value, state.mom1, state.mom2}, *rule, scalars);
  return &table;
}

void Optimizer::HostMemory::step(Context& ctx, const Optimizer& optimizer,
                                 std::span<const ParameterStep> all, const TaskRunner& run) const {
  std::vector<Reach> reached;
  std::vector<Slice> slices;
  std::vector<DeferredTable*> tables;
  for (const ParameterStep& step : all) {
    const auto& left = step.named->parameter->deferred;
    if (left && !deferred_) left->change_all();  // by another optimizer
    DeferredTable* table = deferred_ ? begin_table(optimizer, step, run) : nullptr;
    if (table != nullptr) tables.push_back(table);
    reached.push_back(table != nullptr ? Reach{.is_touched = true, .table = table}
                                       : reach_of(ctx, optimizer, step));
    if (reached.back().is_touched) {
      Slice::cut_touched(step, slices);
    } else {
      Slice::cut(step, slices);
    }
  }
  run(slices.size(), [&](std::size_t i) {
    const Reach& reach = reached[static_cast<std::size_t>(slices[i].of - all.data())];
    if (reach.table != nullptr) return slices[i].change_touched(*reach.table);
    if (reach.is_touched) return update_touched(ctx, optimizer, slices[i]);
    if (reach.live != nullptr && reach.live->are_few()) {
      return update_live(ctx, optimizer, slices[i], *reach.live);
    }
    SliceNumbers numbers(slices[i], ArrayElements::Access::in_place);
    update(ctx, optimizer, slices[i], numbers);
    numbers.store();
    if (reach.copy) slices[i].write_copy(reach.copy);
  });
  for (std::size_t i = 0; i < all.size(); ++i) {
    Parameter& parameter = *all[i].named->parameter;
    ++parameter.version;
    if (reached[i].copy) copies_->written(parameter);
    if (reached[i].live != nullptr) reached[i].live->remember(parameter, reached[i].is_plain);
  }
  if (deferred_) deferred_->start(tables);
}

std::vector<StepBounds> Optimizer::HostMemory::try_step(Context& ctx, const Optimizer& optimizer,
                                                        std::span<const ParameterStep* const> some,
                                                        const TaskRunner& run) const {
  std::vector<Slice> slices;
  for (const ParameterStep* step : some) Slice::cut(*step, slices);
  std::vector<StepBounds> of_slices(slices.size());
  run(slices.size(), [&](std::size_t i) {
    SliceNumbers copies(slices[i], ArrayElements::Access::copy);
    update(ctx, optimizer, slices[i], copies);
    of_slices[i] = copies.largest();
  });
  std::vector<StepBounds> found;
  std::size_t at = 0;
  for (const ParameterStep* step : some) {
    StepBounds& sum = found.emplace_back(StepBounds{0.0, 0.0, 0.0, 0.0});
    for (; at < slices.size() && slices[at].of == step; ++at) sum = larger(sum, of_slices[at]);
  }
  return found;
}

std::unique_ptr<Optimizer::Memory> Optimizer::host_memory() {
  return std::make_unique<HostMemory>();
}

}  // namespace weft
