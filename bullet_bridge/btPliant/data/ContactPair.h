// SPDX-License-Identifier: Zlib
// Internal: the contacts of one reduced body with one other object, from finding them to Bullet's manifolds.
#pragma once

#include <BulletCollision/BroadphaseCollision/btCollisionAlgorithm.h>
#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "btPliant/data/SystemData.h"
#include "btPliant/data/TouchPair.h"
#include "pliant/collision/pair/ContactHistory.h"
#include "pliant/collision/pair/PairCandidates.h"
#include "pliant/collision/pair/PlaneCandidates.h"
#include "pliant/collision/pair/SkeletonContact.h"
#include "pliant/math/CacheAligned.h"
#include "pliant/touch/SurfaceContacts.h"

struct btCollisionObjectWrapper;

namespace btPliantInternal {

struct ShapeCollider;

/// What finding the contacts of a pair will need of its bodies: a few spheres, those of a list, all of them, the
/// bounding volumes too, and the predicted motion.
enum class Requirement { Few, Listed, Spheres, BoundingVolumes, Prediction };

/// In a contact A is always the reduced body `a`, B the other object; `swapped` says that Bullet has the other first.
struct ContactPair : pliant::CacheAligned {
    /// @param shapeCollider colliderOf(otherWrap), which there has to be
    ContactPair(btPliantBody& ours, const btCollisionObjectWrapper& otherWrap, const ShapeCollider& shapeCollider,
                bool isSwapped, bool isQuery, btDispatcher& bulletDispatcher);
    ~ContactPair();
    ContactPair(const ContactPair&) = delete;
    ContactPair& operator=(const ContactPair&) = delete;

    SystemData& system;
    btPliantBody& a;
    btPliantBody* b = nullptr;  ///< The other when it is a reduced body too, else null.
    const btCollisionObject* other;
    const ShapeCollider& collider;  ///< The row of the other's shape.
    const btCollisionShape* shape;  ///< The other's shape; of a compound the child.
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
    /// Whether it is made for contactTest(): contacts are reported, manifolds of the world are not touched.
    bool query;
    btDispatcher& dispatcher;

    pliant::CacheAlignedVector<pliant::SkeletonContact> contacts;  ///< Clustered, ascending by feature.
    pliant::ContactHistory history;
    pliant::PairCandidates candidates;                ///< Candidates of two reduced bodies.
    pliant::PlaneCandidates planeCandidates;          ///< Candidates of one and a plane.
    pliant::SurfacePairCandidates surfaceCandidates;  ///< Candidates of two reduced bodies, one of them a solid.
    pliant::SurfacePairSides surfaceSides;            ///< Sides of the same.
    /// The contacts that the last full test of two reduced bodies kept. While the bodies have hardly moved since, only
    /// these segments are tested again: no other can have come nearer than the bodies have moved.
    struct ContactCache {
        struct Contact {
            int segmentA = -1, segmentB = -1;
            std::uint64_t feature = 0;
        };
        pliant::CacheAlignedVector<Contact> contacts;  ///< Ascending by feature.
        double reach = -1;                             ///< Margin of that test, m; negative: the cache is empty.
        pliant::RelativePlacement startPlacement;      ///< Where the bodies were then.
        /// Bound on the relative motion of both bodies before `startPlacement`, of a restored world, m.
        double relativeMotionBoundBefore = 0;
    } cache;
    std::unique_ptr<TouchPair> touch;  ///< Made for a pair that asks for distributed contact, else null.
    int touchVersion = 0;              ///< The SystemData::touchVersion that `touch` was made for.
    /// Whether its points tell Bullet's solver of the deformation (step/OneWayStep.h).
    bool isSoftened = false;
    /// Whether it was in contact at the end of the last substep, in a world with Bullet's own solver.
    bool wasInContact = false;
    /// Whether the parallel pass of this substep has found its contacts, which Bullet has not been handed yet.
    bool isComputed = false;
    int firstContactForce = 0, contactForceCount = 0;  ///< Its range in system.contactForces.
    int firstPenetration = 0;                          ///< Its first in system.penetrations.
    /// First in system.points of a pair that has been computed so; -1: none.
    int firstPoint = -1;
    int parallelIndex = -1;  ///< Place in system.parallelPairs of the same; -1: none.
    pliant::CacheAlignedVector<btPersistentManifold*> manifolds;
    Requirement required = Requirement::Few;  ///< What the test that is about to be made needs.
    /// Speed by which one of two solids may come towards the other in this substep beside what their present velocities
    /// tell, since something else is about to strike one of them (narrowphase/StruckBodies.h), m/s.
    double struckSpeed = 0;
};

}  // namespace btPliantInternal
