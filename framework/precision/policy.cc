#include "framework/precision/policy.h"

#include <array>

#include "framework/precision/check_settings.h"
#include "registry/base/error.h"

namespace weft {
namespace {

// Rows O0 to O3, in the order of the struct: weights cast, ops cast, norms in f32, masters in f32,
// dynamic scale with fp16.
constexpr std::array<LevelDefaults, 4> level_table = {{
    {Width::f32, false, std::nullopt, false, false},
    {std::nullopt, true, std::nullopt, std::nullopt, true},
    {Width::low, false, true, true, true},
    {Width::low, false, false, false, false},
}};

constexpr double least_low_eps = 0x1p-13;

// The moments are in 16 bits only where the weights are, with no masters beside them.
bool low_optimizer_state(const PrecisionPolicy& policy) {
  return policy.cast_mode() == CastMode::whole_model && !policy.master_weights.value_or(false) &&
         policy.settings.optimizer_state == Width::low;
}

}  // namespace

const LevelDefaults& defaults_of(Level level) {
  return level_table[static_cast<std::size_t>(level)];
}

CastMode PrecisionPolicy::cast_mode() const {
  if (patch_ops) return CastMode::per_op;
  return cast_model_type == Width::low ? CastMode::whole_model : CastMode::none;
}

bool PrecisionPolicy::stores_fp16() const {
  return cast_mode() != CastMode::none && low == NumberFormat::f16;
}

std::optional<LossScalerSettings> PrecisionPolicy::scaling() const {
  if (!dynamic_scale && loss_scale == 1.0 && !stores_fp16()) return {};
  LossScalerSettings scaling;
  scaling.dynamic = dynamic_scale;
  scaling.init_scale = dynamic_scale ? settings.init_scale : loss_scale;
  scaling.growth_factor = settings.growth_factor;
  scaling.backoff_factor = settings.backoff_factor;
  scaling.growth_interval = settings.growth_interval;
  scaling.min_scale = settings.min_loss_scale;
  scaling.max_scale = settings.max_loss_scale;
  scaling.max_consecutive_skips = settings.max_consecutive_skips;
  return scaling;
}

bool PrecisionPolicy::skips_non_finite_gradients() const {
  return settings.check_gradients || scaling().has_value();
}

Compute PrecisionPolicy::compute_of(const std::string& path) const {
  const PrecisionRule* rule = find_rule(rules, path);
  return rule == nullptr ? Compute::automatic : rule->compute;
}

PrecisionPolicy resolve_precision(const PrecisionSettings& settings, Notices& notices) {
  check_ranges(settings, notices);
  PrecisionPolicy policy;
  policy.settings = settings;
  policy.rules = read_rules(settings.rules, notices);
  policy.level = settings.level.level;
  // A setting wins over the row of its level; the row stands where nothing is set.
  const bool bf16 = settings.level.bf16 || settings.dtype == LowFormat::bf16;
  policy.low = bf16 ? NumberFormat::bf16 : NumberFormat::f16;
  policy.tf32 = settings.level.tf32 || settings.matmul_precision == MatmulPrecision::tf32;
  const auto keep_norm =
      settings.keep_norm_fp32 ? settings.keep_norm_fp32 : settings.keep_batchnorm_fp32;
  const LevelDefaults& row = defaults_of(policy.level);
  policy.cast_model_type =
      settings.cast_model_type ? settings.cast_model_type : row.cast_model_type;
  policy.patch_ops = settings.patch_ops.value_or(row.patch_ops);
  policy.keep_norm_fp32 = keep_norm ? keep_norm : row.keep_norm_fp32;
  policy.master_weights = settings.master_weights ? settings.master_weights : row.master_weights;
  policy.dynamic_scale = row.dynamic_with_fp16 && policy.low == NumberFormat::f16;
  if (settings.loss_scale) {
    policy.dynamic_scale = std::holds_alternative<std::string>(*settings.loss_scale);
    if (!policy.dynamic_scale) policy.loss_scale = std::get<double>(*settings.loss_scale);
  }
  check_combinations(policy, notices);
  return policy;
}

PrecisionPolicy make_precision_policy(const PrecisionSettings& settings) {
  Notices notices;
  PrecisionPolicy policy = resolve_precision(settings, notices);
  if (has_errors(notices)) {
    throw Error(ErrorKind::config, problems_of(notices, "training.precision"));
  }
  policy.notices = std::move(notices);
  return policy;
}

double optimizer_eps(const PrecisionPolicy& policy, double eps, Notices& notices) {
  if (!low_optimizer_state(policy) || eps >= least_low_eps) return eps;
  notices.push_back(notices::eps_raised(eps, least_low_eps));
  return least_low_eps;
}

}  // namespace weft
