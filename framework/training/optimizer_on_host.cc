// Steps in the host's memory: slices of the arrays, which threads may share.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "framework/precision/element_type.h"
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
  std::vector<double> squares(Context& ctx, std::span<const Planned> all, const Gradients&,
                              const TaskRunner& run) const override;
  void step(Context& ctx, const Optimizer& optimizer, std::span<const Planned> all,
            const TaskRunner& run) const override;
  std::vector<StepBounds> try_step(Context& ctx, const Optimizer& optimizer,
                                   std::span<const Planned* const> some,
                                   const TaskRunner& run) const override;
  double bound(Context&, const Tensor& weights) const override { return largest_of(weights); }
  void swap_average(const NamedParameter& named, OptimizerState& state) const override {
    std::swap(named.parameter->value, state.average);
    ++named.parameter->version;
  }

 private:
  struct Slice;
  struct SliceNumbers;
  using SlicePool = ObjectPool<Planned::SliceScratch>;
  void update(Context& ctx, const Optimizer& optimizer, const Slice& slice,
              SliceNumbers& numbers) const;

  mutable SlicePool pool_;
};

// A slice and all that is kept of it stay in the second cache from the rule to the average.
struct Optimizer::HostMemory::Slice {
  const Planned* of;
  std::int64_t begin, count;

  static constexpr std::int64_t kElements = 1 << 14;

  // Whole rows of a table, so that gradients kept by rows fall into slices.
  static void cut(const Planned& planned, std::vector<Slice>& slices) {
    const View array = planned.named->parameter->value.view();
    const std::int64_t width = std::max<std::int64_t>(1, array.cols());
    const std::int64_t step = std::max<std::int64_t>(1, kElements / width) * width;
    for (std::int64_t at = 0; at < array.size(); at += step) {
      slices.push_back({&planned, at, std::min(step, array.size() - at)});
    }
  }
  ArrayElements part(const Tensor& tensor) const { return {tensor, begin, count}; }
  double squares(Context& ctx, SlicePool& pool) const;
};

// What a step reads and writes of a slice.
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

std::vector<double> Optimizer::HostMemory::squares(Context& ctx, std::span<const Planned> all,
                                                   const Gradients&, const TaskRunner& run) const {
  std::vector<Slice> slices;
  for (const Planned& planned : all) Slice::cut(planned, slices);
  std::vector<double> of_slices(slices.size());
  run(slices.size(), [&](std::size_t i) { of_slices[i] = slices[i].squares(ctx, pool_); });
  std::vector<double> sums;
  std::size_t at = 0;
  for (const Planned& planned : all) {
    double& sum = sums.emplace_back(0.0);
    for (; at < slices.size() && slices[at].of == &planned; ++at) sum += of_slices[at];
  }
  return sums;
}

void Optimizer::HostMemory::update(Context& ctx, const Optimizer& optimizer, const Slice& slice,
                                   SliceNumbers& numbers) const {
  const Planned& planned = *slice.of;
  const OptimizerState& state = *planned.state;
  numbers.mom2.square();
  planned.with_gradient(pool_, slice.begin, slice.count, [&](const float* gradient) {
    optimizer.apply(ctx,
                    {numbers.weights.view(), ConstView(gradient, DType::f32, {slice.count}),
                     numbers.mom1.view(), numbers.mom2.view()},
                    state.updates, planned.scalars);
  });
  numbers.mom2.take_root();
  if (optimizer.keeps_averages()) {  // of the weights before they are rounded
    ctx.run<AverageStep>(numbers.average.view(), numbers.weights.view(),
                         optimizer.average_rate(state));
  }
}

void Optimizer::HostMemory::step(Context& ctx, const Optimizer& optimizer,
                                 std::span<const Planned> all, const TaskRunner& run) const {
  std::vector<Slice> slices;
  for (const Planned& planned : all) Slice::cut(planned, slices);
  run(slices.size(), [&](std::size_t i) {
    SliceNumbers numbers(slices[i], ArrayElements::Access::in_place);
    update(ctx, optimizer, slices[i], numbers);
    numbers.store();
  });
  for (const Planned& planned : all) ++planned.named->parameter->version;
}

std::vector<StepBounds> Optimizer::HostMemory::try_step(Context& ctx, const Optimizer& optimizer,
                                                        std::span<const Planned* const> some,
                                                        const TaskRunner& run) const {
  std::vector<Slice> slices;
  for (const Planned* planned : some) Slice::cut(*planned, slices);
  std::vector<StepBounds> of_slices(slices.size());
  run(slices.size(), [&](std::size_t i) {
    SliceNumbers copies(slices[i], ArrayElements::Access::copy);
    update(ctx, optimizer, slices[i], copies);
    of_slices[i] = copies.largest();
  });
  std::vector<StepBounds> found;
  std::size_t at = 0;
  for (const Planned* planned : some) {
    StepBounds& sum = found.emplace_back(StepBounds{0.0, 0.0, 0.0, 0.0});
    for (; at < slices.size() && slices[at].of == planned; ++at) sum = larger(sum, of_slices[at]);
  }
  return found;
}

std::unique_ptr<Optimizer::Memory> Optimizer::host_memory() {
  return std::make_unique<HostMemory>();
}

}  // namespace weft
