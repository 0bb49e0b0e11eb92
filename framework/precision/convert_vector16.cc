#include "framework/precision/convert_vector.h"

#if defined(__x86_64__)

#include "framework/precision/vector_intrinsics.h"
#include "framework/tensor/rounding.h"

namespace weft::vectors {
namespace {

[[gnu::target("avx512f")]] __m256i load_16(const std::uint16_t* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

[[gnu::target("avx512f")]] void store_16(std::uint16_t* to, __m256i halves) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), halves);
}

[[gnu::target("avx512f")]] __mmask16 nans_of(__m512 values) {
  return _mm512_cmp_ps_mask(values, values, _CMP_UNORD_Q);
}

// f32 -> the bf16 patterns, each in the upper half of its 32 bits: to nearest, ties to even, as
// round_bf16() of eight does it. By integers, as the instruction would flush subnormals.
[[gnu::target("avx512f")]] __m512i round_bf16(__m512 values) {
  const __m512i bits = _mm512_castps_si512(values);
  const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
  const __m512i half = _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff));
  const __m512i upper = _mm512_set1_epi32(static_cast<int>(0xffff0000U));
  const __m512i rounded = _mm512_and_si512(_mm512_add_epi32(bits, half), upper);
  const __m512i nan = _mm512_set1_epi32(nan_as_f32);
  return _mm512_mask_mov_epi32(rounded, nans_of(values), nan);
}

}  // namespace

bool has_vector16() {
  return has_vector8() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

bool has_vector16_bf16() {
  return has_vector16() && __builtin_cpu_supports("avx512bf16");
}

// The instruction keeps a NaN's sign and payload; the definition has one NaN.
[[gnu::target("avx512f,avx512bw,avx512vl")]] std::size_t narrow_f16_wide(const float* from,
                                                                         std::uint16_t* to,
                                                                         std::size_t size) {
  const __m256i nan = _mm256_set1_epi16(f16_nan);
  std::size_t i = 0;
  for (; i + 16 <= size; i += 16) {
    const __m512 values = _mm512_loadu_ps(from + i);
    const __m256i halves = _mm512_cvtps_ph(values, _MM_FROUND_TO_NEAREST_INT);
    store_16(to + i, _mm256_mask_mov_epi16(halves, nans_of(values), nan));
  }
  return i;
}

[[gnu::target("avx512f")]] std::size_t widen_f16_wide(const std::uint16_t* from, float* to,
                                                      std::size_t size) {
  std::size_t i = 0;
  for (; i + 16 <= size; i += 16) _mm512_storeu_ps(to + i, _mm512_cvtph_ps(load_16(from + i)));
  return i;
}

[[gnu::target("avx512f")]] std::size_t round_f16_wide(float* numbers, std::size_t size) {
  const __m512 nan = _mm512_castsi512_ps(_mm512_set1_epi32(nan_as_f32));
  std::size_t i = 0;
  for (; i + 16 <= size; i += 16) {
    const __m512 values = _mm512_loadu_ps(numbers + i);
    const __m512 rounded = _mm512_cvtph_ps(_mm512_cvtps_ph(values, _MM_FROUND_TO_NEAREST_INT));
    _mm512_storeu_ps(numbers + i, _mm512_mask_mov_ps(rounded, nans_of(values), nan));
  }
  return i;
}

[[gnu::target("avx512f")]] std::size_t narrow_bf16_wide(const float* from, std::uint16_t* to,
                                                        std::size_t size) {
  std::size_t i = 0;
  for (; i + 16 <= size; i += 16) {
    const __m512i upper = round_bf16(_mm512_loadu_ps(from + i));
    store_16(to + i, _mm512_cvtepi32_epi16(_mm512_srli_epi32(upper, 16)));
  }
  return i;
}

[[gnu::target("avx512f")]] std::size_t widen_bf16_wide(const std::uint16_t* from, float* to,
                                                       std::size_t size) {
  std::size_t i = 0;
  for (; i + 16 <= size; i += 16) {
    const __m512i bits = _mm512_slli_epi32(_mm512_cvtepu16_epi32(load_16(from + i)), 16);
    _mm512_storeu_si512(to + i, bits);
  }
  return i;
}

[[gnu::target("avx512f")]] std::size_t round_bf16_wide(float* numbers, std::size_t size) {
  std::size_t i = 0;
  for (; i + 16 <= size; i += 16) {
    _mm512_storeu_si512(numbers + i, round_bf16(_mm512_loadu_ps(numbers + i)));
  }
  return i;
}

// The instruction flushes subnormals and keeps payloads, so vectors with such values, which are
// rare, go through the integer form. The question is asked of the integers: under DAZ,
// VFPCLASSPS takes subnormals for zeros.
[[gnu::target("avx512f,avx512bf16")]] std::size_t narrow_bf16_unit(const float* from,
                                                                   std::uint16_t* to,
                                                                   std::size_t size) {
  const __m512i magnitude_mask = _mm512_set1_epi32(rounding::magnitude_mask);
  const __m512i infinity = _mm512_set1_epi32(rounding::infinity_bits);
  const __m512i subnormals = _mm512_set1_epi32(0x7fffff);
  std::size_t i = 0;
  for (; i + 16 <= size; i += 16) {
    const __m512 values = _mm512_loadu_ps(from + i);
    const __m512i magnitude = _mm512_and_si512(_mm512_castps_si512(values), magnitude_mask);
    const __m512i below = _mm512_sub_epi32(magnitude, _mm512_set1_epi32(1));
    const __mmask16 rare =
        _mm512_cmpgt_epi32_mask(magnitude, infinity) | _mm512_cmplt_epu32_mask(below, subnormals);
    if (rare != 0) {
      narrow_bf16_wide(from + i, to + i, 16);
      continue;
    }
    store_16(to + i, reinterpret_cast<__m256i>(_mm512_cvtneps_pbh(values)));
  }
  return i;
}

}  // namespace weft::vectors

#endif
