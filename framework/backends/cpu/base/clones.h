// Functions marked WEFT_CPU_CLONES are compiled for AVX-512, AVX2 and the base instruction set, and
// the one for the processor at hand is chosen when the library is loaded: a build for everybody
// uses what each machine has. Functions called from them must be inline to be part of it.
#pragma once

// Sanitizers cannot run the code that chooses: it comes before they are set up.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define WEFT_CPU_CLONES \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define WEFT_CPU_CLONES
#endif
