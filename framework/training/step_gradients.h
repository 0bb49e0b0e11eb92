// The gradients of a step between the backward passes and the optimizer: checked and unscaled,
// shown to hooks, clipped together. On a device that is one pass over all of them, of which the
// host reads one norm for each array, and factors that are applied where gradients are read.
// Source: docs/precision.md, "Loss scaling", "Order of a step"; PyTorch, clip_grad_norm_.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "framework/nn/gradients.h"
#include "framework/nn/parameter.h"
#include "framework/ops/context.h"
#include "framework/ops/optimizer_arrays.h"
#include "framework/precision/loss_scaler.h"
#include "framework/tensor/task_runner.h"
#include "framework/training/array_part.h"
#include "registry/base/export.h"

namespace weft {

// The result of a look at all gradients.
struct StepGradients {
  GradientStatus status = GradientStatus::none;
  std::vector<std::string> bad;  // names of those that hold a NaN or an infinity
};

// Looks at all gradients as they came, then multiplies them. On the host by pieces, which any
// thread may do.
WEFT_API StepGradients unscale(Context& ctx, std::span<const NamedParameter> parameters,
                               Gradients& gradients, float factor,
                               const TaskRunner& run = run_in_order);

// The norm over the gradients of all parameters, as they are read: unscaled where that was done.
// Sums are f64.
WEFT_API double common_norm(Context& ctx, std::span<const NamedParameter> parameters,
                            Gradients& gradients);

// The sums of squares of a gradient over the blocks of a part; zeros where it has none. Not on a
// device.
WEFT_API std::vector<double> squares_by_block(const Parameter& parameter, ArrayPart part,
                                              const Gradients& gradients);

// The sums of squares that it is made of, one for each parameter, 0 for those without a gradient;
// added in their order they are the square of the norm. Each is a sum over blocks. Not on a device.
WEFT_API std::vector<double> squares_by_parameter(std::span<const NamedParameter> parameters,
                                                  const Gradients& gradients);

// Multiplies all gradients by min(1, most / (common_norm + 1e-6)). Does nothing for a `most` of 0
// and for a norm that is not finite.
WEFT_API void clip_together(Context& ctx, std::span<const NamedParameter> parameters,
                            Gradients& gradients, double most);

// Sees the gradients of a step that will be applied: unscaled, f32, before they are clipped. It may
// change them.
using GradientHook = std::function<void(std::span<const NamedParameter>, Gradients&)>;

// Called in the order of their adding. Gradients of a device are brought to the host and back.
class WEFT_API GradientHooks {
 public:
  void add(GradientHook hook) { hooks_.push_back(std::move(hook)); }
  bool empty() const { return hooks_.empty(); }
  // Whether all gradients are finite after it; without hooks nothing is looked at.
  bool call(std::span<const NamedParameter> parameters, Gradients& gradients) const;

 private:
  std::vector<GradientHook> hooks_;
};

// The sums of squares that GradientNorms gives for each of some arrays. Waits for the device,
// unless there is no array.
WEFT_API std::vector<double> squares_on_device(Context& ctx, std::span<const NormArray> arrays);

}  // namespace weft
