// SPDX-License-Identifier: Zlib
// Internal: the contacts of one reduced body with one other object, from finding them to Bullet's manifolds.
#pragma once

#include <BulletCollision/BroadphaseCollision/btCollisionAlgorithm.h>
#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>

#include <cstdint>
#include <vector>

#include "btPliant/btPliantSystem.h"
#include "btPliant/narrowphase/ShapeCollider.h"
#include "pliant/collision/pair/ContactHistory.h"
#include "pliant/collision/pair/PairCandidates.h"
#include "pliant/collision/pair/PlaneCandidates.h"
#include "pliant/collision/pair/SkeletonContact.h"
#include "pliant/math/CacheAligned.h"
#include "pliant/touch/SurfaceContacts.h"

namespace btPliantInternal {

/// In a contact A is always the reduced body `a`, B the other object; `swapped` says that Bullet has the other first.
struct ContactPair : pliant::CacheAligned {
    /// @param shapeCollider colliderOf(otherWrap), which there has to be
    ContactPair(btPliantBody& ours, const btCollisionObjectWrapper& otherWrap, const ShapeCollider& shapeCollider,
                bool isSwapped, bool isQuery, btDispatcher& bulletDispatcher);
    ~ContactPair();
    ContactPair(const ContactPair&) = delete;
    ContactPair& operator=(const ContactPair&) = delete;

    btPliantSystem::Data& system;
    btPliantBody& a;
    btPliantBody* b = nullptr;  ///< the other when it is a reduced body too
    const btCollisionObject* other;
    const ShapeCollider& collider;  ///< of the other's shape
    const btCollisionShape* shape;  ///< the other's; of a compound the child
    bool isSelf() const { return b == &a; }
    bool swapped;
    /// Where the pair stands among others, whatever the history of the broadphase was: number of `a`, unique id of the
    /// other's proxy, child of the other.
    struct Order {
        int body = 0, other = 0, child = 0;
        bool operator<(const Order& o) const {
            return body != o.body ? body < o.body : other != o.other ? other < o.other : child < o.child;
        }
    } order;
    bool query;  ///< made for contactTest: contacts are reported, manifolds of the world are not touched
    btDispatcher& dispatcher;

    pliant::CacheAlignedVector<pliant::SkeletonContact> contacts;  ///< clustered, ascending by feature
    pliant::ContactHistory history;
    pliant::PairCandidates candidates;                ///< of two reduced bodies
    pliant::PlaneCandidates planeCandidates;          ///< of one and a plane
    pliant::SurfacePairCandidates surfaceCandidates;  ///< of two reduced bodies, one of them a solid
    /// The contacts that the last full test of two reduced bodies kept. While the bodies have hardly moved since, only
    /// these segments are tested again: no other can have come nearer than the bodies have moved.
    struct ContactCache {
        struct Contact {
            int segmentA = -1, segmentB = -1;
            std::uint64_t feature = 0;
        };
        pliant::CacheAlignedVector<Contact> contacts;  ///< ascending by feature
        double reach = -1;                             ///< of that test, m; negative: the cache is empty
        pliant::RelativePlacement startPlacement;      ///< then
        double relativeMotionBoundBefore = 0;  ///< m, of both bodies before `startPlacement`, of a restored world
    } cache;
    bool isComputed = false;  ///< by the parallel pass of this substep, not yet handed to Bullet
    int firstContactForce = 0, contactForceCount = 0;  ///< in system.contactForces
    int firstPenetration = 0;                          ///< in system.penetrations
    int firstPoint = -1;                               ///< in system.points, of a pair that has been computed so
    int parallelIndex = -1;                            ///< in system.parallelPairs, of the same
    pliant::CacheAlignedVector<btPersistentManifold*> manifolds;
    Requirement required = Requirement::Few;  ///< of the test that is about to be made
};

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
