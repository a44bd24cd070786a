// SPDX-License-Identifier: Zlib
#pragma once

#include <LinearMath/btTransform.h>

#include "pliant/math/Types.h"

namespace pliant::program {

inline btVector3 toBullet(const Vector3& v) {
    return {static_cast<btScalar>(v.x()), static_cast<btScalar>(v.y()), static_cast<btScalar>(v.z())};
}

inline Vector3 fromBullet(const btVector3& v) {
    return {static_cast<double>(v.x()), static_cast<double>(v.y()), static_cast<double>(v.z())};
}

inline btTransform toBullet(const RigidTransform& t) {
    btMatrix3x3 basis;
    for (int i = 0; i < 3; ++i) {
        const Vector3 row = t.rotation.row(i).transpose();
        basis[i] = toBullet(row);
    }
    return btTransform(basis, toBullet(t.translation));
}

}  // namespace pliant::program
