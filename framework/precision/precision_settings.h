// The block [training.precision]: every key of `amp.v1` as it stands in a config, before the
// level's defaults are filled in. Source: docs/precision.md, "Levels".
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "framework/precision/level.h"
#include "registry/functions/fields.h"

namespace weft {

// A setting that is either f32 or the run's 16-bit format.
enum class Width : unsigned char { f32, low };
enum class LowFormat : unsigned char { fp16, bf16 };
enum class SaveFormat : unsigned char { f32, fp16, bf16 };
enum class MatmulPrecision : unsigned char { highest, tf32 };
enum class OnDivergence : unsigned char { stop, fallback_layer, fallback_fp32 };
enum class OnSkip : unsigned char { hold, advance };
enum class EvalLevel : unsigned char { same, O0 };

constexpr std::array<std::string_view, 2> enum_names(Width) {
  return {"f32", "low"};
}
constexpr std::array<std::string_view, 2> enum_names(LowFormat) {
  return {"fp16", "bf16"};
}
constexpr std::array<std::string_view, 3> enum_names(SaveFormat) {
  return {"f32", "fp16", "bf16"};
}
constexpr std::array<std::string_view, 2> enum_names(MatmulPrecision) {
  return {"highest", "tf32"};
}
constexpr std::array<std::string_view, 3> enum_names(OnDivergence) {
  return {"stop", "fallback_layer", "fallback_fp32"};
}
constexpr std::array<std::string_view, 2> enum_names(OnSkip) {
  return {"hold", "advance"};
}
constexpr std::array<std::string_view, 2> enum_names(EvalLevel) {
  return {"same", "O0"};
}

struct PrecisionSettings {
  using LossScale = std::variant<double, std::string>;  // a number or "dynamic"
  using Rule = std::map<std::string, std::string>;      // {"match": glob, "compute": f32|low|auto}

  LevelChoice level;
  LowFormat dtype = LowFormat::fp16;
  std::optional<Width> cast_model_type;
  std::optional<bool> patch_ops;
  std::optional<bool> keep_norm_fp32;
  std::optional<bool> keep_batchnorm_fp32;  // Apex's name for the same
  std::optional<bool> master_weights;
  std::optional<LossScale> loss_scale;
  Width cast_model_outputs = Width::f32;
  std::optional<Width> norm_output;
  Width grad_dtype = Width::f32;
  Width optimizer_state = Width::f32;
  double grad_norm = 0.0;  // 0: off
  MatmulPrecision matmul_precision = MatmulPrecision::highest;
  double init_scale = 65536.0;
  double growth_factor = 2.0;
  double backoff_factor = 0.5;
  int growth_interval = 2000;
  double min_loss_scale = 1.0;
  double max_loss_scale = 16777216.0;
  int max_consecutive_skips = 20;
  OnDivergence on_divergence = OnDivergence::stop;
  OnSkip schedules_on_skip = OnSkip::hold;
  EvalLevel eval_level = EvalLevel::same;
  SaveFormat save_dtype = SaveFormat::f32;
  Width reduce_dtype = Width::f32;
  bool check_gradients = false;
  bool fast_cpu = false;
  std::vector<Rule> rules;
};

template <class Visitor>
void fields(Visitor& v, PrecisionSettings& s) {
  v("level", s.level, "O0, O1, O2, O3, or one of the shorthands fp32, tf32 and bf16");
  v("dtype", s.dtype, "the 16-bit format of O1, O2 and O3");
  v("cast_model_type", s.cast_model_type, "format of the stored weights; null: as the level says");
  v("patch_ops", s.patch_ops, "cast the inputs of each op by its category; null: at O1 alone");
  v("keep_norm_fp32", s.keep_norm_fp32, "keep normalisation weights f32; null: as the level says");
  v("keep_batchnorm_fp32", s.keep_batchnorm_fp32, "another name for keep_norm_fp32");
  v("master_weights", s.master_weights, "f32 weights beside 16-bit ones; null: at O2 alone");
  v("loss_scale", s.loss_scale, "\"dynamic\" or a number; null: as the level and dtype say");
  v("cast_model_outputs", s.cast_model_outputs, "format of a model's outputs at O2 and O3");
  v("norm_output", s.norm_output, "format in which O1 stores what layer norm gives; null: f32");
  v("grad_dtype", s.grad_dtype, "format of parameter gradients at O2");
  v("optimizer_state", s.optimizer_state, "format of the optimizer's moments at O3");
  v("grad_norm", s.grad_norm, "largest norm of all gradients of a step together; 0: not clipped");
  v("matmul_precision", s.matmul_precision, "how GEMMs of f32 inputs are computed");
  v("init_scale", s.init_scale, "loss scale of the first step");
  v("growth_factor", s.growth_factor, "the scale times this after growth_interval good steps");
  v("backoff_factor", s.backoff_factor, "the scale times this after an overflow");
  v("growth_interval", s.growth_interval, "good steps in a row before the scale grows");
  v("min_loss_scale", s.min_loss_scale, "the scale never falls below this");
  v("max_loss_scale", s.max_loss_scale, "the scale never grows beyond this", at_least(0),
    may_be_infinite);
  v("max_consecutive_skips", s.max_consecutive_skips, "skips in a row that count as divergence");
  v("on_divergence", s.on_divergence, "what happens then");
  v("schedules_on_skip", s.schedules_on_skip, "whether a skipped step moves the schedules");
  v("eval_level", s.eval_level, "level of evaluations during training");
  v("save_dtype", s.save_dtype, "format of the weights in saved models");
  v("reduce_dtype", s.reduce_dtype,
    "accepted for configs of other programs, without effect: ranks add up gradients in f32");
  v("check_gradients", s.check_gradients,
    "O0 and bf16: skip a step with a non-finite gradient instead of stopping");
  v("fast_cpu", s.fast_cpu,
    "accepted for configs of other programs, without effect: 16-bit units of a processor are used "
    "wherever they give the documented rounding");
  v("rules", s.rules, "exceptions by layer path: {\"match\": glob, \"compute\": f32, low or auto}");
}

}  // namespace weft
