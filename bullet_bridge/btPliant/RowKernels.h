// SPDX-License-Identifier: Zlib
// Internal: short loops over modal vectors padded to multiples of 8. Partial sums are kept in a fixed order, so that
// compilers may use vector registers without changing a bit.
#pragma once

#include <LinearMath/btVector3.h>

#include <cstring>

#include "pliant/math/InstructionTargets.h"

namespace btPliantInternal {

constexpr int modalLanes = 8;

inline int paddedDimension(int r) {
    return (r + modalLanes - 1) / modalLanes * modalLanes;
}

/// As many numbers side by side; the compiler makes of it what the instruction set of the function has. Never an
/// argument or a result of a function that is not inlined: how those are passed depends on the instruction set.
typedef btScalar ModalVector __attribute__((vector_size(modalLanes * sizeof(btScalar))));

PLIANT_INLINE void load(const btScalar* from, ModalVector& to) {
    std::memcpy(&to, from, sizeof to);
}

/// A btVector3, whose fourth number means nothing.
typedef btScalar SpaceVector __attribute__((vector_size(4 * sizeof(btScalar))));

PLIANT_INLINE void load(const btVector3& from, SpaceVector& to) {
    std::memcpy(&to, &from.m_floats[0], sizeof to);
}

PLIANT_INLINE void store(const SpaceVector& from, btVector3& to) {
    std::memcpy(&to.m_floats[0], &from, sizeof from);
}

PLIANT_INLINE btScalar sumOfThree(const SpaceVector& s) {
    return (s[0] + s[1]) + s[2];
}

PLIANT_INLINE btScalar sumLanes(const ModalVector& s) {
    return ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]));
}

/// a . b over n entries
PLIANT_INLINE btScalar modalDot(const btScalar* a, const btScalar* b, int n) {
    ModalVector sum{}, x, y;
    for (int j = 0; j < n; j += modalLanes) {
        load(a + j, x);
        load(b + j, y);
        sum += x * y;
    }
    return sumLanes(sum);
}

/// sum[k] += a_k . b, the a_k n entries apart
PLIANT_INLINE void modalDots(const btScalar* a, const btScalar* b, int n, btScalar* sum) {
    ModalVector s0{}, s1{}, s2{}, x, y;
    for (int j = 0; j < n; j += modalLanes) {
        load(b + j, y);
        load(a + j, x);
        s0 += x * y;
        load(a + n + j, x);
        s1 += x * y;
        load(a + 2 * n + j, x);
        s2 += x * y;
    }
    sum[0] += sumLanes(s0);
    sum[1] += sumLanes(s1);
    sum[2] += sumLanes(s2);
}

/// y += c x
PLIANT_INLINE void modalAdd(btScalar* y, btScalar c, const btScalar* x, int n) {
    ModalVector u, v;
    for (int j = 0; j < n; j += modalLanes) {
        load(x + j, u);
        load(y + j, v);
        v += c * u;
        std::memcpy(y + j, &v, sizeof v);
    }
}

/// y += c_0 x_0 + c_1 x_1 + c_2 x_2, the x_k n entries apart
PLIANT_INLINE void modalAddThree(btScalar* y, const btScalar* c, const btScalar* x, int n) {
    ModalVector u, v, w, z;
    for (int j = 0; j < n; j += modalLanes) {
        load(x + j, u);
        load(x + n + j, v);
        load(x + 2 * n + j, w);
        load(y + j, z);
        z += (c[0] * u + c[1] * v) + c[2] * w;
        std::memcpy(y + j, &z, sizeof z);
    }
}

}  // namespace btPliantInternal
