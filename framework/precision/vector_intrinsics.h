// For the sources of convert_vector.h alone.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#ifndef __clang__
// GCC 12 takes the undefined vectors within its own intrinsics for a mistake.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#endif

namespace weft::vectors {

// The one NaN of fp16 and that of bf16, widened.
inline constexpr std::int32_t nan_as_f32 = 0x7fc00000;

}  // namespace weft::vectors
