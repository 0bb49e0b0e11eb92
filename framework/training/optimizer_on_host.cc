#include "framework/training/optimizer_on_host.h"

#include <utility>

#include "framework/training/average_swap.h"

namespace weft {
namespace {

StepBounds larger(const StepBounds& left, const StepBounds& right) {
  return {.weight = std::max(left.weight, right.weight),
          .mom1 = std::max(left.mom1, right.mom1),
          .mom2 = std::max(left.mom2, right.mom2),
          .average = std::max(left.average, right.average)};
}

}  // namespace

void Optimizer::HostMemory::swap_average(const NamedParameter& named, OptimizerState& state) const {
  weft::swap_average(named.parameter->value, state);
  ++named.parameter->version;
}

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

void Optimizer::HostMemory::step(Context& ctx, const Optimizer& optimizer,
                                 std::span<const ParameterStep> all, const TaskRunner& run) const {
  std::vector<std::unique_ptr<Way>> ways;
  std::vector<Slice> slices;
  std::vector<DeferredTable*> tables;
  for (const ParameterStep& step : all) {
    const auto& way = ways.emplace_back(way_of(ctx, optimizer, step, run));
    way->cut(step, slices);
    if (way->table() != nullptr) tables.push_back(way->table());
  }
  run(slices.size(), [&](std::size_t i) {
    ways[static_cast<std::size_t>(slices[i].of - all.data())]->change(ctx, optimizer, slices[i]);
  });
  for (std::size_t i = 0; i < all.size(); ++i) {
    Parameter& parameter = *all[i].named->parameter;
    ++parameter.version;
    ways[i]->end(parameter);
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
