#include "framework/precision/op_table.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace weft {
namespace {

template <class... Names>
constexpr std::array<std::string_view, sizeof...(Names)> names(Names... all) {
  return {all...};
}

// Ops that follow their category, by category; what else they are is below.
constexpr auto low_ops =
    names("static_vectors_projection", "affine", "maxout", "conv", "attention_qk", "attention_pv",
          "parser_lower_precompute", "parser_upper", "lstm_gemm", "mv", "einsum");
constexpr auto f32_ops =
    names("layer_norm", "batch_norm", "softplus", "exp", "expm1", "log", "log1p", "pow", "rsqrt",
          "reciprocal", "tan", "sinh", "cosh", "sum", "mean", "prod", "norm", "variance", "cumsum",
          "logsumexp", "reduce_sum", "cosine_similarity", "distance", "normalize", "sparse_linear");
constexpr auto always_f32_ops =
    names("hash_embed_scatter_add", "attention_softmax", "transition_choice", "lstm_gates",
          "lstm_cell_state", "softmax", "log_softmax", "cross_entropy", "sequence_cross_entropy",
          "mse_loss", "l2_distance_loss", "cosine_loss", "bce_with_logits", "hinge_loss", "kl_loss",
          "crf_forward", "crf_backward", "crf_viterbi", "loss_weighting", "loss_sum",
          "gradient_norm", "gradient_clip", "adam", "radam", "sgd", "parameter_average", "unscale");
constexpr auto promote_ops = names("concatenate", "stack", "residual_add", "dot");
constexpr auto any_ops = names(
    "hash_embed_gather", "static_vectors_lookup", "pad", "seq2col", "seq2col_backward", "dropout",
    "relu", "clipped_linear", "hard_swish", "hard_swish_mobilenet", "abs", "max", "dish", "gelu",
    "swish", "mish", "tanh", "sigmoid", "hard_sigmoid", "hard_tanh", "reduce_mean", "reduce_max",
    "reduce_first", "reduce_last", "parser_state_gather_sum", "lstm_hidden", "prelu");
constexpr auto banned_ops = names("binary_cross_entropy");

// Ops whose output is not what the category says: at O1, at O2 and O3.
struct FixedOutput {
  std::string_view op;
  FormatRule per_op;
  FormatRule whole_model;
};
constexpr std::array<FixedOutput, 6> fixed_outputs = {
    {{"hash_embed_gather", FormatRule::f32, FormatRule::low},
     {"static_vectors_lookup", FormatRule::f32, FormatRule::low},
     {"parser_state_gather_sum", FormatRule::f32, FormatRule::low},
     {"parser_upper", FormatRule::f32, FormatRule::f32},
     {"lstm_gemm", FormatRule::f32, FormatRule::f32},
     {"lstm_hidden", FormatRule::low, FormatRule::low}}};

// Copies, and what is never computed, have no accumulator.
constexpr auto ops_without_accumulator =
    names("concatenate", "stack", "pad", "seq2col", "reduce_first", "reduce_last",
          "binary_cross_entropy");

bool contains(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void add(std::vector<OpPolicy>& ops, std::span<const std::string_view> names, Category category,
         bool always_f32 = false) {
  for (const std::string_view name : names) {
    OpPolicy op = declare_op(name, category, always_f32);
    op.accumulates = !contains(ops_without_accumulator, name);
    op.follows_norm_output = name == "layer_norm";
    op.gives_logits = name == "parser_upper";
    for (const FixedOutput& fixed : fixed_outputs) {
      if (fixed.op != name) continue;
      op.output_per_op = fixed.per_op;
      op.output_whole_model = fixed.whole_model;
    }
    ops.push_back(op);
  }
}

std::vector<OpPolicy> make_own_ops() {
  std::vector<OpPolicy> ops;
  add(ops, low_ops, Category::low);
  add(ops, f32_ops, Category::f32);
  add(ops, always_f32_ops, Category::f32, true);
  add(ops, promote_ops, Category::promote);
  add(ops, any_ops, Category::any);
  add(ops, banned_ops, Category::banned);
  return ops;
}

}  // namespace

std::span<const OpPolicy> own_ops() {
  static const std::vector<OpPolicy> ops = make_own_ops();
  return ops;
}

OpTable::OpTable() {
  for (const OpPolicy& op : own_ops()) ops_.emplace(op.name, op);
}

Notices OpTable::declare(std::string_view name, OpPolicy op) {
  if (closed_) return {notices::late_op(name)};
  const auto [entry, added] = ops_.try_emplace(std::string(name), op);
  if (!added) {
    return {{"", Severity::error, "precision: op " + std::string(name) + " is declared twice", ""}};
  }
  entry->second.name = entry->first;
  return {};
}

OpPolicy OpTable::find(std::string_view name, Notices& notices) {
  const auto found = ops_.find(name);
  if (found != ops_.end()) return found->second;
  const auto [entry, first] = undeclared_.emplace(name);
  if (first) notices.push_back(notices::undeclared_op(name));
  return undeclared_op(*entry);
}

OpPolicy OpTable::find(std::string_view name, const PrecisionPolicy& policy,
                       std::span<const NumberFormat> kernels, Notices& notices) {
  OpPolicy op = find(name, notices);
  if (!lacks_kernel(op, policy, kernels)) return op;
  const auto [entry, first] = without_kernel_.emplace(name);
  if (first) notices.push_back(notices::missing_kernel(name, name_of(policy.low)));
  return undeclared_op(op.name);
}

}  // namespace weft
