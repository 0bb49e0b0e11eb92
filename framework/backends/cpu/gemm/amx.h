// Marks functions that use the tile unit and the vector instructions of processors that have it.
// They are compiled for those and called on nothing else.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__)
#define WEFT_HAS_AMX 1
#define WEFT_AMX [[gnu::target("avx512f,avx512bw,avx512vl,avx512dq,avx512bf16,amx-tile,amx-bf16")]]
#endif
