// The vector instructions behind convert.h; on other processors than x86-64 there are none, and
// has_vector8() says so. Each function does whole vectors only and returns how many elements that
// were; it must not be called where the question above it is answered with no. narrow_*() rounds
// f32 to 16 bits, widen_*() goes back, round_*() does both, in place.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft::vectors {

bool has_vector8();  // AVX2 and F16C
std::size_t narrow_f16(const float* from, std::uint16_t* to, std::size_t size);
std::size_t widen_f16(const std::uint16_t* from, float* to, std::size_t size);
std::size_t round_f16(float* numbers, std::size_t size);
std::size_t narrow_bf16(const float* from, std::uint16_t* to, std::size_t size);
std::size_t widen_bf16(const std::uint16_t* from, float* to, std::size_t size);
std::size_t round_bf16(float* numbers, std::size_t size);

bool has_vector16();  // the above and AVX512 (F, BW, DQ, VL)
std::size_t narrow_f16_wide(const float* from, std::uint16_t* to, std::size_t size);
std::size_t widen_f16_wide(const std::uint16_t* from, float* to, std::size_t size);
std::size_t round_f16_wide(float* numbers, std::size_t size);
std::size_t narrow_bf16_wide(const float* from, std::uint16_t* to, std::size_t size);
std::size_t widen_bf16_wide(const std::uint16_t* from, float* to, std::size_t size);
std::size_t round_bf16_wide(float* numbers, std::size_t size);

bool has_vector16_bf16();  // the above and AVX512-BF16
std::size_t narrow_bf16_unit(const float* from, std::uint16_t* to, std::size_t size);

}  // namespace weft::vectors
