// Conversions of whole arrays, by the widest instructions that the processor has (AVX2 with
// F16C, AVX512, AVX512-BF16). Every path gives the bits of rounding.h, NaN included.
//
// Sources and targets have the same number of elements, else Error(internal); they do not overlap.
#pragma once

#include <cstdint>
#include <span>

#include "framework/precision/format.h"
#include "registry/base/export.h"

namespace weft {

// Which instructions to use; the default of the functions below is the best one at hand.
enum class ConversionPath : unsigned char { portable, vector8, vector16, vector16_bf16 };

// portable < vector8 (AVX2 with F16C) < vector16 (AVX512) < vector16_bf16 (AVX512 with BF16).
WEFT_API ConversionPath best_conversion_path();

// f32 -> `format`, which is f16 or bf16; targets are bit patterns.
WEFT_API void narrow(NumberFormat format, std::span<const float> from, std::span<std::uint16_t> to);

// `format`, which is f16 or bf16 -> f32. Exact.
WEFT_API void widen(NumberFormat format, std::span<const std::uint16_t> from, std::span<float> to);

// The same by a given path, which must not be above the best one: for tests and measurements.
WEFT_API void narrow_by(ConversionPath path, NumberFormat format, std::span<const float> from,
                        std::span<std::uint16_t> to);
WEFT_API void widen_by(ConversionPath path, NumberFormat format,
                       std::span<const std::uint16_t> from, std::span<float> to);
WEFT_API void round_to_by(ConversionPath path, NumberFormat format, std::span<float> values);

// Each value rounded to `format` and widened again, in place; f32 leaves it alone, tf32 rounds to
// nearest even.
WEFT_API void round_to(NumberFormat format, std::span<float> values);

// The same of numbers that are of the format `held` (f32: nothing is known of them), and the format
// that they are of then. Rounding twice to one format changes nothing, so that pass is left out.
WEFT_API NumberFormat round_from(NumberFormat held, NumberFormat format, std::span<float> values);

}  // namespace weft
