// Marks functions that are compiled for processors with AVX-512, or with its dot products of bf16
// too, and called on nothing else.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__)
#define WEFT_HAS_AVX512 1
#define WEFT_AVX512 [[gnu::target("avx512f,avx512vl,avx512dq,avx512bw")]]
#define WEFT_AVX512_BF16 [[gnu::target("avx512f,avx512vl,avx512dq,avx512bw,avx512bf16,popcnt")]]
#endif
