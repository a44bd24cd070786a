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

class btCollisionShape;
class btManifoldResult;
class btPersistentManifold;
struct btCollisionObjectWrapper;

namespace btPliantInternal {

constexpr double kFarthest = 20.0;  ///< radii of the thickest strand: what approaches by more in a step counts as this

enum class OtherKind { Body, Plane, Convex, Concave };

/// A contact is always "A = ours against the other"; `swapped` says that Bullet has the other first.
struct PairState : pliant::CacheAligned {
    PairState(btPliantBody& ours, const btCollisionObjectWrapper& otherWrap, bool isSwapped, bool isQuery,
              btDispatcher& bulletDispatcher);
    ~PairState();
    PairState(const PairState&) = delete;
    PairState& operator=(const PairState&) = delete;

    btPliantSystem::Data& system;
    btPliantBody& a;
    btPliantBody* b = nullptr;  ///< the other when it is one of ours
    const btCollisionObject* other;
    OtherKind kind;
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
    pliant::PairCandidates candidates;  ///< of two reduced bodies
    pliant::PlaneCandidates low;        ///< of one and a plane
    /// What the last whole test of two reduced bodies has chosen. While they have hardly moved since, only these
    /// segments are tested again: what was not chosen cannot have come nearer than they have moved.
    struct Choice {
        struct Contact {
            int segmentA = -1, segmentB = -1;
            std::uint64_t feature = 0;
        };
        pliant::CacheAlignedVector<Contact> contacts;  ///< ascending by feature
        double reach = -1;                             ///< of that test, m; negative: there was none
        pliant::RelativePlacement start;               ///< then
        double swungBefore = 0;                        ///< m, by both bodies before `start.swung`, of a restored world
    } choice;
    bool computed = false;               ///< by the parallel pass of this substep, not yet handed to Bullet
    int firstForce = 0, forceCount = 0;  ///< in system.contactForces
    int firstPenetration = 0;            ///< in system.penetrations
    int firstPoint = -1;                 ///< in system.points, of a pair that has been computed so
    int place = -1;                      ///< in system.prepass, of the same
    /// Whether it has been computed so and there is nothing to hand to Bullet, as of most pairs of boxes that overlap.
    bool passesOver();
    pliant::CacheAlignedVector<btPersistentManifold*> manifolds;

    // For passes over many pairs: has brought near (Prefetch.h) what the next of them will need, in the order in which
    // one thing tells where another is: the pairs themselves, what their lists hold, then balls or manifolds.
    static void fetchStates(const std::vector<PairState*>& pairs, int current);
    static void fetchContacts(const std::vector<PairState*>& pairs, int current);  ///< of pairs just seen
    /// @param end of the pairs that this thread is testing: the lists of others may be changing
    static void fetchForTest(const std::vector<PairState*>& pairs, int current, int end);
    static void fetchForPoints(const std::vector<PairState*>& pairs, int current);
    void fetchBalls() const;  ///< that a test of what hardly moves will look at
    void fetchManifolds() const;

    /// Finds and clusters contacts within the pair's margin. Bullet-free for Body and Plane (may run on any thread).
    void compute(const btCollisionShape& otherShape, const btTransform& otherTransform, double step, double margin);
    /// Of two reduced bodies.
    pliant::RelativePlacement relativePlace() const;
    /// Whether `choice` may stand in for a whole test within `reach`.
    bool choiceHolds(double reach) const;
    // Append to `out`, unclustered: what lies within `reach` metres, of what is fast what comes near on the way, and
    // what is left of `choice`.
    void find(const btCollisionShape& otherShape, const btTransform& otherTransform, double reach,
              std::vector<pliant::SkeletonContact>& out);
    void sweep(const btCollisionShape& otherShape, const btTransform& otherTransform, double step,
               std::vector<pliant::SkeletonContact>& out);
    void keepContacts(const std::vector<pliant::SkeletonContact>& found);
    void testChoice(double reach, std::vector<pliant::SkeletonContact>& out);
    void keepChoice(double reach);
    /// What compute() will need of the bodies with the same arguments: a few balls, those of a list, all of them, the
    /// boxes too, and where the bodies go.
    enum class Need { Few, Listed, Balls, Boxes, Sight } need = Need::Few;
    Need needOf(double step) const;
    void markNeeds() const;  ///< of the bodies, by `need`
    /// Brings the same up to date at once.
    void refit(const btCollisionShape& otherShape, const btTransform& otherTransform, double step);
    /// Metres of positive distance from which contacts are made in a step of the given length, s.
    double speculativeMargin(double step) const;
    /// Whether the two come so far in such a step that their whole way is to be looked at.
    bool isFast(double step) const;
    /// Whether what is fast stays so far from the other on its whole way that not even their outermost boxes meet. Of
    /// two reduced bodies, or of one and a plane; anything else has to be looked at.
    bool passesBy(const btCollisionShape& otherShape, const btTransform& otherTransform, double step) const;
    /// Metres as speculativeMargin(), of what is fast: from their distance on the way.
    double sweptMargin() const;
    /// The same between the skeletons' and the other shape's own surfaces, both margins added.
    double sweptReach(const btCollisionShape& otherShape) const;
    /// The same of a body against itself.
    double selfMargin(double step) const;
    /// Writes the contacts into manifolds of four, carrying impulses over.
    void fillManifolds(const btCollisionObjectWrapper& firstWrap, const btCollisionObjectWrapper& secondWrap,
                       btManifoldResult& result);
    /// The contacts as Bullet's points, with what those of the last substep, still in the manifolds, carry over; into
    /// `system.points` from `first` on. May run on any thread.
    void preparePoints(int first) const;
    void addManifold(const btCollisionObject* object0, const btCollisionObject* object1);
    /// What the contacts' impulses of the last substep do in the coming one to bodies that take it (FreeStep.cpp); may
    /// run on any thread.
    void listForces(btScalar factor);
    /// Hands the contacts to a query's result.
    void report(btManifoldResult& result);
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
inline btScalar steadyShare(const btManifoldPoint& point) {
    const btScalar last = point.m_appliedImpulse;
    if (last <= btScalar(0)) return 0;
    return btMin(btScalar(1), btScalar(2) * btMax(btScalar(0), point.m_contactMotion1) / last);
}

/// Impulse on body 0 that the solver starts with, N s: the steady share of last substep's, friction turned into today's
/// tangent plane.
inline btVector3 warmImpulse(const btManifoldPoint& point, btScalar factor) {
    const btVector3& normal = point.m_normalWorldOnB;
    btVector3 tangential = point.m_lateralFrictionDir1 * point.m_appliedImpulseLateral1 +
                           point.m_lateralFrictionDir2 * point.m_appliedImpulseLateral2;
    tangential -= normal * normal.dot(tangential);
    return (normal * point.m_appliedImpulse + tangential) * (factor * steadyShare(point));
}

// Contacts with shapes of Bullet, appended to `out` unclustered.
void collideConvex(const pliant::DeformedBody& body, const btCollisionShape& shape, const btTransform& transform,
                   double margin, std::vector<pliant::SkeletonContact>& out);
void collideConcave(const pliant::DeformedBody& body, const pliant::ContactHistory& history,
                    const btCollisionShape& shape, const btTransform& transform, double margin,
                    std::vector<pliant::SkeletonContact>& out);
// The same over the whole step to where the body looks ahead to.
// @param back  takes points of the world at the end of the step to where they are seen from the shape as it stands now
void sweepConvex(const pliant::DeformedBody& body, const btCollisionShape& shape, const btTransform& transform,
                 const pliant::RigidTransform& back, double margin, std::vector<pliant::SkeletonContact>& out);
void sweepConcave(const pliant::DeformedBody& body, const pliant::ContactHistory& history,
                  const btCollisionShape& shape, const btTransform& transform, const pliant::RigidTransform& back,
                  double margin, std::vector<pliant::SkeletonContact>& out);

}  // namespace btPliantInternal
