#include "tests/conformance/conformance_precision/planned_ops.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "framework/ops/kernel.h"

namespace replay {
namespace {

using weft::Category;
using weft::FormatRule;
using weft::OpPolicy;

struct BuiltOp {
  std::string_view kernel, recorded;
};
constexpr std::array kBuilt = {
    BuiltOp{"gemm", "affine"},
    BuiltOp{"affine", "affine"},
    BuiltOp{"maxout_forward", "max"},
    BuiltOp{"maxout_backward", "max"},
    BuiltOp{"gather_sum", "hash_embed_gather"},
    BuiltOp{"scatter_add_sum", "hash_embed_scatter_add"},
    BuiltOp{"scatter_add_rows", "hash_embed_scatter_add"},
    BuiltOp{"transition_scatter", "hash_embed_scatter_add"},
    BuiltOp{"window_forward", "seq2col"},
    BuiltOp{"window_backward", "seq2col_backward"},
    BuiltOp{"layer_norm_forward", "layer_norm"},
    BuiltOp{"layer_norm_backward", "layer_norm"},
    BuiltOp{"softmax_forward", "softmax"},
    BuiltOp{"copy_rows", "concatenate"},
    BuiltOp{"add_in_place", "residual_add"},
    BuiltOp{"multiply", "dropout"},
    BuiltOp{"multiply_in_place", "dropout"},
    BuiltOp{"adam_step", "adam"},
    BuiltOp{"momentum_step", "radam"},
    BuiltOp{"sgd_step", "sgd"},
    BuiltOp{"average_step", "parameter_average"},
    BuiltOp{"squared_norm", "gradient_norm"},
    BuiltOp{"transition_parse", "transition_choice"},
    BuiltOp{"transition_train", "transition_choice"},
    BuiltOp{"parser_state_gather_sum", "parser_state_gather_sum"},
    BuiltOp{"parser_upper", "parser_upper"},
};

template <class... Names>
constexpr std::array<std::string_view, sizeof...(Names)> names(Names... all) {
  return {all...};
}

// Ops that no kernel runs yet, by category.
constexpr auto low_ops =
    names("static_vectors_projection", "maxout", "conv", "attention_qk", "attention_pv",
          "parser_lower_precompute", "lstm_gemm", "mv", "einsum");
constexpr auto f32_ops =
    names("batch_norm", "softplus", "exp", "expm1", "log", "log1p", "pow", "rsqrt", "reciprocal",
          "tan", "sinh", "cosh", "sum", "mean", "prod", "norm", "variance", "cumsum", "logsumexp",
          "reduce_sum", "cosine_similarity", "distance", "normalize", "sparse_linear");
constexpr auto always_f32_ops =
    names("attention_softmax", "lstm_gates", "lstm_cell_state", "log_softmax", "cross_entropy",
          "sequence_cross_entropy", "mse_loss", "l2_distance_loss", "cosine_loss",
          "bce_with_logits", "hinge_loss", "kl_loss", "crf_forward", "crf_backward", "crf_viterbi",
          "loss_weighting", "loss_sum", "gradient_clip", "unscale");
constexpr auto promote_ops = names("stack", "dot");
constexpr auto any_ops = names(
    "static_vectors_lookup", "pad", "relu", "clipped_linear", "hard_swish", "hard_swish_mobilenet",
    "abs", "dish", "gelu", "swish", "mish", "tanh", "sigmoid", "hard_sigmoid", "hard_tanh",
    "reduce_mean", "reduce_max", "reduce_first", "reduce_last", "lstm_hidden", "prelu");
constexpr auto banned_ops = names("binary_cross_entropy");

// Copies, and outputs that are never computed, have no accumulator.
constexpr auto ops_without_accumulator =
    names("stack", "pad", "reduce_first", "reduce_last", "binary_cross_entropy");

bool contains(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::optional<OpPolicy> by_category(std::string_view name) {
  if (contains(low_ops, name)) return weft::declare_op(name, Category::low);
  if (contains(f32_ops, name)) return weft::declare_op(name, Category::f32);
  if (contains(always_f32_ops, name)) return weft::declare_op(name, Category::f32, true);
  if (contains(promote_ops, name)) return weft::declare_op(name, Category::promote);
  if (contains(any_ops, name)) return weft::declare_op(name, Category::any);
  if (contains(banned_ops, name)) return weft::declare_op(name, Category::banned);
  return {};
}

std::optional<OpPolicy> planned(std::string_view name) {
  std::optional<OpPolicy> op = by_category(name);
  if (!op) return op;
  op->accumulates = !contains(ops_without_accumulator, name);
  if (name == "static_vectors_lookup" || name == "lstm_gemm") op->output_per_op = FormatRule::f32;
  if (name == "lstm_gemm") op->output_whole_model = FormatRule::f32;
  if (name == "lstm_hidden") op->output_per_op = FormatRule::low;
  return op;
}

}  // namespace

std::vector<OpPolicy> declarations_of(std::string_view recorded) {
  std::vector<OpPolicy> found;
  for (const weft::KernelSlot* slot : weft::kernel_slots()) {
    const auto runs_it = [&](const BuiltOp& op) {
      return op.kernel == slot->name && op.recorded == recorded;
    };
    if (std::any_of(kBuilt.begin(), kBuilt.end(), runs_it)) found.push_back(*slot);
  }
  if (const auto op = planned(recorded)) found.push_back(*op);
  return found;
}

}  // namespace replay
