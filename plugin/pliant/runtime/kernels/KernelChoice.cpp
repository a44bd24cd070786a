// SPDX-License-Identifier: Zlib
#include <atomic>

#include "pliant/runtime/kernels/Kernels.h"

namespace pliant::kernels {
namespace {

std::atomic<int> forced{-1};

const Table& table(InstructionSet set) {
    if (set == InstructionSet::Avx512) return avx512Table();
    if (set == InstructionSet::Avx2) return avx2Table();
    return sse2Table();
}

}  // namespace

bool isSupported(InstructionSet set) {
    return processorHas(set);
}

const Table& active() {
    static const InstructionSet widest = widestInstructions();
    const int chosen = forced.load(std::memory_order_relaxed);
    return table(chosen < 0 ? widest : static_cast<InstructionSet>(chosen));
}

void force(InstructionSet set) {
    forced.store(static_cast<int>(set), std::memory_order_relaxed);
}

void forceNone() {
    forced.store(-1, std::memory_order_relaxed);
}

}  // namespace pliant::kernels
