#include "framework/ops/kernel_ops.h"

#include <algorithm>
#include <array>

#include "framework/precision/op_table.h"

namespace weft {
namespace {

struct KernelOp {
  std::string_view kernel, op;
};
// Forward and backward kernels of a layer are the same op to the policy.
constexpr std::array kKernelOps = {
    KernelOp{"gemm", "affine"},
    KernelOp{"affine", "affine"},
    KernelOp{"maxout_forward", "max"},
    KernelOp{"maxout_backward", "max"},
    KernelOp{"gather_sum", "hash_embed_gather"},
    KernelOp{"scatter_add_sum", "hash_embed_scatter_add"},
    KernelOp{"scatter_add_rows", "hash_embed_scatter_add"},
    KernelOp{"window_forward", "seq2col"},
    KernelOp{"window_backward", "seq2col_backward"},
    KernelOp{"layer_norm_forward", "layer_norm"},
    KernelOp{"layer_norm_backward", "layer_norm"},
    KernelOp{"softmax_forward", "softmax"},
    KernelOp{"copy_rows", "concatenate"},
    KernelOp{"add_in_place", "residual_add"},
    KernelOp{"multiply", "dropout"},
    KernelOp{"multiply_in_place", "dropout"},
    KernelOp{"adam_step", "adam"},
    KernelOp{"momentum_step", "radam"},
    KernelOp{"sgd_step", "sgd"},
    KernelOp{"average_step", "parameter_average"},
    KernelOp{"squared_norm", "gradient_norm"},
    KernelOp{"transition_parse", "transition_choice"},
    KernelOp{"transition_train", "transition_choice"},
    KernelOp{"transition_scatter", "hash_embed_scatter_add"},
};

}  // namespace

OpPolicy declaration_of(const OpTraits& op) {
  const auto kernel = std::find_if(kKernelOps.begin(), kKernelOps.end(),
                                   [&](const KernelOp& one) { return one.kernel == op.name; });
  const std::string_view name = kernel == kKernelOps.end() ? op.name : kernel->op;
  const auto own = std::find_if(own_ops().begin(), own_ops().end(),
                                [&](const OpPolicy& one) { return one.name == name; });
  if (own != own_ops().end()) return *own;
  return op.declared ? declare_op(op.name, op.category) : undeclared_op(op.name);
}

}  // namespace weft
