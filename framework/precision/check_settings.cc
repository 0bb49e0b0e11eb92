#include "framework/precision/check_settings.h"

#include <cmath>

#include <fmt/format.h>

namespace weft {
namespace {

bool is_positive(double value) {
  return value > 0 && std::isfinite(value);
}

void require(bool fits, std::string_view key, double value, std::string_view rule,
             Notices& notices) {
  if (!fits) notices.push_back(notices::out_of_range(key, fmt::format("{}", value), rule));
}

void check_loss_scale(const PrecisionSettings& settings, Notices& notices) {
  if (!settings.loss_scale) return;
  if (const auto* word = std::get_if<std::string>(&*settings.loss_scale)) {
    if (*word == "dynamic") return;
    notices.push_back(notices::out_of_range("loss_scale", fmt::format("\"{}\"", *word),
                                            "\"dynamic\" or a number above 0"));
    return;
  }
  const double scale = std::get<double>(*settings.loss_scale);
  require(is_positive(scale), "loss_scale", scale, "\"dynamic\" or a number above 0", notices);
}

// O1 works on the inputs of ops and leaves the weights alone, so settings about weights are wrong.
void check_o1(const PrecisionSettings& settings, Notices& notices) {
  if (settings.cast_model_type == Width::low) notices.push_back(notices::weights_are_not_cast());
  if (settings.master_weights) notices.push_back(notices::no_meaning_at_o1("master_weights"));
  if (settings.keep_norm_fp32) notices.push_back(notices::no_meaning_at_o1("keep_norm_fp32"));
  if (settings.keep_batchnorm_fp32) {
    notices.push_back(notices::no_meaning_at_o1("keep_batchnorm_fp32"));
  }
}

void check_scale(const PrecisionPolicy& policy, Notices& notices) {
  const bool scales = policy.level != Level::O0 && policy.low == NumberFormat::f16;
  if (policy.dynamic_scale && !scales) {
    const NumberFormat format = policy.level == Level::O0 ? NumberFormat::f32 : policy.low;
    notices.push_back(notices::scaling_not_needed(name_of(format)));
  }
  const bool needs_scale = scales && policy.level != Level::O3;
  if (needs_scale && !policy.dynamic_scale && policy.loss_scale == 1.0) {
    notices.push_back(notices::fp16_without_scaling());
  }
}

void note_unless(bool has_effect, std::string_view key, std::string_view where, Notices& notices) {
  if (has_effect) return;
  notices.push_back({"", Severity::note, fmt::format("precision: {} has no effect{}", key, where),
                     std::string(key)});
}

void note_without_effect(const PrecisionPolicy& policy, Notices& notices) {
  const PrecisionSettings& settings = policy.settings;
  const bool masters = policy.master_weights.value_or(false);
  const bool whole = policy.cast_mode() == CastMode::whole_model;
  const std::string level = fmt::format(" at {}", name_of(policy.level));
  note_unless(!settings.norm_output || policy.cast_mode() == CastMode::per_op, "norm_output", level,
              notices);
  note_unless(settings.grad_dtype == Width::f32 || whole, "grad_dtype", level, notices);
  note_unless(settings.optimizer_state == Width::f32 || (whole && !masters), "optimizer_state",
              level, notices);
  note_unless(settings.cast_model_outputs == Width::f32 || whole, "cast_model_outputs", level,
              notices);
  note_unless(settings.rules.empty() || policy.cast_mode() != CastMode::none, "rules", level,
              notices);
  note_unless(settings.reduce_dtype == Width::f32, "reduce_dtype", ": ranks add up in f32",
              notices);
  note_unless(!settings.fast_cpu, "fast_cpu",
              ": a processor's 16-bit units are used where they give the documented rounding",
              notices);
}

void check_initial_scale(const PrecisionSettings& s, Notices& notices) {
  require(is_positive(s.init_scale), "init_scale", s.init_scale, "above 0", notices);
  const std::string most = fmt::format("at most max_loss_scale = {}", s.max_loss_scale);
  const bool fits = !is_positive(s.init_scale) || s.init_scale <= s.max_loss_scale;
  require(fits, "init_scale", s.init_scale, most, notices);
}

}  // namespace

void check_ranges(const PrecisionSettings& s, Notices& notices) {
  check_initial_scale(s, notices);
  require(s.growth_factor > 1 && std::isfinite(s.growth_factor), "growth_factor", s.growth_factor,
          "above 1", notices);
  require(s.backoff_factor > 0 && s.backoff_factor < 1, "backoff_factor", s.backoff_factor,
          "above 0 and below 1", notices);
  require(s.growth_interval >= 1, "growth_interval", s.growth_interval, "at least 1", notices);
  require(s.min_loss_scale >= 0 && std::isfinite(s.min_loss_scale), "min_loss_scale",
          s.min_loss_scale, "at least 0", notices);
  const std::string least = fmt::format("at least min_loss_scale = {}", s.min_loss_scale);
  require(s.max_loss_scale > 0 && s.max_loss_scale >= s.min_loss_scale, "max_loss_scale",
          s.max_loss_scale, least, notices);
  require(s.max_consecutive_skips >= 1, "max_consecutive_skips", s.max_consecutive_skips,
          "at least 1", notices);
  require(s.grad_norm >= 0 && std::isfinite(s.grad_norm), "grad_norm", s.grad_norm, "at least 0",
          notices);
  check_loss_scale(s, notices);
  if (s.keep_norm_fp32 && s.keep_batchnorm_fp32 && *s.keep_norm_fp32 != *s.keep_batchnorm_fp32) {
    notices.push_back(
        {"", Severity::error,
         "precision: keep_norm_fp32 and keep_batchnorm_fp32 are one setting, and they "
         "disagree",
         "keep_batchnorm_fp32"});
  }
}

void check_combinations(const PrecisionPolicy& policy, Notices& notices) {
  if (policy.level == Level::O1) check_o1(policy.settings, notices);
  if (policy.level != Level::O1 && policy.patch_ops) {
    notices.push_back(notices::patch_ops_belongs_to_o1());
  }
  check_scale(policy, notices);
  note_without_effect(policy, notices);
}

}  // namespace weft
