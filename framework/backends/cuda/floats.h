// Matrices of f32, f16 or bf16 as kernels see them: read into f32, rounded to nearest even when
// stored. The type is a value and not part of the kernel's: it is the same for all threads, and one
// kernel serves every mix of types.
#pragma once

#include <cstdint>

#include "framework/backends/cuda/block.h"
#include "framework/ops/host_device.h"
#include "framework/tensor/rounding.h"
#include "framework/tensor/view.h"

#ifdef __CUDACC__
#include <cuda_fp16.h>
#endif

namespace weft::cuda {

// As f16_from_f32 and f32_from_f16, by the instructions for it where there are any.
WEFT_HOST_DEVICE inline std::uint16_t to_f16(float value) {
#ifdef __CUDA_ARCH__
  return value != value ? f16_nan : __half_as_ushort(__float2half_rn(value));
#else
  return f16_from_f32(value);
#endif
}

WEFT_HOST_DEVICE inline float from_f16(std::uint16_t bits) {
#ifdef __CUDA_ARCH__
  return __half2float(__ushort_as_half(bits));
#else
  return f32_from_f16(bits);
#endif
}

struct Floats {
  void* data = nullptr;
  std::int64_t stride = 0;  // elements from one row to the next
  DType type = DType::f32;

  WEFT_HOST_DEVICE float load(std::int64_t row, std::int64_t column) const {
    const std::int64_t at = row * stride + column;
    if (type == DType::f32) return static_cast<const float*>(data)[at];
    const std::uint16_t bits = static_cast<const std::uint16_t*>(data)[at];
    return type == DType::f16 ? from_f16(bits) : f32_from_bf16(bits);
  }
  WEFT_HOST_DEVICE void store(std::int64_t row, std::int64_t column, float value) const {
    const std::int64_t at = row * stride + column;
    if (type == DType::f32) {
      static_cast<float*>(data)[at] = value;
    } else {
      static_cast<std::uint16_t*>(data)[at] =
          type == DType::f16 ? to_f16(value) : bf16_from_f32(value);
    }
  }
};

// Of f32 alone, with the same functions: no type has to be looked at between two loads, so that
// many of them are under way at once.
struct F32 {
  float* data = nullptr;
  std::int64_t stride = 0;

  WEFT_HOST_DEVICE float load(std::int64_t row, std::int64_t column) const {
    return data[row * stride + column];
  }
  WEFT_HOST_DEVICE void store(std::int64_t row, std::int64_t column, float value) const {
    data[row * stride + column] = value;
  }
};

// Numbers that the kernel does not write: their loads need not wait for its stores either.
struct ConstF32 {
  const float* data = nullptr;
  std::int64_t stride = 0;

  WEFT_HOST_DEVICE float load(std::int64_t row, std::int64_t column) const {
#ifdef __CUDA_ARCH__
    return __ldg(data + row * stride + column);
#else
    return data[row * stride + column];
#endif
  }
};

// Throws Error(internal) for a view of other numbers.
F32 f32(View view);
ConstF32 f32(ConstView view);
// Throws Error(internal) for a view of other numbers.
Floats floats(View view);
// To be read only.
Floats floats(ConstView view);
// Calls use(matrices...), as F32 where all are f32.
template <class Use, class... Views>
void with_numbers(const Use& use, const Views&... views) {
  if (((views.dtype == DType::f32) && ...)) {
    use(f32(views)...);
  } else {
    use(floats(views)...);
  }
}
// With the first row standing for every row.
Floats repeated_row(ConstView view);

}  // namespace weft::cuda
