// The precision policy of a run: a level's row of the table with the user's settings laid over it.
// Made by `amp.v1`, of kind "precision". It is data: code that needs a number format asks it.
// Sources: docs/precision.md; the levels are those of NVIDIA Apex AMP.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/precision/format.h"
#include "framework/precision/loss_scaler_settings.h"
#include "framework/precision/notice.h"
#include "framework/precision/precision_settings.h"
#include "framework/precision/rules.h"
#include "registry/base/export.h"
#include "registry/functions/type.h"

namespace weft {

// One row of the table: what a level sets where the user sets nothing.
struct LevelDefaults {
  std::optional<Width> cast_model_type;  // nothing: weights stay what they are
  bool patch_ops;
  std::optional<bool> keep_norm_fp32;  // nothing: has no meaning at this level
  std::optional<bool> master_weights;
  bool dynamic_with_fp16;  // else the loss scale is 1; with bf16 it is 1 always
};
WEFT_API const LevelDefaults& defaults_of(Level level);

// Where 16-bit values come into being.
enum class CastMode : unsigned char {
  none,         // nowhere
  per_op,       // at the inputs of ops, by category: O1
  whole_model,  // in the weights and inputs of the model: O2 and O3
};

struct WEFT_API PrecisionPolicy {
  PrecisionSettings settings;  // as written; the fields below hold what they resolve to
  Level level = Level::O0;
  NumberFormat low = NumberFormat::f16;  // or bf16
  std::optional<Width> cast_model_type;
  bool patch_ops = false;
  std::optional<bool> keep_norm_fp32;
  std::optional<bool> master_weights;
  bool dynamic_scale = false;
  double loss_scale = 1.0;  // of a fixed scale
  bool tf32 = false;        // GEMMs of f32 inputs may round them to tf32
  std::vector<PrecisionRule> rules;
  Notices notices;  // warnings and notes, for the log

  CastMode cast_mode() const;
  // True if some value of the run is stored in fp16.
  bool stores_fp16() const;
  // The format that a width stands for in this run.
  NumberFormat format_of(Width width) const {
    return width == Width::f32 ? NumberFormat::f32 : low;
  }
  // The settings of the loss scaler, or nothing where the run has none.
  std::optional<LossScalerSettings> scaling() const;
  // Whether a step with a non-finite gradient is dropped; if not, it ends the run (exit status 4).
  bool skips_non_finite_gradients() const;
  // How the layer at `path` computes: the last matching rule, else automatic.
  Compute compute_of(const std::string& path) const;
};

// The policy that `settings` ask for. Errors, warnings and notes are added to `notices`; with an
// error among them the result is of no use.
WEFT_API PrecisionPolicy resolve_precision(const PrecisionSettings& settings, Notices& notices);

// The same; throws Error(config) with all problems under "training.precision" if there are errors,
// else keeps warnings and notes in the policy.
WEFT_API PrecisionPolicy make_precision_policy(const PrecisionSettings& settings);

// An optimizer's eps under the policy: raised to 2^-13 where moments are stored in 16 bits, with a
// warning added to `notices`.
WEFT_API double optimizer_eps(const PrecisionPolicy& policy, double eps, Notices& notices);

}  // namespace weft

template <>
struct weft::ProductTraits<weft::PrecisionPolicy> {
  static constexpr std::string_view kind = "precision", name = "precision policy";
};
