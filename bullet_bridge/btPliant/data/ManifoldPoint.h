// SPDX-License-Identifier: Zlib
// Internal: what points of Bullet's manifolds hold of our contacts, and the impulses that they carry over.
#pragma once

#include <BulletCollision/NarrowPhaseCollision/btManifoldPoint.h>

#include <algorithm>

#include "pliant/model/ContactSkeleton.h"

namespace btPliantInternal {

/// Parameter along a segment, or of a place beside a surface point, stored in the part numbers of manifold points
/// beside the segment in the index.
constexpr double parameterUnits = 1048576.0, largestParameter = 16.0;
inline int encodeParameter(double parameter) {
    if (!(parameter > 0.0)) return 0;  // what is no number, too: an int has none of it
    return static_cast<int>(std::min(parameter, largestParameter) * parameterUnits + 0.5);
}
inline float decodeParameter(int part) {
    return static_cast<float>(static_cast<double>(part) / parameterUnits);
}

/// Whether a point is a spring and a damper, by Bullet's setContactStiffnessAndDamping() or by a callback of its
/// user's.
inline bool isPenalty(const btManifoldPoint& point) {
    return (point.m_contactPointFlags & BT_CONTACT_FLAG_CONTACT_STIFFNESS_DAMPING) != 0;
}

/// In m_contactPointFlags, beyond Bullet's own: the point is one of many springs by area
/// (narrowphase/SurfaceSprings.h).
constexpr int kSurfaceSpring = 1 << 20;
inline bool isSurfaceSpring(const btManifoldPoint& point) {
    return isPenalty(point) && (point.m_contactPointFlags & kSurfaceSpring) != 0;
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

/// Impulse on body 0 that the last solve has found, N s.
inline btVector3 wholeImpulse(const btManifoldPoint& point) {
    return point.m_normalWorldOnB * point.m_appliedImpulse +
           point.m_lateralFrictionDir1 * point.m_appliedImpulseLateral1 +
           point.m_lateralFrictionDir2 * point.m_appliedImpulseLateral2;
}

/// What a solve has taken penetration back by at this point, kg m/s along the normal; of our points alone. Bullet reads
/// m_prevRHS nowhere.
inline btScalar& splitImpulseOf(btManifoldPoint& point) {
    return point.m_prevRHS;
}
inline btScalar splitImpulseOf(const btManifoldPoint& point) {
    return point.m_prevRHS;
}

/// Radius of a capsule segment at a parameter along it, m.
inline double segmentRadius(const pliant::ContactSkeleton& skeleton, int segment, float parameter) {
    const float r0 = skeleton.radii[skeleton.segments(0, segment)], r1 = skeleton.radii[skeleton.segments(1, segment)];
    return static_cast<double>(r0 + parameter * (r1 - r0));
}

/// Where the impulses of a contact act on its two objects: one point half way between both, so that what one gets in
/// angular momentum the other loses. Segments that will only touch later in the step (continuous collision) lie beside
/// each other as yet, and a point beside both would turn thin bodies about themselves; there the points themselves are
/// taken, but for a radius.
/// @param radius of the thinner reduced side, m
inline void applicationPoints(const btManifoldPoint& point, double radius, btVector3& on0, btVector3& on1) {
    const btVector3 &point0 = point.getPositionWorldOnA(), &point1 = point.getPositionWorldOnB();
    on0 = on1 = (point0 + point1) * btScalar(0.5);
    const btVector3 &normal = point.m_normalWorldOnB, apart = point0 - point1;
    const btVector3 beside = apart - normal * apart.dot(normal);
    const auto length = static_cast<double>(beside.length());
    if (!(length > 2.0 * radius)) return;
    const btVector3 excess = beside * static_cast<btScalar>(0.5 - radius / length);
    on0 += excess;
    on1 -= excess;
}

}  // namespace btPliantInternal
