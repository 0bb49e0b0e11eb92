// Formats of one op under a precision policy: those of its inputs, its accumulators and its output.
// Pure functions of the op's declaration and the run's policy.
// Source: docs/precision.md, "Op categories".
#pragma once

#include <span>
#include <string_view>

#include "framework/precision/category.h"
#include "framework/precision/policy.h"
#include "registry/base/export.h"

namespace weft {

// A format that may depend on the run and on the inputs of the op.
enum class FormatRule : unsigned char {
  f32,
  low,     // the run's 16-bit format
  input,   // that of the first floating input
  widest,  // the widest of the floating inputs
  error,   // the op is refused
};

// "f32", "low", "input", "widest", "error".
WEFT_API std::string_view name_of(FormatRule rule);

// The declaration of an op. Formats of f64 and integer arrays are never touched.
struct OpPolicy {
  std::string_view name;
  Category category = Category::f32;
  bool always_f32 = false;           // inputs and output are f32 at every level
  bool accumulates = true;           // has an accumulator, which is f32 at every level
  FormatRule output_per_op{};        // output at O1
  FormatRule output_whole_model{};   // output at O2 and O3
  bool gives_logits = false;         // output at O2 and O3 is what cast_model_outputs says
  bool follows_norm_output = false;  // output at O1 is what the setting norm_output says
  bool declared = true;              // false: inputs are widened to f32 and outputs cast back
};

// A declaration with the outputs that follow from the category.
WEFT_API OpPolicy declare_op(std::string_view name, Category category, bool always_f32 = false);

// The policy of an op that nobody declared.
WEFT_API OpPolicy undeclared_op(std::string_view name);

// Whether the run would have `op` compute in 16 bits although its kernels take `kernels` alone
// (none: they take every format): it then runs in f32, as an undeclared op does (P012).
WEFT_API bool lacks_kernel(const OpPolicy& op, const PrecisionPolicy& policy,
                           std::span<const NumberFormat> kernels);

struct OpFormats {
  FormatRule input = FormatRule::input;  // floating inputs are cast to it; `input` = left alone
  FormatRule output = FormatRule::input;
  bool match_first = false;  // all inputs are cast to the format of the first

  bool operator==(const OpFormats&) const = default;
};

// The rules for `op` under `policy`, in a layer that computes as `compute` says. A rule never
// touches an op that is banned or always f32, and none has an effect at O0. "low" at O2 and O3 is
// the format of the first floating input, which inside a model is 16 bits wide.
WEFT_API OpFormats formats_of(const OpPolicy& op, const PrecisionPolicy& policy,
                              Compute compute = Compute::automatic);

}  // namespace weft
