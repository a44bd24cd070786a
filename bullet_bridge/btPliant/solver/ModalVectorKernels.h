// SPDX-License-Identifier: Zlib
// Internal: short loops over modal vectors padded to multiples of 8. Partial sums are kept in a fixed order, so that
// compilers may use vector registers without changing a bit.
#pragma once

#include <LinearMath/btVector3.h>

#include <cstring>

#include "pliant/math/Lanes.h"

namespace btPliantInternal {

constexpr int kModalPadding = 8;

inline int paddedDimension(int r) {
    return (r + kModalPadding - 1) / kModalPadding * kModalPadding;
}

// Numbers of a register of each instruction set. Kernels take it as a template argument, as those of math/Lanes.h.
constexpr int kModalWidthBaseline = 16 / static_cast<int>(sizeof(btScalar));
constexpr int kModalWidthAvx2 = 32 / static_cast<int>(sizeof(btScalar));
constexpr int kModalWidthAvx512 = kModalWidthAvx2 < kModalPadding ? 2 * kModalWidthAvx2 : kModalPadding;

/// Vector of kModalPadding numbers side by side. Never an argument or a result of a function that is not inlined: how
/// those are passed depends on the instruction set.
template <int width>
struct ModalVector {
    using Part = typename pliant::Lanes<btScalar, width>::Vector;
    static constexpr int parts = kModalPadding / width;
    Part part[parts] = {};

    PLIANT_INLINE void load(const btScalar* from) {
        for (int i = 0; i < parts; ++i) std::memcpy(&part[i], from + i * width, sizeof(Part));
    }
    PLIANT_INLINE void store(btScalar* to) const {
        for (int i = 0; i < parts; ++i) std::memcpy(to + i * width, &part[i], sizeof(Part));
    }
    PLIANT_INLINE void addProduct(const ModalVector& x, const ModalVector& y) {
        for (int i = 0; i < parts; ++i) part[i] += x.part[i] * y.part[i];
    }
    /// Pairs that are four apart first, whatever the width.
    PLIANT_INLINE btScalar sum() const {
        if constexpr (width == 2) {
            const Part near = part[0] + part[2], far = part[1] + part[3];
            return (near[0] + near[1]) + (far[0] + far[1]);
        } else if constexpr (width == 4) {
            const Part halves = part[0] + part[1];
            return (halves[0] + halves[1]) + (halves[2] + halves[3]);
        } else {
            const auto halves = __builtin_shufflevector(part[0], part[0], 0, 1, 2, 3) +
                                __builtin_shufflevector(part[0], part[0], 4, 5, 6, 7);
            return (halves[0] + halves[1]) + (halves[2] + halves[3]);
        }
    }
};

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

/// Returns a . b over n entries.
template <int width = kModalWidthBaseline>
PLIANT_INLINE btScalar modalDot(const btScalar* a, const btScalar* b, int n) {
    ModalVector<width> sum, x, y;
    for (int j = 0; j < n; j += kModalPadding) {
        x.load(a + j);
        y.load(b + j);
        sum.addProduct(x, y);
    }
    return sum.sum();
}

/// Adds a_k . b to sum[k], the a_k n entries apart.
template <int width>
PLIANT_INLINE void modalDots(const btScalar* a, const btScalar* b, int n, btScalar* sum) {
    ModalVector<width> s0, s1, s2, x, y;
    for (int j = 0; j < n; j += kModalPadding) {
        y.load(b + j);
        x.load(a + j);
        s0.addProduct(x, y);
        x.load(a + n + j);
        s1.addProduct(x, y);
        x.load(a + 2 * n + j);
        s2.addProduct(x, y);
    }
    sum[0] += s0.sum();
    sum[1] += s1.sum();
    sum[2] += s2.sum();
}

/// Adds c x to y.
template <int width = kModalWidthBaseline>
PLIANT_INLINE void modalAdd(btScalar* y, btScalar c, const btScalar* x, int n) {
    ModalVector<width> u, v;
    for (int j = 0; j < n; j += kModalPadding) {
        u.load(x + j);
        v.load(y + j);
        for (int i = 0; i < v.parts; ++i) v.part[i] += c * u.part[i];
        v.store(y + j);
    }
}

/// Adds c_0 x_0 + c_1 x_1 + c_2 x_2 to y, the x_k n entries apart.
template <int width>
PLIANT_INLINE void modalAddThree(btScalar* y, const btScalar* c, const btScalar* x, int n) {
    ModalVector<width> u, v, w, z;
    for (int j = 0; j < n; j += kModalPadding) {
        u.load(x + j);
        v.load(x + n + j);
        w.load(x + 2 * n + j);
        z.load(y + j);
        for (int i = 0; i < z.parts; ++i) z.part[i] += (c[0] * u.part[i] + c[1] * v.part[i]) + c[2] * w.part[i];
        z.store(y + j);
    }
}

}  // namespace btPliantInternal
