// Steps in the host's memory: slices of the arrays, which threads may share.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <vector>

#include "framework/precision/element_type.h"
#include "framework/training/live_blocks.h"
#include "framework/training/optimizer_memory.h"

namespace weft {
namespace {

// Elements [begin, begin + count) of an array as f32: the array's own, or a copy that `store`
// rounds back.
class ArrayElements {
 public:
  enum class Access { in_place, copy };

  ArrayElements(const Tensor& array, std::int64_t begin, std::int64_t count,
                Access access = Access::in_place) {
    if (!array) return;
    kept_ = {const_cast<void*>(elements(array.cview(), begin, count).data), array.dtype(), {count}};
    if (array.dtype() == DType::f32 && access == Access::in_place) return;
    wide_.resize(static_cast<std::size_t>(count));
    cast_rows(kept_, view());
  }
  View view() { return wide_.empty() ? kept_ : View(wide_.data(), DType::f32, kept_.shape); }
  void store() {
    if (!wide_.empty()) cast_rows(view(), kept_);
  }
  // For second moments, which are kept as their roots in 16 bits.
  void square() {
    if (is_low(kept_.dtype)) apply([](float value) { return value * value; });
  }
  void take_root() {
    if (is_low(kept_.dtype)) apply([](float value) { return std::sqrt(value); });
  }
  // See largest_stored; 0 where there is no array.
  double largest() { return kept_.data == nullptr ? 0.0 : largest_stored(view(), kept_.dtype); }

 private:
  template <class Change>
  void apply(Change change) {
    std::transform(wide_.begin(), wide_.end(), wide_.begin(), change);
  }

  View kept_;
  std::vector<float> wide_;
};

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
  std::vector<double> squares(Context& ctx, std::span<const ParameterStep> all, const Gradients&,
                              const TaskRunner& run) const override;
  void step(Context& ctx, const Optimizer& optimizer, std::span<const ParameterStep> all,
            const TaskRunner& run) const override;
  std::vector<StepBounds> try_step(Context& ctx, const Optimizer& optimizer,
                                   std::span<const ParameterStep* const> some,
                                   const TaskRunner& run) const override;
  double bound(Context&, const Tensor& weights) const override { return largest_of(weights); }
  void swap_average(const NamedParameter& named, OptimizerState& state) const override {
    std::swap(named.parameter->value, state.average);
    ++named.parameter->version;
  }

 private:
  struct Slice;
  struct SliceNumbers;
  using SlicePool = ObjectPool<ParameterStep::SliceScratch>;
  // Scratch for the blocks of a slice that are gathered.
  struct Gathered {
    std::vector<std::int32_t> blocks;
    std::vector<float> weights, gradient, mom1, mom2, average;

    View gather(std::vector<float>& to, const float* from) const;
    View gather_gradient(const RowGradient* rows);
    void scatter(const std::vector<float>& from, float* to) const;
  };
  void update(Context& ctx, const Optimizer& optimizer, const Slice& slice,
              SliceNumbers& numbers) const;
  void update_live(Context& ctx, const Optimizer& optimizer, const Slice& slice,
                   const LiveBlocks& live) const;
  // Which blocks of each array a step can change; null: not known, all of them.
  std::vector<LiveBlocks*> find_live(Context& ctx, const Optimizer& optimizer,
                                     std::span<const ParameterStep> all) const;
  static bool leaves_zeros(Context& ctx, const Optimizer& optimizer, const ParameterStep& step);

  mutable SlicePool pool_;
  mutable ObjectPool<Gathered> gathered_;
  mutable std::map<const Parameter*, LiveBlocks> live_;
};

// A slice and all that is kept of it stay in the second cache from the rule to the average.
struct Optimizer::HostMemory::Slice {
  const ParameterStep* of;
  std::int64_t begin, count;

  static constexpr std::int64_t kElements = 1 << 14;

  // Whole rows of a table, so that gradients kept by rows fall into slices; the blocks of numbers
  // in one row do so too, since kElements is a multiple of theirs.
  static void cut(const ParameterStep& step, std::vector<Slice>& slices) {
    const View array = step.named->parameter->value.view();
    const std::int64_t width =
        array.shape.rank() == 1 ? 1 : std::max<std::int64_t>(1, array.cols());
    const std::int64_t length = std::max<std::int64_t>(1, kElements / width) * width;
    for (std::int64_t at = 0; at < array.size(); at += length) {
      slices.push_back({&step, at, std::min(length, array.size() - at)});
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
        mom1(state.mom1, slice.begin, slice.count, access),
        mom2(state.mom2, slice.begin, slice.count, access),
        average(state.average, slice.begin, slice.count, access),
        mom2_type(state.mom2.dtype()) {}

  DType mom2_type;
};

double Optimizer::HostMemory::Slice::squares(Context& ctx, SlicePool& pool) const {
  std::vector<float> scratch;
  const float l2 = of->scalars.l2;
  double result = 0.0;
  if (of->dense == nullptr && l2 == 0.0F) {  // zeros, but for the rows that are kept
    if (of->rows == nullptr || begin > 0) return 0.0;
    const ConstView values = of->row_values(scratch);
    ctx.run<SquaredNorm>(values, values, 0.0F, &result);
    return result;
  }
  of->with_gradient(pool, begin, count, [&](const float* numbers) {
    const ConstView gradient(numbers, DType::f32, {count});
    ctx.run<SquaredNorm>(gradient, part(of->named->parameter->value).view(), l2, &result);
  });
  return result;
}

std::vector<double> Optimizer::HostMemory::squares(Context& ctx, std::span<const ParameterStep> all,
                                                   const Gradients&, const TaskRunner& run) const {
  std::vector<Slice> slices;
  for (const ParameterStep& step : all) Slice::cut(step, slices);
  std::vector<double> of_slices(slices.size());
  run(slices.size(), [&](std::size_t i) { of_slices[i] = slices[i].squares(ctx, pool_); });
  std::vector<double> sums;
  std::size_t at = 0;
  for (const ParameterStep& step : all) {
    double& sum = sums.emplace_back(0.0);
    for (; at < slices.size() && slices[at].of == &step; ++at) sum += of_slices[at];
  }
  return sums;
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

std::vector<LiveBlocks*> Optimizer::HostMemory::find_live(
    Context& ctx, const Optimizer& optimizer, std::span<const ParameterStep> all) const {
  std::vector<LiveBlocks*> found;
  for (const ParameterStep& step : all) {
    found.push_back(nullptr);
    const Parameter& parameter = *step.named->parameter;
    const OptimizerState& state = *step.state;
    const Tensor* const arrays[] = {&parameter.value, &state.mom1, &state.mom2, &state.average};
    const bool is_f32 = std::all_of(std::begin(arrays), std::end(arrays), [](const Tensor* array) {
      return !*array || array->dtype() == DType::f32;
    });
    const bool has_blocks = step.rows != nullptr && step.rows->type() == DType::f32;
    const bool has_nothing = step.rows == nullptr && step.dense == nullptr;
    if (!parameter.is_table || step.shape().rank() != 1 ||
        parameter.value.size() % kRowGradientBlock != 0 || !is_f32 ||
        !(has_blocks || has_nothing) || !leaves_zeros(ctx, optimizer, step)) {
      continue;
    }
    LiveBlocks& live = live_[&parameter];
    live.find(parameter, arrays);
    if (has_blocks) live.add(*step.rows);
    found.back() = &live;
  }
  return found;
}

View Optimizer::HostMemory::Gathered::gather(std::vector<float>& to, const float* from) const {
  to.resize(blocks.size() * kRowGradientBlock);
  float* next = to.data();
  for (const std::int32_t block : blocks) {
    next = std::copy_n(from + std::int64_t{block} * kRowGradientBlock, kRowGradientBlock, next);
  }
  return {to.data(), DType::f32, {static_cast<std::int64_t>(to.size())}};
}

View Optimizer::HostMemory::Gathered::gather_gradient(const RowGradient* rows) {
  gradient.assign(blocks.size() * kRowGradientBlock, 0.0F);
  for (std::size_t i = 0; rows != nullptr && i < blocks.size(); ++i) {
    const std::int32_t place = rows->place(blocks[i]);
    if (place < 0) continue;
    std::copy_n(rows->values().row<float>(place), kRowGradientBlock,
                gradient.data() + i * kRowGradientBlock);
  }
  return {gradient.data(), DType::f32, {static_cast<std::int64_t>(gradient.size())}};
}

void Optimizer::HostMemory::Gathered::scatter(const std::vector<float>& from, float* to) const {
  const float* next = from.data();
  for (const std::int32_t block : blocks) {
    std::copy_n(next, kRowGradientBlock, to + std::int64_t{block} * kRowGradientBlock);
    next += kRowGradientBlock;
  }
}

// The blocks that can change, side by side; each number by itself, as in `update`.
void Optimizer::HostMemory::update_live(Context& ctx, const Optimizer& optimizer,
                                        const Slice& slice, const LiveBlocks& live) const {
  const ObjectPool<Gathered>::Lease lease(gathered_);
  Gathered& all = *lease;
  live.in_slice(slice.begin, slice.count, all.blocks);
  if (all.blocks.empty()) return;
  const ParameterStep& step = *slice.of;
  const OptimizerState& state = *step.state;
  const auto numbers_of = [](const Tensor& tensor) {
    return static_cast<float*>(const_cast<void*>(tensor.cview().data));
  };
  float* const weights = numbers_of(step.named->parameter->value);
  const View w = all.gather(all.weights, weights);
  const bool has_moments = static_cast<bool>(state.mom1);
  const View m1 = has_moments ? all.gather(all.mom1, numbers_of(state.mom1)) : View();
  const View m2 = has_moments ? all.gather(all.mom2, numbers_of(state.mom2)) : View();
  optimizer.apply(ctx, {w, all.gather_gradient(step.rows), m1, m2}, state.updates, step.scalars);
  if (optimizer.keeps_averages()) {
    float* const average = numbers_of(state.average);
    ctx.run<AverageStep>(all.gather(all.average, average), w, optimizer.average_rate(state));
    all.scatter(all.average, average);
  }
  all.scatter(all.weights, weights);
  if (!has_moments) return;
  all.scatter(all.mom1, numbers_of(state.mom1));
  all.scatter(all.mom2, numbers_of(state.mom2));
}

void Optimizer::HostMemory::step(Context& ctx, const Optimizer& optimizer,
                                 std::span<const ParameterStep> all, const TaskRunner& run) const {
  const std::vector<LiveBlocks*> live = find_live(ctx, optimizer, all);
  std::vector<Slice> slices;
  for (const ParameterStep& step : all) Slice::cut(step, slices);
  run(slices.size(), [&](std::size_t i) {
    const LiveBlocks* const blocks = live[static_cast<std::size_t>(slices[i].of - all.data())];
    if (blocks != nullptr && blocks->are_few()) {
      return update_live(ctx, optimizer, slices[i], *blocks);
    }
    SliceNumbers numbers(slices[i], ArrayElements::Access::in_place);
    update(ctx, optimizer, slices[i], numbers);
    numbers.store();
  });
  for (std::size_t i = 0; i < all.size(); ++i) {
    Parameter& parameter = *all[i].named->parameter;
    ++parameter.version;
    if (live[i] != nullptr) live[i]->remember(parameter);
  }
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
