// SPDX-License-Identifier: Zlib
// Friction of distributed contact: a bristle for each point. Points are material, so that a bristle belongs to one
// point as long as this touches, and what sticks stays where it is.
#pragma once

#include <vector>

#include "pliant/math/Api.h"
#include "pliant/math/Types.h"

namespace pliant {

/// The bristles of one shell on one other body. All vectors are along axes that turn with the other body.
class PLIANT_INTERNAL_API BristleFriction {
public:
    /// @param points of the shell, all bristles straight
    explicit BristleFriction(int points) : m_bends(static_cast<std::size_t>(points), Vector3::Zero()) {}

    /// N, on the shell's body, along the surface and never larger than limit; bends the bristle by the slip.
    /// @param slip m, of the point past the other body since the last call @param normal of unit length
    /// @param stiffness N/m of the bristle, positive @param limit N, friction times normal force; not negative
    Vector3 slide(int point, const Vector3& slip, const Vector3& normal, double stiffness, double limit);
    /// Straightens the bristle of a point that no longer touches.
    void release(int point) { m_bends[static_cast<std::size_t>(point)].setZero(); }

private:
    std::vector<Vector3> m_bends;  ///< m
};

}  // namespace pliant
