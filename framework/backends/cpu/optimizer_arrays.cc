// Number by number: the optimizer of the CPU works on slices of arrays with the ops of one array.
// These are what the kernels of devices are compared with.
#include "framework/ops/optimizer_arrays.h"

#include "framework/tensor/rounding.h"

namespace weft {
namespace {

// Gradients of 16 bits lie in f32 here; a number is rounded to its type as memory would hold it.
float rounded(float value, DType type) {
  if (type == DType::f16) return f32_from_f16(f16_from_f32(value));
  return type == DType::bf16 ? f32_from_bf16(bf16_from_f32(value)) : value;
}

float load(const void* data, DType type, std::int64_t i) {
  if (type == DType::f32) return static_cast<const float*>(data)[i];
  const std::uint16_t bits = static_cast<const std::uint16_t*>(data)[i];
  return type == DType::f16 ? f32_from_f16(bits) : f32_from_bf16(bits);
}

void store(void* data, DType type, std::int64_t i, float value) {
  if (type == DType::f32) {
    static_cast<float*>(data)[i] = value;
  } else {
    static_cast<std::uint16_t*>(data)[i] =
        type == DType::f16 ? f16_from_f32(value) : bf16_from_f32(value);
  }
}

float kept(const GradientElements& gradient, std::int64_t i) {
  return gradient.data == nullptr ? 0.0F : rounded(gradient.data[i], gradient.type);
}

void gradient_norms(Stream&, std::span<const NormArray> arrays, double* squares) {
  for (std::size_t a = 0; a < arrays.size(); ++a) {
    const NormArray& array = arrays[a];
    squares[a] = 0.0;
    for (std::int64_t i = 0; i < array.count; ++i) {
      const float gradient = kept(array.gradient, i) * array.gradient.factor;
      const double value = array.l2 == 0.0F
                               ? gradient
                               : gradient + array.l2 * load(array.weights, array.weight_type, i);
      squares[a] += value * value;
    }
  }
}

void step_arrays(Stream&, std::span<const StepArray> arrays) {
  for (const StepArray& array : arrays) {
    const bool has_moments = array.rule != StepRule::sgd;
    for (std::int64_t i = 0; i < array.count; ++i) {
      WeightStep n{.weight = load(array.weights, array.weight_type, i)};
      if (has_moments) {
        n.mom1 = load(array.mom1, array.moment_type, i);
        n.mom2 = load(array.mom2, array.moment_type, i);
      }
      if (array.average != nullptr) n.average = array.average[i];
      step_element(array, kept(array.gradient, i) * array.gradient.factor, n);
      store(array.weights, array.weight_type, i, n.weight);
      if (has_moments) {
        store(array.mom1, array.moment_type, i, n.mom1);
        store(array.mom2, array.moment_type, i, n.mom2);
      }
      if (array.average != nullptr) array.average[i] = n.average;
    }
  }
}

const KernelRegistration<GradientNorms> norms_registered{DeviceKind::cpu, gradient_norms};
const KernelRegistration<StepArrays> step_registered{DeviceKind::cpu, step_arrays};

}  // namespace
}  // namespace weft
