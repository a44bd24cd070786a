// SPDX-License-Identifier: Zlib
#include "pliant/math/InstructionSet.h"

#include <atomic>

namespace pliant {
namespace {

std::atomic<InstructionSet> limit{InstructionSet::Avx512};

}  // namespace

bool processorHas(InstructionSet set) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (set == InstructionSet::Avx512) return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("fma");
    if (set == InstructionSet::Avx2) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return true;
#else
    return set == InstructionSet::Sse2;
#endif
}

InstructionSet widestInstructions() {
    const InstructionSet widest = limit.load(std::memory_order_relaxed);
    for (const InstructionSet set : {InstructionSet::Avx512, InstructionSet::Avx2})
        if (set <= widest && processorHas(set)) return set;
    return InstructionSet::Sse2;
}

void limitInstructions(InstructionSet widest) {
    limit.store(widest, std::memory_order_relaxed);
}

}  // namespace pliant
