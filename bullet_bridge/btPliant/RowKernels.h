// SPDX-License-Identifier: Zlib
// Internal: short loops over modal vectors padded to multiples of 8. Partial sums are kept in a fixed order, so that
// compilers may use vector registers without changing a bit.
#pragma once

#include <LinearMath/btScalar.h>

namespace btPliantInternal {

constexpr int modalLanes = 8;

inline int paddedDimension(int r) {
    return (r + modalLanes - 1) / modalLanes * modalLanes;
}

inline btScalar sumLanes(const btScalar* s) {
    return ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]));
}

/// a . b over n entries
inline btScalar modalDot(const btScalar* a, const btScalar* b, int n) {
    btScalar s[modalLanes] = {};
    for (int j = 0; j < n; j += modalLanes)
        for (int l = 0; l < modalLanes; ++l) s[l] += a[j + l] * b[j + l];
    return sumLanes(s);
}

/// y += c x
inline void modalAdd(btScalar* y, btScalar c, const btScalar* x, int n) {
    for (int j = 0; j < n; j += modalLanes)
        for (int l = 0; l < modalLanes; ++l) y[j + l] += c * x[j + l];
}

}  // namespace btPliantInternal
