// How a step changes the arrays of the host.
#include <array>
#include <bit>
#include <iterator>
#include <utility>

#include "framework/training/optimizer_on_host.h"

namespace weft {
namespace {

float* numbers_of(const Tensor& tensor) {
  return static_cast<float*>(const_cast<void*>(tensor.cview().data));
}

}  // namespace

class Optimizer::HostMemory::AllNumbers : public Way {
 public:
  // `copy`: of all, in 16 bits, to be written too; empty: there is none.
  AllNumbers(const HostMemory& memory, View copy) : memory_(memory), copy_(copy) {}

  void change(Context& ctx, const Optimizer& optimizer, const Slice& slice) const override {
    SliceNumbers numbers(slice, ArrayElements::Access::in_place);
    memory_.update(ctx, optimizer, slice, numbers);
    numbers.store();
    if (copy_) write_copy(slice);
  }
  void end(Parameter& parameter) const override {
    if (copy_) memory_.copies_->written(parameter);
  }

 private:
  // While the weights are in the second cache.
  void write_copy(const Slice& slice) const {
    auto* place = static_cast<std::uint16_t*>(copy_.data) + slice.begin;
    cast_rows(slice.part(slice.of->named->parameter->value).view(),
              View(place, copy_.dtype, {slice.count}));
  }

  const HostMemory& memory_;
  View copy_;
};

// Of blocks that can change, where these are few; else all.
class Optimizer::HostMemory::LiveNumbers final : public AllNumbers {
 public:
  LiveNumbers(const HostMemory& memory, LiveBlocks& live, bool is_plain)
      : AllNumbers(memory, {}), gathered_(memory.gathered_), live_(live), is_plain_(is_plain) {}

  void change(Context& ctx, const Optimizer& optimizer, const Slice& slice) const override {
    if (live_.are_few()) return change_live(ctx, optimizer, slice);
    AllNumbers::change(ctx, optimizer, slice);
  }
  void end(Parameter& parameter) const override { live_.remember(parameter, is_plain_); }

 private:
  void change_live(Context& ctx, const Optimizer& optimizer, const Slice& slice) const;

  ObjectPool<GatheredBlocks>& gathered_;
  LiveBlocks& live_;
  bool is_plain_;  // see leaves_untouched
};

// Those alone that have a gradient.
class Optimizer::HostMemory::TouchedBlocks final : public Way {
 public:
  TouchedBlocks(ObjectPool<GatheredBlocks>& gathered, LiveBlocks& live)
      : gathered_(gathered), live_(live) {}

  void cut(const ParameterStep& step, std::vector<Slice>& slices) const override {
    Slice::cut_touched(step, slices);
  }
  void change(Context& ctx, const Optimizer& optimizer, const Slice& slice) const override;
  void end(Parameter& parameter) const override { live_.remember(parameter, true); }

 private:
  ObjectPool<GatheredBlocks>& gathered_;
  LiveBlocks& live_;
};

// Of a table whose other rows are changed later.
class Optimizer::HostMemory::TouchedRows final : public Way {
 public:
  explicit TouchedRows(DeferredTable& table) : table_(table) {}

  void cut(const ParameterStep& step, std::vector<Slice>& slices) const override {
    Slice::cut_touched(step, slices);
  }
  void change(Context&, const Optimizer&, const Slice& slice) const override {
    const RowGradient& gradient = *slice.of->rows;
    const std::int64_t width = slice.of->shape()[1], first = slice.begin / width;
    table_.change_touched(gradient.rows().subspan(static_cast<std::size_t>(first),
                                                  static_cast<std::size_t>(slice.count / width)),
                          gradient.values().row<float>(first));
  }
  DeferredTable* table() const override { return &table_; }

 private:
  DeferredTable& table_;
};

// The blocks of a slice that can change, side by side; each number by itself, as in `update`.
void Optimizer::HostMemory::LiveNumbers::change_live(Context& ctx, const Optimizer& optimizer,
                                                     const Slice& slice) const {
  const ObjectPool<GatheredBlocks>::Lease lease(gathered_);
  GatheredBlocks& all = *lease;
  const ParameterStep& step = *slice.of;
  live_.in_slice(slice.begin, slice.count, all.blocks);
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
void Optimizer::HostMemory::TouchedBlocks::change(Context& ctx, const Optimizer& optimizer,
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

std::unique_ptr<Optimizer::HostMemory::Way> Optimizer::HostMemory::way_of(
    Context& ctx, const Optimizer& optimizer, const ParameterStep& step,
    const TaskRunner& run) const {
  const auto& left = step.named->parameter->deferred;
  if (left && !deferred_) left->change_all();  // by another optimizer
  DeferredTable* table = deferred_ ? begin_table(optimizer, step, run) : nullptr;
  if (table != nullptr) return std::make_unique<TouchedRows>(*table);
  return way_of_blocks(ctx, optimizer, step);
}

std::unique_ptr<Optimizer::HostMemory::Way> Optimizer::HostMemory::way_of_blocks(
    Context& ctx, const Optimizer& optimizer, const ParameterStep& step) const {
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
    return std::make_unique<AllNumbers>(*this, copy_of(step));
  }
  LiveBlocks& live = live_[&parameter];
  live.find(parameter, step.part, arrays);
  if (has_blocks) live.add(*step.rows);
  const bool is_plain = leaves_untouched(optimizer, step);
  if (is_plain && live.follow_plain_step()) {
    return std::make_unique<TouchedBlocks>(gathered_, live);
  }
  return std::make_unique<LiveNumbers>(*this, live, is_plain);
}

}  // namespace weft
