// The intrinsics of AVX-512, for source files alone: the target they need holds to the end of the
// file.
#pragma once

#include "framework/backends/cpu/base/avx512.h"

#ifdef WEFT_HAS_AVX512
#ifndef __clang__
// GCC 12 takes the undefined vectors within its own intrinsics for a mistake.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#endif
