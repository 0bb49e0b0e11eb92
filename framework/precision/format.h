// The number formats of the precision policy and what they can hold.
// Source: docs/precision.md, "Formats"; IEEE 754-2019 for binary16 and binary32.
#pragma once

#include <cstdint>
#include <string_view>

#include "registry/base/export.h"

namespace weft {

enum class NumberFormat : unsigned char {
  f32,   // binary32
  f16,   // binary16, "fp16" in configs
  bf16,  // the upper half of a binary32
  tf32,  // f32 rounded to ten fraction bits; only ever an input of a GEMM, never stored
};

// "f32", "fp16", "bf16", "tf32".
WEFT_API std::string_view name_of(NumberFormat format);

struct FormatLimits {
  float largest;                // largest finite value
  float smallest_normal;        // below it, precision falls
  float smallest_positive;      // below half of it, values round to zero
  float unit_roundoff;          // largest relative error of rounding to nearest
  std::int32_t exact_integers;  // every integer up to here is exact
};
WEFT_API const FormatLimits& limits(NumberFormat format);

// True for the formats of two bytes.
constexpr bool is_low(NumberFormat format) {
  return format == NumberFormat::f16 || format == NumberFormat::bf16;
}

WEFT_API float finite_max(NumberFormat format);
WEFT_API float finite_lowest(NumberFormat format);
WEFT_API float smallest_positive(NumberFormat format);

// Half of the lowest finite value: a mask to which a score can be added without reaching -inf.
WEFT_API float mask_value(NumberFormat format);

// `eps`, raised as far as the format needs: in fp16 to at least 2^-13, elsewhere to at least the
// smallest normal number.
WEFT_API float safe_eps(NumberFormat format, float eps);

}  // namespace weft
