// Number formats as element types of tensors, and casts of tensors between them.
#pragma once

#include "framework/precision/format.h"
#include "framework/tensor/tensor.h"
#include "registry/base/export.h"

namespace weft {

// f32, f16 or bf16; tf32 is stored as f32.
constexpr DType dtype_of(NumberFormat format) {
  if (format == NumberFormat::f16) return DType::f16;
  return format == NumberFormat::bf16 ? DType::bf16 : DType::f32;
}

// Of f32, f16 and bf16; the types that no policy touches count as f32.
constexpr NumberFormat format_of(DType type) {
  if (type == DType::f16) return NumberFormat::f16;
  return type == DType::bf16 ? NumberFormat::bf16 : NumberFormat::f32;
}

constexpr bool is_low(DType type) {
  return type == DType::f16 || type == DType::bf16;
}

// The types that the policy casts between.
constexpr bool is_cast_type(DType type) {
  return type == DType::f32 || is_low(type);
}

// Writes the numbers of `from` to `to`, rounded to nearest even where that is narrower. Matrices of
// the same shape with any row stride, of f32, f16 or bf16.
WEFT_API void cast_rows(ConstView from, View to);

// The tensor itself if it has that type, else a copy on the host in plain memory.
WEFT_API Tensor cast_to(DType type, const Tensor& tensor);

}  // namespace weft
