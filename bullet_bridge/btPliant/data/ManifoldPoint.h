// SPDX-License-Identifier: Zlib
// Internal: what points of Bullet's manifolds hold of our contacts, and the impulses that they carry over.
#pragma once

#include <BulletCollision/NarrowPhaseCollision/btManifoldPoint.h>

namespace btPliantInternal {

/// Parameter along a segment, stored in the part numbers of manifold points beside the segment in the index.
constexpr double parameterUnits = 1048576.0;
inline int encodeParameter(double parameter) {
    return static_cast<int>(parameter * parameterUnits + 0.5);
}
inline float decodeParameter(int part) {
    return static_cast<float>(static_cast<double>(part) / parameterUnits);
}

/// Share of last substep's impulse that the solver starts with: no more than twice what the substep before it had. A
/// resting contact starts with all of it; the single large impulse of an impact is not repeated into a body that has
/// already turned round, which its nonlinear step would turn into energy. Bullet leaves m_contactMotion1 to friction on
/// moving surfaces, which these points do not have; here it holds the normal impulse of the last substep but one.
inline btScalar warmStartShare(const btManifoldPoint& point) {
    const btScalar last = point.m_appliedImpulse;
    if (last <= btScalar(0)) return 0;
    return btMin(btScalar(1), btScalar(2) * btMax(btScalar(0), point.m_contactMotion1) / last);
}

/// Impulse on body 0 that the solver starts with, N s: the steady share (warmStartShare) of the last substep's,
/// friction turned into today's tangent plane.
inline btVector3 warmStartImpulse(const btManifoldPoint& point, btScalar factor) {
    const btVector3& normal = point.m_normalWorldOnB;
    btVector3 tangential = point.m_lateralFrictionDir1 * point.m_appliedImpulseLateral1 +
                           point.m_lateralFrictionDir2 * point.m_appliedImpulseLateral2;
    tangential -= normal * normal.dot(tangential);
    return (normal * point.m_appliedImpulse + tangential) * (factor * warmStartShare(point));
}

}  // namespace btPliantInternal
