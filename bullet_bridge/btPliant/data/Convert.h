// SPDX-License-Identifier: Zlib
// Internal: the one place where Eigen's types become Bullet's and back.
#pragma once

#include <LinearMath/btTransform.h>

#include "btPliant/btPliantPrecision.h"
#include "pliant/math/Types.h"

namespace btPliantInternal {

inline pliant::Vector3 toEigen(const btVector3& v) {
    return pliant::Vector3(v.x(), v.y(), v.z());
}

inline btVector3 toBullet(const pliant::Vector3& v) {
    return btVector3(static_cast<btScalar>(v.x()), static_cast<btScalar>(v.y()), static_cast<btScalar>(v.z()));
}

inline pliant::Matrix3 toEigen(const btMatrix3x3& m) {
    pliant::Matrix3 out;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) out(i, j) = m[i][j];
    return out;
}

inline btMatrix3x3 toBulletBasis(const pliant::Matrix3& m) {
    btMatrix3x3 out;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) out[i][j] = static_cast<btScalar>(m(i, j));
    return out;
}

inline pliant::RigidTransform toEigen(const btTransform& t) {
    pliant::RigidTransform out;
    out.rotation = toEigen(t.getBasis());
    out.translation = toEigen(t.getOrigin());
    return out;
}

inline btTransform toBullet(const pliant::RigidTransform& t) {
    return btTransform(toBulletBasis(t.rotation), toBullet(t.translation));
}

}  // namespace btPliantInternal
