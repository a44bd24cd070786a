// SPDX-License-Identifier: Zlib
#include "btPliant/narrowphase/ContactPair.h"

#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>

#include <algorithm>

#include "btPliant/body/Convert.h"
#include "btPliant/narrowphase/HalfSpace.h"
#include "btPliant/narrowphase/MotionPrediction.h"
#include "btPliant/step/SystemData.h"
#include "pliant/collision/pair/ClusterContacts.h"
#include "pliant/collision/pair/CollideBodies.h"
#include "pliant/collision/pair/ContinuousCollision.h"
#include "pliant/collision/pair/ReserveRounded.h"
#include "pliant/collision/pair/SelectContacts.h"
#include "pliant/collision/pair/SkeletonQueries.h"
#include "pliant/math/Prefetch.h"

namespace btPliantInternal {

using pliant::SkeletonContact;
using pliant::Vector3;

namespace {

constexpr double kCacheRadii = 0.05;  ///< of the thinner body: has hardly moved
constexpr int kAllSpheres = 1 << 20;
constexpr std::size_t kMostPrefetched = 1024;  ///< bytes of a list; the rest of a long one comes by itself
ShapeKind kindOf(const btCollisionShape& shape) {
    if (btPliantShape::upcast(&shape)) return ShapeKind::Body;
    if (shape.getShapeType() == STATIC_PLANE_PROXYTYPE) return ShapeKind::Plane;
    return shape.isConvex() ? ShapeKind::Convex : ShapeKind::Concave;
}

/// Distances are geometric less both margins.
void subtractMargins(std::vector<SkeletonContact>& contacts, double marginA, double marginB) {
    if (marginA == 0 && marginB == 0) return;
    for (SkeletonContact& contact : contacts) {
        contact.pointA -= marginA * contact.normal;
        contact.pointB += marginB * contact.normal;
        contact.distance -= marginA + marginB;
    }
}

/// Null beyond the last.
const ContactPair* pairAt(const std::vector<ContactPair*>& pairs, int index) {
    return static_cast<std::size_t>(index) < pairs.size() ? pairs[static_cast<std::size_t>(index)] : nullptr;
}

}  // namespace

ContactPair::ContactPair(btPliantBody& ours, const btCollisionObjectWrapper& otherWrap, bool isSwapped, bool isQuery,
                         btDispatcher& bulletDispatcher)
    : system(ours.getSystem().data()),
      a(ours),
      b(const_cast<btPliantBody*>(btPliantBody::upcast(otherWrap.getCollisionObject()))),
      other(otherWrap.getCollisionObject()),
      kind(kindOf(*otherWrap.getCollisionShape())),
      swapped(isSwapped),
      query(isQuery),
      dispatcher(bulletDispatcher) {
    if (query) return;
    order.body = a.data().number;
    order.other = other->getBroadphaseHandle() ? other->getBroadphaseHandle()->m_uniqueId : -1;
    order.child = otherWrap.m_index;
    const auto later = [](const ContactPair* x, const ContactPair* y) { return x->order < y->order; };
    const bool sorted = system.world->getDispatchInfo().m_deterministicOverlappingPairs;
    system.pairs.insert(
        sorted ? std::upper_bound(system.pairs.begin(), system.pairs.end(), this, later) : system.pairs.end(), this);
}

ContactPair::~ContactPair() {
    for (btPersistentManifold* manifold : manifolds) dispatcher.releaseManifold(manifold);
    if (query) return;
    // Not before the pass over them is over, but perhaps before all of them have been handed to Bullet.
    const auto at = static_cast<std::size_t>(parallelIndex);
    if (at < system.parallelPairs.size() && system.parallelPairs[at] == this) system.parallelPairs[at] = nullptr;
    auto& pairs = system.pairs;
    pairs.erase(std::find(pairs.begin(), pairs.end(), this));
}

bool ContactPair::skipIfEmpty() {
    if (!isComputed || !system.contactsAreFound || !contacts.empty() || !manifolds.empty()) return false;
    isComputed = false;
    firstPoint = -1;
    return true;
}

void ContactPair::prefetchPairs(const std::vector<ContactPair*>& pairs, int current) {
    if (const ContactPair* pair = pairAt(pairs, current + 9)) pliant::prefetch(pair, sizeof *pair);
}

void ContactPair::prefetchContacts(const std::vector<ContactPair*>& pairs, int current) {
    if (const ContactPair* pair = pairAt(pairs, current + 5)) pliant::prefetchElements(pair->contacts, kMostPrefetched);
}

void ContactPair::prefetchForTest(const std::vector<ContactPair*>& pairs, int current, int end) {
    prefetchPairs(pairs, current);
    if (current + 5 < end) {
        const ContactPair& pair = *pairs[static_cast<std::size_t>(current + 5)];
        pliant::prefetchElements(pair.contacts, kMostPrefetched);
        pliant::prefetchElements(pair.history.entries(), kMostPrefetched);
        pliant::prefetchElements(pair.cache.contacts, kMostPrefetched);
        pliant::prefetchElements(pair.planeCandidates.spheres(), kMostPrefetched);
    }
    if (current + 2 < end) pairs[static_cast<std::size_t>(current + 2)]->prefetchSpheres();
}

void ContactPair::prefetchForPoints(const std::vector<ContactPair*>& pairs, int current) {
    prefetchPairs(pairs, current);
    if (const ContactPair* pair = pairAt(pairs, current + 5)) {
        pliant::prefetchElements(pair->contacts, kMostPrefetched);
        pliant::prefetchElements(pair->manifolds, kMostPrefetched);
    }
    if (const ContactPair* pair = pairAt(pairs, current + 2)) pair->prefetchManifolds();
}

void ContactPair::prefetchSpheres() const {
    constexpr std::size_t most = 24;
    const pliant::DeformedBody& A = *a.data().deformed;
    for (std::size_t i = 0; i < std::min(most, planeCandidates.spheres().size()); ++i)
        A.prefetchSphere(planeCandidates.spheres()[i]);
    if (!b) return;
    const pliant::DeformedBody& B = *b->data().deformed;
    for (std::size_t i = 0; i < std::min(most, cache.contacts.size()); ++i) {
        A.prefetchSegment(cache.contacts[i].segmentA);
        B.prefetchSegment(cache.contacts[i].segmentB);
    }
}

void ContactPair::prefetchManifolds() const {
    for (const btPersistentManifold* manifold : manifolds) pliant::prefetch(manifold, sizeof *manifold);
}

ContactPair::Requirement ContactPair::requirement(double step) const {
    if (isFast(step))
        return staysApart(*other->getCollisionShape(), other->getWorldTransform(), step) ? Requirement::Few
                                                                                         : Requirement::Prediction;
    const double ours = static_cast<double>(system.info.m_margin);
    const pliant::DeformedBody& A = *a.data().deformed;
    if (kind == ShapeKind::Plane) {
        const btCollisionShape& shape = *other->getCollisionShape();
        const HalfSpace plane(shape, other->getWorldTransform());
        const double reach =
            speculativeMargin(step) + largestCapHeight() + ours + static_cast<double>(shape.getMargin());
        return pliant::halfSpaceNeedsAllSpheres(A, plane.normal, plane.offset, reach, planeCandidates)
                   ? Requirement::Spheres
                   : Requirement::Few;
    }
    const double reach = speculativeMargin(step) + 2 * ours;
    if (!b) return Requirement::BoundingVolumes;
    if (touchesSurface())
        return pliant::surfacesNeedBoxes(a.data().touching(), b->data().touching(), reach, surfaceCandidates)
                   ? Requirement::BoundingVolumes
                   : Requirement::Spheres;
    const pliant::DeformedBody& B = *b->data().deformed;
    if (cacheIsValid(reach)) return Requirement::Few;
    if (candidates.nearCovers(A, B, reach)) return Requirement::Listed;
    return candidates.cover(A, B, reach) ? Requirement::Spheres : Requirement::BoundingVolumes;
}

void ContactPair::markRequirements() const {
    if (touchesSurface() && mayTouchSurface())
        for (btPliantBody* body : {&a, b})
            if (body && body->data().field) body->data().needsField = true;
    if (required == Requirement::Few) return;
    const int ends = 2 * static_cast<int>(candidates.near().size());
    for (btPliantBody* body : {&a, b}) {
        if (!body) continue;
        btPliantBody::Data& data = body->data();
        switch (required) {
            case Requirement::Few:
                break;
            case Requirement::Listed:
                data.neededSpheres += ends;
                break;
            case Requirement::Spheres:
                data.neededSpheres = kAllSpheres;
                break;
            case Requirement::BoundingVolumes:
                data.needsBoundingVolumes = true;
                break;
            case Requirement::Prediction:
                data.needsPrediction = true;
                data.deformed->prepareForPrediction();
                break;
        }
    }
}

void ContactPair::refit(const btCollisionShape& otherShape, const btTransform& otherTransform, double step) {
    for (btPliantBody* body : {&a, b})
        if (body) body->data().updateCollision();
    const bool predicts = isFast(step) && !staysApart(otherShape, otherTransform, step);
    for (btPliantBody* body : {&a, b}) {
        if (!body) continue;
        body->data().deformed->refit();
        body->data().updateField();
        if (predicts) body->data().predictMotion(step);
    }
}

void ContactPair::detectContinuous(const btCollisionShape& otherShape, const btTransform& otherTransform, double step,
                                   std::vector<SkeletonContact>& out) {
    const double reach = continuousReach(otherShape);
    const pliant::DeformedBody& body = *a.data().deformed;
    if (kind == ShapeKind::Body) {
        candidates.noteMotion(body, *b->data().deformed);
        cache.reach = -1;
    }
    if (staysApart(otherShape, otherTransform, step)) return;
    if (kind == ShapeKind::Body && touchesSurface()) {
        detectSurface(otherShape, otherTransform, reach + approachInStep(step), out);
        return;
    }
    if (kind == ShapeKind::Body) {
        pliant::collideBodiesContinuous(body, *b->data().deformed, reach, out, &history);
        return;
    }
    pliant::RigidTransform back;
    const btRigidBody* rigid = btRigidBody::upcast(other);
    if (rigid && movesInStep(*rigid))
        back = toEigen(rigid->getWorldTransform() * predictedTransform(*rigid, step).inverse());
    if (kind == ShapeKind::Plane) {
        const HalfSpace plane(otherShape, otherTransform);
        pliant::collideHalfSpaceContinuous(body, plane.normal, plane.offset, back, reach, out);
    } else if (kind == ShapeKind::Convex) {
        collideConvexContinuous(body, otherShape, otherTransform, back, reach, out);
    } else {
        collideConcaveContinuous(body, history, otherShape, otherTransform, back, reach, out);
    }
}

void ContactPair::findContacts(const btCollisionShape& otherShape, const btTransform& otherTransform, double step,
                               double margin) {
    // Hundreds of contacts are found before clustering and dropped again: their memory belongs to the thread, not to
    // every pair.
    static thread_local std::vector<SkeletonContact> found;
    found.clear();
    const double marginA = static_cast<double>(system.info.m_margin);
    double marginB = 0;
    if (kind == ShapeKind::Body) marginB = marginA;
    if (kind == ShapeKind::Plane) marginB = static_cast<double>(otherShape.getMargin());
    const bool fast = margin < 0 && isFast(step);
    const double reach = (margin >= 0 ? margin : speculativeMargin(step)) + marginA + marginB;
    const bool isSurface = touchesSurface();
    const double caps = isSurface ? largestCapHeight() : 0.0;
    if (kind == ShapeKind::Body && margin < 0 && !fast && !isSurface && cacheIsValid(reach)) {
        testCachedContacts(reach, found);
        subtractMargins(found, marginA, marginB);
        storeContacts(found);
        return;
    }
    if (fast)
        detectContinuous(otherShape, otherTransform, step, found);
    else
        detectDiscrete(otherShape, otherTransform, reach + caps, found);
    if (isSurface && kind != ShapeKind::Body) {
        roundSurface(fast ? 1e30 : reach, found);
        if (!fast) detectSurface(otherShape, otherTransform, reach, found);
    }
    if (kind == ShapeKind::Body && !isSurface) history.remember(*a.data().deformed, found);
    subtractMargins(found, marginA, marginB);
    if (kind != ShapeKind::Body || isSurface)  // keep the choice of points steady, as the history of two bodies does
        for (SkeletonContact& contact : found) contact.kept = history.find(contact.feature) != nullptr;
    if (isSurface) {
        pliant::SelectOptions options;
        options.maximum = system.info.m_maxContactsPerPair;
        pliant::selectContacts(found, options);
    } else {
        pliant::ClusterOptions options;
        options.maximum = system.info.m_maxContactsPerPair;
        pliant::clusterContacts(found, options);
    }
    storeContacts(found);
    if (kind == ShapeKind::Body && !isSurface)
        history.markKept(found);
    else
        history.remember(*a.data().deformed, found);
    if (kind == ShapeKind::Body && margin < 0 && !fast && !isSurface) cacheContacts(reach);
}

void ContactPair::detectDiscrete(const btCollisionShape& otherShape, const btTransform& otherTransform, double reach,
                                 std::vector<SkeletonContact>& out) {
    const pliant::DeformedBody& body = *a.data().deformed;
    switch (kind) {
        case ShapeKind::Body:
            if (isSelf())
                pliant::collideSelf(body, *a.data().restNeighbours, reach, out, &history);
            else if (touchesSurface())
                detectSurface(otherShape, otherTransform, reach, out);
            else
                pliant::collideBodies(body, *b->data().deformed, reach, out, &history, &candidates);
            break;
        case ShapeKind::Plane: {
            const HalfSpace plane(otherShape, otherTransform);
            pliant::collideHalfSpace(body, plane.normal, plane.offset, reach, out, &planeCandidates);
            break;
        }
        case ShapeKind::Convex:
            collideConvex(body, otherShape, otherTransform, reach, out);
            break;
        case ShapeKind::Concave:
            collideConcave(body, history, otherShape, otherTransform, reach, out);
            break;
    }
}

void ContactPair::storeContacts(const std::vector<SkeletonContact>& found) {
    constexpr std::size_t step = 8;
    pliant::reserveRounded(contacts, found.size(), step);
    contacts.assign(found.begin(), found.end());
}

pliant::RelativePlacement ContactPair::relativePlacement() const {
    return pliant::RelativePlacement::of(*a.data().deformed, *b->data().deformed);
}

bool ContactPair::cacheIsValid(double reach) const {
    if (cache.reach < 0 || history.anyCrossed()) return false;
    const double moved =
        cache.relativeMotionBoundBefore + pliant::motionBetween(cache.startPlacement, relativePlacement());
    const double thinner = std::min(a.data().largestRadius, b->data().largestRadius);
    return moved + std::max(0.0, reach - cache.reach) <= kCacheRadii * thinner;
}

void ContactPair::testCachedContacts(double reach, std::vector<SkeletonContact>& out) {
    const pliant::DeformedBody &A = *a.data().deformed, &B = *b->data().deformed;
    candidates.noteMotion(A, B);
    for (std::size_t i = 0; i < cache.contacts.size(); ++i) {
        const ContactCache::Contact& chosen = cache.contacts[i];
        SkeletonContact tested[2];
        const int count = pliant::collideSegments(A, chosen.segmentA, B, chosen.segmentB, reach, tested, &history);
        for (int k = 0; k < count; ++k)
            if (tested[k].feature == chosen.feature) out.push_back(tested[k]);
    }
}

void ContactPair::cacheContacts(double reach) {
    constexpr std::size_t step = 16;
    pliant::reserveRounded(cache.contacts, contacts.size(), step);
    cache.contacts.clear();
    for (const SkeletonContact& contact : contacts)
        cache.contacts.push_back({contact.segmentA, contact.segmentB, contact.feature});
    cache.reach = reach;
    cache.startPlacement = relativePlacement();
    cache.relativeMotionBoundBefore = 0;
}

}  // namespace btPliantInternal
