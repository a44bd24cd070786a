// SPDX-License-Identifier: Zlib
// Internal: one loop compiled for several instruction sets in the same file. The loop is a PLIANT_INLINE function, a
// function with each attribute calls it, and the processor decides at run time. Multiply-adds stay unfused
// (-ffp-contract=off), so every set gives the same bits.
#pragma once

#define PLIANT_INLINE inline __attribute__((always_inline))

#if defined(__x86_64__)
#define PLIANT_TARGET_AVX2 __attribute__((target("avx2")))
#if defined(__clang__)
#define PLIANT_TARGET_AVX512 __attribute__((target("avx512f")))
#else  // GCC keeps to half of the register by itself
#define PLIANT_TARGET_AVX512 __attribute__((target("avx512f,prefer-vector-width=512")))
#endif
#endif
