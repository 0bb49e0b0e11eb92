// Which format each kind of array of a run is stored in. Source: docs/precision.md, "Storage and
// arithmetic".
#pragma once

#include <string_view>

#include "framework/precision/policy.h"
#include "registry/base/export.h"

namespace weft {

enum class Stored : unsigned char { f32, low, as_activation };

// "f32", "low", "as activation".
WEFT_API std::string_view name_of(Stored stored);

struct StorageFormats {
  Stored weights;
  Stored norm_params;
  Stored crf_transitions;
  Stored gemm_inputs;
  Stored gemm_accumulator;
  Stored gemm_output;
  Stored f32_list_output;  // outputs of ops of category f32
  Stored logits;
  Stored loss;
  Stored activation_grads;
  Stored param_grads;
  Stored moments;
  Stored averages;
  bool masters;  // f32 weights are kept beside 16-bit ones
};

WEFT_API StorageFormats storage_of(const PrecisionPolicy& policy);

// The kinds of parameters that the policy tells apart.
enum class ParameterKind : unsigned char { weight, norm, crf_transition };

// The format in which a parameter of that kind is stored.
WEFT_API NumberFormat parameter_format(const PrecisionPolicy& policy, ParameterKind kind);

}  // namespace weft
