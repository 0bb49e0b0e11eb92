// The number formats that the ops of a pass follow, as a Context asks for them. The run's own, with
// the policy's exceptions and its copies of weights, are framework/nn/run_formats.h. Source:
// docs/precision.md.
#pragma once

#include <span>
#include <string_view>

#include "framework/ops/kernel.h"
#include "framework/precision/format.h"
#include "framework/precision/op_rule.h"
#include "framework/precision/policy.h"
#include "framework/tensor/tensor.h"
#include "registry/base/export.h"

namespace weft {

class Context;
class Model;

class WEFT_API PassFormats {
 public:
  virtual ~PassFormats() = default;

  virtual const PrecisionPolicy& policy() const = 0;
  virtual DType low() const = 0;  // the 16-bit format: f16 or bf16
  // How an op treats its inputs and results in that layer. By any thread. Throws Error(config) for
  // an op that may not run here.
  virtual OpRule rule_of(const OpTraits& op, std::string_view layer) = 0;
  // The 16-bit copy of the f32 weight whose numbers begin at `weight` on the host: on the device of
  // `device`, on the host where that is null. Null if the weight has none. By any thread.
  virtual const Tensor* copy_of(const void* weight, Context* device) = 0;
  // Whether `layer` is a whole model whose floats are cast to `low` where they enter it, and to
  // `output_type` where they leave it.
  virtual bool casts_ends_of(const Model& layer) const = 0;
  virtual DType output_type() const = 0;

  // The type in which an op in `layer` stores its result of these inputs.
  DType stored_result(const OpTraits& op, std::string_view layer,
                      std::span<const ConstView> inputs);
  // The type in which it stores the gradient of an array of type `of`.
  DType stored_gradient(const OpTraits& op, std::string_view layer, DType of);
  // The format that it rounds its inputs to.
  NumberFormat rounded_input(const OpTraits& op, std::string_view layer);
};

}  // namespace weft
