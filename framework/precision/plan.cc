#include "framework/precision/plan.h"

#include <fmt/format.h>

namespace weft {
namespace {

constexpr std::int64_t matrix_unit = 8;

std::string shown(FormatRule rule, const PrecisionPolicy& policy) {
  return std::string(rule == FormatRule::low ? name_of(policy.low) : name_of(rule));
}

std::string decided_by(const PrecisionPolicy& policy, const std::string& path, const OpPolicy& op) {
  if (policy.cast_mode() == CastMode::none) return std::string(name_of(policy.level));
  if (op.always_f32) return "always f32";
  if (op.category == Category::banned) return "banned";
  const PrecisionRule* rule = find_rule(policy.rules, path);
  if (rule != nullptr && rule->compute != Compute::automatic) {
    return fmt::format("rule {} ({})", rule - policy.rules.data() + 1, rule->match);
  }
  return op.declared ? std::string(name_of(policy.level)) : "undeclared";
}

}  // namespace

PlanLine plan_op(const PrecisionPolicy& policy, const std::string& path, const OpPolicy& op) {
  const OpFormats formats = formats_of(op, policy, policy.compute_of(path));
  PlanLine line;
  line.path = path;
  line.name = op.name;
  line.category = name_of(op.category);
  const bool plain = policy.cast_mode() == CastMode::none;
  const bool uniform = policy.cast_mode() == CastMode::whole_model;
  line.input = plain ? "f32" : shown(formats.input, policy);
  if (uniform && formats.input == FormatRule::input) line.input = name_of(policy.low);
  line.accumulator = op.accumulates ? "f32" : "";
  line.output = shown(formats.output, policy);
  line.decided_by = decided_by(policy, path, op);
  if (policy.tf32 && op.category == Category::low && line.input == "f32") line.input = "tf32";
  return line;
}

PlanLine plan_parameter(const PrecisionPolicy& policy, const std::string& path,
                        const std::string& name, ParameterKind kind,
                        std::vector<std::int64_t> shape) {
  const NumberFormat format = parameter_format(policy, kind);
  PlanLine line;
  line.path = path;
  line.name = name;
  line.category = "parameter";
  line.output = name_of(format);
  if (!shape.empty()) shape.back() = padded_size(shape.back(), format);
  line.padded = std::move(shape);
  line.decided_by = name_of(policy.level);
  return line;
}

std::int64_t padded_size(std::int64_t size, NumberFormat format) {
  if (!is_low(format)) return size;
  return (size + matrix_unit - 1) / matrix_unit * matrix_unit;
}

}  // namespace weft
