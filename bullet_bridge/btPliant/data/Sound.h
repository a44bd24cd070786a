// SPDX-License-Identifier: Zlib
// Internal: numbers that a body's motion can have. What is given from outside is looked at once, before it spreads.
#pragma once

#include <LinearMath/btTransform.h>

#include <cmath>

namespace btPliantInternal {

/// No place of a body is farther from the origin, m, and none is faster, m/s, rad/s: the speed of light. Squares and
/// energies of such numbers are finite in single precision.
constexpr double kFarthest = 1e15;
constexpr double kFastest = 3e8;

/// @param most of each component's size; what is no number has none
inline bool isWithin(const btVector3& v, double most) {
    for (int k = 0; k < 3; ++k)
        if (!(std::abs(static_cast<double>(v[k])) <= most)) return false;
    return true;
}

inline bool isFinite(const btVector3& v) {
    return std::isfinite(v.x()) && std::isfinite(v.y()) && std::isfinite(v.z());
}

inline bool isPlace(const btTransform& t) {
    constexpr double kLongestColumn = 2.0;  // of a rotation 1
    for (int k = 0; k < 3; ++k)
        if (!isWithin(t.getBasis()[k], kLongestColumn)) return false;
    return isWithin(t.getOrigin(), kFarthest);
}

/// The same, and it neither scales nor mirrors by more than rounding.
inline bool isRigidPlace(const btTransform& t) {
    constexpr double kMostSkew = 1e-2;
    if (!isPlace(t)) return false;
    const btMatrix3x3& basis = t.getBasis();
    for (int k = 0; k < 3; ++k)
        for (int l = k; l < 3; ++l)
            if (std::abs(static_cast<double>(basis[k].dot(basis[l])) - (k == l ? 1.0 : 0.0)) > kMostSkew) return false;
    return basis.determinant() > btScalar(0);
}

}  // namespace btPliantInternal
