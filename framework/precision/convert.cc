#include "framework/precision/convert.h"

#include <algorithm>

#include "framework/precision/convert_vector.h"
#include "framework/tensor/rounding.h"
#include "registry/base/error.h"

namespace weft {
namespace {

using Narrow = std::size_t (*)(const float*, std::uint16_t*, std::size_t);
using Round = std::size_t (*)(float*, std::size_t);
using Widen = std::size_t (*)(const std::uint16_t*, float*, std::size_t);

// The vector functions return how many elements they did; the portable loop does the rest.
struct Kernels {
  Narrow narrow = nullptr;
  Widen widen = nullptr;
  Round round = nullptr;
};

// All paths give the same bits, so the processor decides about speed alone.
Kernels kernels_of(ConversionPath path, NumberFormat format) {
  if (path == ConversionPath::portable || !is_low(format)) return {};
  const bool is_f16 = format == NumberFormat::f16;
  if (path == ConversionPath::vector8) {
    return is_f16 ? Kernels{vectors::narrow_f16, vectors::widen_f16, vectors::round_f16}
                  : Kernels{vectors::narrow_bf16, vectors::widen_bf16, vectors::round_bf16};
  }
  if (is_f16) return {vectors::narrow_f16_wide, vectors::widen_f16_wide, vectors::round_f16_wide};
  const bool has_unit = path == ConversionPath::vector16_bf16;
  return {has_unit ? vectors::narrow_bf16_unit : vectors::narrow_bf16_wide,
          vectors::widen_bf16_wide, vectors::round_bf16_wide};
}

float rounded_to(NumberFormat format, float value) {
  if (format == NumberFormat::tf32) return tf32_from_f32(value);
  return format == NumberFormat::f16 ? f32_from_f16(f16_from_f32(value))
                                     : f32_from_bf16(bf16_from_f32(value));
}

void check_sizes(NumberFormat format, std::size_t from, std::size_t to) {
  if (!is_low(format)) throw Error(ErrorKind::internal, "only fp16 and bf16 are stored in 16 bits");
  if (from != to) throw Error(ErrorKind::internal, "a conversion between arrays of unequal size");
}

}  // namespace

ConversionPath best_conversion_path() {
  static const ConversionPath best = [] {
    if (vectors::has_vector16_bf16()) return ConversionPath::vector16_bf16;
    if (vectors::has_vector16()) return ConversionPath::vector16;
    return vectors::has_vector8() ? ConversionPath::vector8 : ConversionPath::portable;
  }();
  return best;
}

void narrow_by(ConversionPath path, NumberFormat format, std::span<const float> from,
               std::span<std::uint16_t> to) {
  check_sizes(format, from.size(), to.size());
  const Kernels kernels = kernels_of(path, format);
  const std::size_t done =
      kernels.narrow == nullptr ? 0 : kernels.narrow(from.data(), to.data(), from.size());
  const auto one = format == NumberFormat::f16 ? f16_from_f32 : bf16_from_f32;
  std::transform(from.begin() + done, from.end(), to.begin() + done, one);
}

void widen_by(ConversionPath path, NumberFormat format, std::span<const std::uint16_t> from,
              std::span<float> to) {
  check_sizes(format, from.size(), to.size());
  const Kernels kernels = kernels_of(path, format);
  const std::size_t done =
      kernels.widen == nullptr ? 0 : kernels.widen(from.data(), to.data(), from.size());
  const auto one = format == NumberFormat::f16 ? f32_from_f16 : f32_from_bf16;
  std::transform(from.begin() + done, from.end(), to.begin() + done, one);
}

void narrow(NumberFormat format, std::span<const float> from, std::span<std::uint16_t> to) {
  narrow_by(best_conversion_path(), format, from, to);
}

void widen(NumberFormat format, std::span<const std::uint16_t> from, std::span<float> to) {
  widen_by(best_conversion_path(), format, from, to);
}

void round_to_by(ConversionPath path, NumberFormat format, std::span<float> values) {
  if (format == NumberFormat::f32) return;
  const Round round = kernels_of(path, format).round;
  const std::size_t done = round == nullptr ? 0 : round(values.data(), values.size());
  for (float& value : values.subspan(done)) value = rounded_to(format, value);
}

void round_to(NumberFormat format, std::span<float> values) {
  round_to_by(best_conversion_path(), format, values);
}

NumberFormat round_from(NumberFormat held, NumberFormat format, std::span<float> values) {
  if (format == NumberFormat::f32 || format == held) return held;
  round_to(format, values);
  return format;
}

}  // namespace weft
