// SPDX-License-Identifier: Zlib
/// @file
/// Vectors and transforms between Pliant and Bullet.
#pragma once

#include <LinearMath/btTransform.h>

#include "pliant/math/Types.h"

namespace pliant {

/// A vector for Bullet.
inline btVector3 toBullet(const Vector3& v) {
    return {static_cast<btScalar>(v.x()), static_cast<btScalar>(v.y()), static_cast<btScalar>(v.z())};
}

/// A vector of Bullet's.
inline Vector3 fromBullet(const btVector3& v) {
    return {static_cast<double>(v.x()), static_cast<double>(v.y()), static_cast<double>(v.z())};
}

/// A rigid transform for Bullet.
inline btTransform toBullet(const RigidTransform& t) {
    btMatrix3x3 basis;
    for (int i = 0; i < 3; ++i) {
        const Vector3 row = t.rotation.row(i).transpose();
        basis[i] = toBullet(row);
    }
    return btTransform(basis, toBullet(t.translation));
}

/// A rigid transform of Bullet's.
inline RigidTransform fromBullet(const btTransform& t) {
    RigidTransform result;
    for (int i = 0; i < 3; ++i) result.rotation.row(i) = fromBullet(t.getBasis()[i]).transpose();
    result.translation = fromBullet(t.getOrigin());
    return result;
}

}  // namespace pliant
