// SPDX-License-Identifier: Zlib
// The joint of the bar of two bones, written out: what eliminated and generated joint rows are held against.
#pragma once

#include <vector>

#include "pliant/runtime/ragdoll/RagdollSystem.h"

namespace pliant::test {

/// J, 12 x 3: the velocity of the second bone's head on the first limb less that on the second, along x, y and z.
/// @param rest the head in the body frame, m  @param bones T_b of both
inline MatrixX barJoint(const RagdollSystem& system, const Vector3& rest, const std::vector<AffineMap>& bones) {
    const AffineMap both = 0.5 * (bones[0] + bones[1]);
    const Vector3 point = both.leftCols<3>() * rest + both.col(3);
    MatrixX J = MatrixX::Zero(12, 3);
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 2; ++i) {
            const Vector3 axis = (i == 0 ? 1.0 : -1.0) * Vector3::Unit(k);
            J.block<3, 1>(6 * i, k) = axis;
            J.block<3, 1>(6 * i + 3, k) = (point - system.centre(i)).cross(axis);
        }
    return J;
}

}  // namespace pliant::test
