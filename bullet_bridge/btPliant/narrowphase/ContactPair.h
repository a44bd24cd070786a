// SPDX-License-Identifier: Zlib
// Internal: the contacts of one reduced body with one other object, from finding them to Bullet's manifolds.
#pragma once

#include <BulletCollision/BroadphaseCollision/btCollisionAlgorithm.h>
#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>

#include <cstdint>
#include <vector>

#include "btPliant/btPliantSystem.h"
#include "pliant/collision/pair/ContactHistory.h"
#include "pliant/collision/pair/PairCandidates.h"
#include "pliant/collision/pair/PlaneCandidates.h"
#include "pliant/collision/pair/SkeletonContact.h"
#include "pliant/math/CacheAligned.h"
#include "pliant/touch/SurfaceContacts.h"

class btCollisionShape;
class btManifoldResult;
class btPersistentManifold;
struct btCollisionObjectWrapper;

namespace btPliantInternal {

constexpr double kLargestApproach = 20.0;  ///< radii of the thickest segment, in a step

enum class ShapeKind { Body, Plane, Convex, Concave };

/// In a contact A is always the reduced body `a`, B the other object; `swapped` says that Bullet has the other first.
struct ContactPair : pliant::CacheAligned {
    ContactPair(btPliantBody& ours, const btCollisionObjectWrapper& otherWrap, bool isSwapped, bool isQuery,
                btDispatcher& bulletDispatcher);
    ~ContactPair();
    ContactPair(const ContactPair&) = delete;
    ContactPair& operator=(const ContactPair&) = delete;

    btPliantSystem::Data& system;
    btPliantBody& a;
    btPliantBody* b = nullptr;  ///< the other when it is a reduced body too
    const btCollisionObject* other;
    ShapeKind kind;
    bool isSelf() const { return b == &a; }
    /// Whether one of the two is a solid, whose surface touches (SurfaceTouch.cpp).
    bool touchesSurface() const;
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
    /// True where the parallel pass has found no contact and there is no manifold to empty, as of most pairs whose
    /// bounds overlap.
    bool skipIfEmpty();
    pliant::CacheAlignedVector<btPersistentManifold*> manifolds;

    // For passes over many pairs: prefetches (Prefetch.h) what the next of them will need, in the order in which one
    // thing tells where another is: the pairs themselves, what their lists hold, then spheres or manifolds.
    static void prefetchPairs(const std::vector<ContactPair*>& pairs, int current);
    static void prefetchContacts(const std::vector<ContactPair*>& pairs, int current);  ///< of pairs just seen
    /// @param end of the pairs that this thread is testing: the lists of others may be changing
    static void prefetchForTest(const std::vector<ContactPair*>& pairs, int current, int end);
    static void prefetchForPoints(const std::vector<ContactPair*>& pairs, int current);
    void prefetchSpheres() const;  ///< that testCachedContacts() will use
    void prefetchManifolds() const;

    /// Finds and clusters contacts within the pair's margin. Bullet-free for Body and Plane (may run on any thread).
    void findContacts(const btCollisionShape& otherShape, const btTransform& otherTransform, double step,
                      double margin);
    /// Of two reduced bodies.
    pliant::RelativePlacement relativePlacement() const;
    /// Whether the cached contacts may stand in for a full test within `reach`, m.
    bool cacheIsValid(double reach) const;
    // Append contacts to `out`, unclustered: those within `reach` metres, those that fast motion meets during the step,
    // and those of the cache that are still within `reach`.
    void detectDiscrete(const btCollisionShape& otherShape, const btTransform& otherTransform, double reach,
                        std::vector<pliant::SkeletonContact>& out);
    void detectContinuous(const btCollisionShape& otherShape, const btTransform& otherTransform, double step,
                          std::vector<pliant::SkeletonContact>& out);
    /// The same of a pair with a solid: of two reduced bodies, or of one with what the points of the other shape meet.
    void detectSurface(const btCollisionShape& otherShape, const btTransform& otherTransform, double reach,
                       std::vector<pliant::SkeletonContact>& out);
    /// Rounds the surface between its points, and leaves out contacts that are more than `reach` metres off then.
    void roundSurface(double reach, std::vector<pliant::SkeletonContact>& found) const;
    double largestCapHeight() const;  ///< m, of the body `a`
    bool mayTouchSurface() const;     ///< of two that are asked for in parallel: whether a field will be asked
    void storeContacts(const std::vector<pliant::SkeletonContact>& found);
    void testCachedContacts(double reach, std::vector<pliant::SkeletonContact>& out);
    void cacheContacts(double reach);
    /// What findContacts() will need of the bodies with the same arguments: a few spheres, those of a list, all of
    /// them, the bounding volumes too, and the predicted motion.
    enum class Requirement { Few, Listed, Spheres, BoundingVolumes, Prediction } required = Requirement::Few;
    Requirement requirement(double step) const;
    void markRequirements() const;  ///< of the bodies, by `required`
    /// Brings the same up to date at once.
    void refit(const btCollisionShape& otherShape, const btTransform& otherTransform, double step);
    /// Metres of positive distance from which contacts are made in a step of the given length, s.
    double speculativeMargin(double step) const;
    /// Whether the two move so far in such a step that continuous collision is needed.
    bool isFast(double step) const;
    /// Whether a fast pair stays so far apart during the whole step that not even the outermost bounds meet. For two
    /// reduced bodies, or one and a plane; false for anything else.
    bool staysApart(const btCollisionShape& otherShape, const btTransform& otherTransform, double step) const;
    /// Metres that the two come towards each other in such a step, at most, as they move now.
    double approachInStep(double step) const;
    /// As speculativeMargin(), m, for continuous collision: of the distance during the step.
    double continuousMargin() const;
    /// The same between the skeletons' and the other shape's own surfaces, both margins added.
    double continuousReach(const btCollisionShape& otherShape) const;
    /// The same of a body against itself.
    double selfMargin(double step) const;
    /// Writes the contacts into manifolds of four, carrying impulses over.
    void writeManifolds(const btCollisionObjectWrapper& firstWrap, const btCollisionObjectWrapper& secondWrap,
                        btManifoldResult& result);
    /// The contacts as Bullet's points, with what those of the last substep, still in the manifolds, carry over; into
    /// `system.points` from `first` on. May run on any thread.
    void preparePoints(int first) const;
    void addManifold(const btCollisionObject* object0, const btCollisionObject* object1);
    /// What the contacts' impulses of the last substep do in the coming one to bodies that take it (FreeStep.cpp); may
    /// run on any thread.
    void listContactForces(btScalar factor);
    /// Hands the contacts to a query's result.
    void reportContacts(btManifoldResult& result);
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

// Contacts with shapes of Bullet, appended to `out` unclustered.
void collideConvex(const pliant::DeformedBody& body, const btCollisionShape& shape, const btTransform& transform,
                   double margin, std::vector<pliant::SkeletonContact>& out);
void collideConcave(const pliant::DeformedBody& body, const pliant::ContactHistory& history,
                    const btCollisionShape& shape, const btTransform& transform, double margin,
                    std::vector<pliant::SkeletonContact>& out);
// Continuous collision: the same over the whole step to the predicted state.
// @param back  takes points of the world at the end of the step to where they are seen from the shape as it stands now
void collideConvexContinuous(const pliant::DeformedBody& body, const btCollisionShape& shape,
                             const btTransform& transform, const pliant::RigidTransform& back, double margin,
                             std::vector<pliant::SkeletonContact>& out);
void collideConcaveContinuous(const pliant::DeformedBody& body, const pliant::ContactHistory& history,
                              const btCollisionShape& shape, const btTransform& transform,
                              const pliant::RigidTransform& back, double margin,
                              std::vector<pliant::SkeletonContact>& out);

}  // namespace btPliantInternal
