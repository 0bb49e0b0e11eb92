#include "framework/precision/convert_vector.h"

#if defined(__x86_64__)

#include <cpuid.h>

#include "framework/precision/vector_intrinsics.h"
#include "framework/tensor/rounding.h"

namespace weft::vectors {
namespace {

bool has_f16c() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}

// Rounds eight f32 to the bf16 patterns, each in the low half of its 32 bits.
// To nearest, ties to even: half of the last bit kept, less one, is added, and that bit itself. A
// carry into the exponent is the right result, infinity included; NaN is put in apart, since its
// lower bits could carry as well.
__attribute__((target("avx2"))) __m256i round_bf16(__m256 values) {
  const __m256i bits = _mm256_castps_si256(values);
  const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
  const __m256i added = _mm256_add_epi32(odd, _mm256_set1_epi32(0x7fff));
  const __m256i rounded = _mm256_srli_epi32(_mm256_add_epi32(bits, added), 16);
  const __m256i is_nan = _mm256_castps_si256(_mm256_cmp_ps(values, values, _CMP_UNORD_Q));
  return _mm256_blendv_epi8(rounded, _mm256_set1_epi32(bf16_nan), is_nan);
}

__attribute__((target("avx2"))) void store_16(std::uint16_t* to, __m256i first, __m256i second) {
  const __m256i packed = _mm256_packus_epi32(first, second);  // in lanes: 0-3 8-11 | 4-7 12-15
  const __m256i ordered = _mm256_permute4x64_epi64(packed, 0xd8);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), ordered);
}

}  // namespace

bool has_vector8() {
  return __builtin_cpu_supports("avx2") && has_f16c();
}

// The instruction keeps a NaN's sign and payload; the definition has one NaN.
__attribute__((target("avx2,f16c"))) std::size_t narrow_f16(const float* from, std::uint16_t* to,
                                                            std::size_t size) {
  const __m128i nan = _mm_set1_epi16(f16_nan);
  const __m128i magnitude = _mm_set1_epi16(0x7fff);
  const __m128i infinity = _mm_set1_epi16(0x7c00);
  std::size_t i = 0;
  for (; i + 8 <= size; i += 8) {
    const __m128i halves = _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT);
    const __m128i is_nan = _mm_cmpgt_epi16(_mm_and_si128(halves, magnitude), infinity);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i), _mm_blendv_epi8(halves, nan, is_nan));
  }
  return i;
}

__attribute__((target("avx2,f16c"))) std::size_t widen_f16(const std::uint16_t* from, float* to,
                                                           std::size_t size) {
  std::size_t i = 0;
  for (; i + 8 <= size; i += 8) {
    const __m128i halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i));
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(halves));
  }
  return i;
}

__attribute__((target("avx2"))) std::size_t narrow_bf16(const float* from, std::uint16_t* to,
                                                        std::size_t size) {
  std::size_t i = 0;
  for (; i + 16 <= size; i += 16) {
    store_16(to + i, round_bf16(_mm256_loadu_ps(from + i)),
             round_bf16(_mm256_loadu_ps(from + i + 8)));
  }
  return i;
}

__attribute__((target("avx2"))) std::size_t widen_bf16(const std::uint16_t* from, float* to,
                                                       std::size_t size) {
  std::size_t i = 0;
  for (; i + 8 <= size; i += 8) {
    const __m128i shorts = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i));
    const __m256i bits = _mm256_slli_epi32(_mm256_cvtepu16_epi32(shorts), 16);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i), bits);
  }
  return i;
}

__attribute__((target("avx2,f16c"))) std::size_t round_f16(float* numbers, std::size_t size) {
  const __m256 nan = _mm256_castsi256_ps(_mm256_set1_epi32(nan_as_f32));
  std::size_t i = 0;
  for (; i + 8 <= size; i += 8) {
    const __m256 values = _mm256_loadu_ps(numbers + i);
    const __m256 rounded = _mm256_cvtph_ps(_mm256_cvtps_ph(values, _MM_FROUND_TO_NEAREST_INT));
    const __m256 is_nan = _mm256_cmp_ps(values, values, _CMP_UNORD_Q);
    _mm256_storeu_ps(numbers + i, _mm256_blendv_ps(rounded, nan, is_nan));
  }
  return i;
}

__attribute__((target("avx2"))) std::size_t round_bf16(float* numbers, std::size_t size) {
  std::size_t i = 0;
  for (; i + 8 <= size; i += 8) {
    const __m256i rounded = round_bf16(_mm256_loadu_ps(numbers + i));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(numbers + i), _mm256_slli_epi32(rounded, 16));
  }
  return i;
}

}  // namespace weft::vectors

#endif
