// SPDX-License-Identifier: Zlib
// Internal: vectors of as many numbers as an instruction set has side by side. Kernels take the number as a template
// argument, so that every set works in registers of its own: GCC 12 makes of a vector twice as wide as the register
// single numbers on the stack (docs/internals/vector-width.md).
#pragma once

#include <cstring>

#include "pliant/math/InstructionSet.h"
#include "pliant/math/InstructionTargets.h"

namespace pliant {

constexpr int kLanesBaseline = 4;  ///< Floats in a register of the baseline.
constexpr int kLanesAvx2 = 8;
constexpr int kLanesAvx512 = 16;

/// Floats in a register of the set that kernels run with.
inline int lanesInUse() {
    switch (widestInstructions()) {
        case InstructionSet::Avx512:
            return kLanesAvx512;
        case InstructionSet::Avx2:
            return kLanesAvx2;
        default:
            return kLanesBaseline;
    }
}

/// `lanes` numbers side by side. Never an argument or a result of a function that is not inlined: how those are passed
/// depends on the set.
template <typename Scalar, int lanes>
struct Lanes;

// One by one: GCC 12 loses an attribute that depends on a template's argument where the type is const.
#define PLIANT_LANES(Scalar, lanes)                                                 \
    template <>                                                                     \
    struct Lanes<Scalar, lanes> {                                                   \
        typedef Scalar Vector __attribute__((vector_size(lanes * sizeof(Scalar)))); \
    };
PLIANT_LANES(float, 4)
PLIANT_LANES(float, 8)
PLIANT_LANES(float, 16)
PLIANT_LANES(double, 2)
PLIANT_LANES(double, 4)
PLIANT_LANES(double, 8)
#undef PLIANT_LANES

template <int lanes>
using Floats = typename Lanes<float, lanes>::Vector;

/// Two numbers, which every x86-64 processor has side by side.
using TwoDoubles = Lanes<double, 2>::Vector;

template <typename Vector, typename Scalar>
PLIANT_INLINE void loadLanes(Vector& v, const Scalar* from) {
    std::memcpy(&v, from, sizeof v);
}

template <typename Vector, typename Scalar>
PLIANT_INLINE void storeLanes(Scalar* to, const Vector& v) {
    std::memcpy(to, &v, sizeof v);
}

}  // namespace pliant
