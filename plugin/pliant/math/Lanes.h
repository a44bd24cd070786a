// SPDX-License-Identifier: Zlib
// Internal: vectors of as many floats as an instruction set has side by side. Kernels take the number as a template
// argument, so that every set works in registers of its own: GCC 12 makes of a vector twice as wide as the register
// single numbers on the stack (docs/performance.md).
#pragma once

#include <cstring>

#include "pliant/math/InstructionTargets.h"

namespace pliant {

constexpr int kLanesBaseline = 4;
constexpr int kLanesAvx2 = 8;
constexpr int kLanesAvx512 = 16;

/// Never an argument or a result of a function that is not inlined: how those are passed depends on the set.
template <int lanes>
struct FloatLanes {
    typedef float Vector __attribute__((vector_size(lanes * sizeof(float))));
};
template <int lanes>
using Floats = typename FloatLanes<lanes>::Vector;

template <typename Vector>
PLIANT_INLINE void loadLanes(Vector& v, const float* from) {
    std::memcpy(&v, from, sizeof v);
}

template <typename Vector>
PLIANT_INLINE void storeLanes(float* to, const Vector& v) {
    std::memcpy(to, &v, sizeof v);
}

}  // namespace pliant
