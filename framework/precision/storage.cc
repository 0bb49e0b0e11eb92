#include "framework/precision/storage.h"

#include <array>

namespace weft {
namespace {

Stored stored(Width width) {
  return width == Width::low ? Stored::low : Stored::f32;
}

StorageFormats all_f32() {
  StorageFormats storage{};  // Stored::f32 is the zero of its type
  storage.masters = false;
  return storage;
}

// O1: GEMMs read and write 16 bits, weights stay.
StorageFormats per_op_storage() {
  StorageFormats storage = all_f32();
  storage.gemm_inputs = Stored::low;
  storage.gemm_output = Stored::low;
  storage.activation_grads = Stored::as_activation;
  return storage;
}

// O2 and O3, and what lies between them.
StorageFormats whole_model_storage(const PrecisionPolicy& policy) {
  const PrecisionSettings& settings = policy.settings;
  const bool keep_norm = policy.keep_norm_fp32.value_or(false);
  StorageFormats storage = per_op_storage();
  storage.masters = policy.master_weights.value_or(false);
  storage.weights = Stored::low;
  storage.norm_params = keep_norm ? Stored::f32 : Stored::low;
  storage.crf_transitions = storage.norm_params;
  storage.f32_list_output = Stored::low;
  storage.logits = stored(settings.cast_model_outputs);
  storage.activation_grads = Stored::low;
  storage.param_grads = storage.masters ? stored(settings.grad_dtype) : Stored::low;
  storage.moments = storage.masters ? Stored::f32 : stored(settings.optimizer_state);
  return storage;
}

}  // namespace

std::string_view name_of(Stored stored) {
  static constexpr std::array<std::string_view, 3> names = {"f32", "low", "as activation"};
  return names[static_cast<std::size_t>(stored)];
}

StorageFormats storage_of(const PrecisionPolicy& policy) {
  switch (policy.cast_mode()) {
    case CastMode::none:
      return all_f32();
    case CastMode::per_op:
      return per_op_storage();
    case CastMode::whole_model:
      return whole_model_storage(policy);
  }
  return all_f32();
}

NumberFormat parameter_format(const PrecisionPolicy& policy, ParameterKind kind) {
  const StorageFormats storage = storage_of(policy);
  Stored stored = storage.weights;
  if (kind == ParameterKind::norm) stored = storage.norm_params;
  if (kind == ParameterKind::crf_transition) stored = storage.crf_transitions;
  return stored == Stored::low ? policy.low : NumberFormat::f32;
}

}  // namespace weft
