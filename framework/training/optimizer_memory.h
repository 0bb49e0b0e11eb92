// Where the arrays of an optimizer lie, and how a step goes over them there: the host's memory in
// slices over threads, or a device's; for the optimizer's own sources alone.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "framework/training/parameter_step.h"

namespace weft {

class Optimizer::Memory {
 public:
  Memory() = default;
  virtual ~Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  // Brings the arrays that are kept of a parameter here.
  virtual void hold(OptimizerState& state) const = 0;
  // The sums of the squares of each gradient with its L2 term (of weights that do not wait), over
  // blocks of the part.
  virtual std::vector<BlockSums> squares(Context& ctx, std::span<const ParameterStep> all,
                                         const Gradients& gradients,
                                         const TaskRunner& run) const = 0;
  // The rule, then the averages; every array that takes part is changed.
  virtual void step(Context& ctx, const Optimizer& optimizer, std::span<const ParameterStep> all,
                    const TaskRunner& run) const = 0;
  // The same on copies: how large the numbers would become.
  virtual std::vector<StepBounds> try_step(Context& ctx, const Optimizer& optimizer,
                                           std::span<const ParameterStep* const> some,
                                           const TaskRunner& run) const = 0;
  // No number of the weights is larger; infinite where one is a NaN or an infinity.
  virtual double bound(Context& ctx, const Tensor& weights) const = 0;
  // See the optimizer's functions of these names.
  virtual void defer_rows(WorkerPool*) {}
  virtual void finish(const TaskRunner&) const {}
  // When this returns, rows that wait do so until they are read or the next step is made.
  virtual void end_turns(const TaskRunner&) const {}
  virtual void write_copies(WeightCopies*) {}
  virtual void swap_average(const NamedParameter& named, OptimizerState& state) const = 0;
};

}  // namespace weft
