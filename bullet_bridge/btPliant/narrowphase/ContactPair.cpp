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
#include "pliant/collision/pair/SkeletonQueries.h"
#include "pliant/math/Prefetch.h"

namespace btPliantInternal {

using pliant::SkeletonContact;
using pliant::Vector3;

namespace {

constexpr double kStillRadii = 0.05;  ///< of the thinner body: has hardly moved
constexpr int kAllBalls = 1 << 20;
constexpr std::size_t kMostFetched = 1024;  ///< bytes of a list; the rest of a long one comes by itself
OtherKind kindOf(const btCollisionShape& shape) {
    if (btPliantShape::upcast(&shape)) return OtherKind::Body;
    if (shape.getShapeType() == STATIC_PLANE_PROXYTYPE) return OtherKind::Plane;
    return shape.isConvex() ? OtherKind::Convex : OtherKind::Concave;
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
const PairState* pairAt(const std::vector<PairState*>& pairs, int index) {
    return static_cast<std::size_t>(index) < pairs.size() ? pairs[static_cast<std::size_t>(index)] : nullptr;
}

}  // namespace

PairState::PairState(btPliantBody& ours, const btCollisionObjectWrapper& otherWrap, bool isSwapped, bool isQuery,
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
    const auto later = [](const PairState* x, const PairState* y) { return x->order < y->order; };
    const bool sorted = system.world->getDispatchInfo().m_deterministicOverlappingPairs;
    system.pairs.insert(
        sorted ? std::upper_bound(system.pairs.begin(), system.pairs.end(), this, later) : system.pairs.end(), this);
}

PairState::~PairState() {
    for (btPersistentManifold* manifold : manifolds) dispatcher.releaseManifold(manifold);
    if (query) return;
    // Not before the pass over them is over, but perhaps before all of them have been handed to Bullet.
    const auto at = static_cast<std::size_t>(place);
    if (at < system.prepass.size() && system.prepass[at] == this) system.prepass[at] = nullptr;
    auto& pairs = system.pairs;
    pairs.erase(std::find(pairs.begin(), pairs.end(), this));
}

bool PairState::passesOver() {
    if (!computed || !system.contactsAreFresh || !contacts.empty() || !manifolds.empty()) return false;
    computed = false;
    firstPoint = -1;
    return true;
}

void PairState::fetchStates(const std::vector<PairState*>& pairs, int current) {
    if (const PairState* pair = pairAt(pairs, current + 9)) pliant::prefetch(pair, sizeof *pair);
}

void PairState::fetchContacts(const std::vector<PairState*>& pairs, int current) {
    if (const PairState* pair = pairAt(pairs, current + 5)) pliant::prefetchElements(pair->contacts, kMostFetched);
}

void PairState::fetchForTest(const std::vector<PairState*>& pairs, int current, int end) {
    fetchStates(pairs, current);
    if (current + 5 < end) {
        const PairState& pair = *pairs[static_cast<std::size_t>(current + 5)];
        pliant::prefetchElements(pair.contacts, kMostFetched);
        pliant::prefetchElements(pair.history.entries(), kMostFetched);
        pliant::prefetchElements(pair.choice.contacts, kMostFetched);
        pliant::prefetchElements(pair.low.spheres(), kMostFetched);
    }
    if (current + 2 < end) pairs[static_cast<std::size_t>(current + 2)]->fetchBalls();
}

void PairState::fetchForPoints(const std::vector<PairState*>& pairs, int current) {
    fetchStates(pairs, current);
    if (const PairState* pair = pairAt(pairs, current + 5)) {
        pliant::prefetchElements(pair->contacts, kMostFetched);
        pliant::prefetchElements(pair->manifolds, kMostFetched);
    }
    if (const PairState* pair = pairAt(pairs, current + 2)) pair->fetchManifolds();
}

void PairState::fetchBalls() const {
    constexpr std::size_t most = 24;
    const pliant::DeformedBody& A = *a.data().deformed;
    for (std::size_t i = 0; i < std::min(most, low.spheres().size()); ++i) A.prefetchSphere(low.spheres()[i]);
    if (!b) return;
    const pliant::DeformedBody& B = *b->data().deformed;
    for (std::size_t i = 0; i < std::min(most, choice.contacts.size()); ++i) {
        A.prefetchSegment(choice.contacts[i].segmentA);
        B.prefetchSegment(choice.contacts[i].segmentB);
    }
}

void PairState::fetchManifolds() const {
    for (const btPersistentManifold* manifold : manifolds) pliant::prefetch(manifold, sizeof *manifold);
}

PairState::Need PairState::needOf(double step) const {
    if (isFast(step))
        return passesBy(*other->getCollisionShape(), other->getWorldTransform(), step) ? Need::Few : Need::Sight;
    const double ours = static_cast<double>(system.info.m_margin);
    const pliant::DeformedBody& A = *a.data().deformed;
    if (kind == OtherKind::Plane) {
        const btCollisionShape& shape = *other->getCollisionShape();
        const HalfSpace plane(shape, other->getWorldTransform());
        const double reach = speculativeMargin(step) + ours + static_cast<double>(shape.getMargin());
        return pliant::halfSpaceNeedsAllSpheres(A, plane.normal, plane.offset, reach, low) ? Need::Balls : Need::Few;
    }
    const double reach = speculativeMargin(step) + 2 * ours;
    if (!b) return Need::Boxes;
    const pliant::DeformedBody& B = *b->data().deformed;
    if (choiceHolds(reach)) return Need::Few;
    if (candidates.nearCovers(A, B, reach)) return Need::Listed;
    return candidates.cover(A, B, reach) ? Need::Balls : Need::Boxes;
}

void PairState::markNeeds() const {
    if (need == Need::Few) return;
    const int ends = 2 * static_cast<int>(candidates.near().size());
    for (btPliantBody* body : {&a, b}) {
        if (!body) continue;
        btPliantBody::Data& data = body->data();
        switch (need) {
            case Need::Few:
                break;
            case Need::Listed:
                data.neededBalls += ends;
                break;
            case Need::Balls:
                data.neededBalls = kAllBalls;
                break;
            case Need::Boxes:
                data.needsBoxes = true;
                break;
            case Need::Sight:
                data.needsSight = true;
                data.deformed->prepareForPrediction();
                break;
        }
    }
}

void PairState::refit(const btCollisionShape& otherShape, const btTransform& otherTransform, double step) {
    for (btPliantBody* body : {&a, b})
        if (body) body->data().syncCollision();
    const bool looks = isFast(step) && !passesBy(otherShape, otherTransform, step);
    for (btPliantBody* body : {&a, b}) {
        if (!body) continue;
        body->data().deformed->refit();
        if (looks) body->data().predictMotion(step);
    }
}

void PairState::sweep(const btCollisionShape& otherShape, const btTransform& otherTransform, double step,
                      std::vector<SkeletonContact>& out) {
    const double reach = sweptReach(otherShape);
    const pliant::DeformedBody& body = *a.data().deformed;
    if (kind == OtherKind::Body) {
        candidates.noteMotion(body, *b->data().deformed);
        choice.reach = -1;
    }
    if (passesBy(otherShape, otherTransform, step)) return;
    if (kind == OtherKind::Body) {
        pliant::collideBodiesContinuous(body, *b->data().deformed, reach, out, &history);
        return;
    }
    pliant::RigidTransform back;
    const btRigidBody* rigid = btRigidBody::upcast(other);
    if (rigid && movesInStep(*rigid))
        back = toEigen(rigid->getWorldTransform() * freeTransform(*rigid, step).inverse());
    if (kind == OtherKind::Plane) {
        const HalfSpace plane(otherShape, otherTransform);
        pliant::collideHalfSpaceContinuous(body, plane.normal, plane.offset, back, reach, out);
    } else if (kind == OtherKind::Convex) {
        sweepConvex(body, otherShape, otherTransform, back, reach, out);
    } else {
        sweepConcave(body, history, otherShape, otherTransform, back, reach, out);
    }
}

void PairState::compute(const btCollisionShape& otherShape, const btTransform& otherTransform, double step,
                        double margin) {
    // What is found before clustering comes and goes by the hundred: kept by the thread, not by every pair.
    static thread_local std::vector<SkeletonContact> found;
    found.clear();
    const double marginA = static_cast<double>(system.info.m_margin);
    double marginB = 0;
    if (kind == OtherKind::Body) marginB = marginA;
    if (kind == OtherKind::Plane) marginB = static_cast<double>(otherShape.getMargin());
    const bool fast = margin < 0 && isFast(step);
    const double reach = (margin >= 0 ? margin : speculativeMargin(step)) + marginA + marginB;
    if (kind == OtherKind::Body && margin < 0 && !fast && choiceHolds(reach)) {
        testChoice(reach, found);
        subtractMargins(found, marginA, marginB);
        keepContacts(found);
        return;
    }
    if (fast)
        sweep(otherShape, otherTransform, step, found);
    else
        find(otherShape, otherTransform, reach, found);
    if (kind == OtherKind::Body) history.remember(*a.data().deformed, found);
    subtractMargins(found, marginA, marginB);
    if (kind != OtherKind::Body)  // keep the choice of points steady, as the history of two bodies does
        for (SkeletonContact& contact : found) contact.kept = history.find(contact.feature) != nullptr;
    pliant::ClusterOptions options;
    options.maximum = system.info.m_maxContactsPerPair;
    pliant::clusterContacts(found, options);
    keepContacts(found);
    if (kind == OtherKind::Body)
        history.markKept(found);
    else
        history.remember(*a.data().deformed, found);
    if (kind == OtherKind::Body && margin < 0 && !fast) keepChoice(reach);
}

void PairState::find(const btCollisionShape& otherShape, const btTransform& otherTransform, double reach,
                     std::vector<SkeletonContact>& out) {
    const pliant::DeformedBody& body = *a.data().deformed;
    switch (kind) {
        case OtherKind::Body:
            if (isSelf())
                pliant::collideSelf(body, *a.data().neighbours, reach, out, &history);
            else
                pliant::collideBodies(body, *b->data().deformed, reach, out, &history, &candidates);
            break;
        case OtherKind::Plane: {
            const HalfSpace plane(otherShape, otherTransform);
            pliant::collideHalfSpace(body, plane.normal, plane.offset, reach, out, &low);
            break;
        }
        case OtherKind::Convex:
            collideConvex(body, otherShape, otherTransform, reach, out);
            break;
        case OtherKind::Concave:
            collideConcave(body, history, otherShape, otherTransform, reach, out);
            break;
    }
}

void PairState::keepContacts(const std::vector<SkeletonContact>& found) {
    constexpr std::size_t step = 8;
    pliant::reserveRounded(contacts, found.size(), step);
    contacts.assign(found.begin(), found.end());
}

pliant::RelativePlacement PairState::relativePlace() const {
    return pliant::RelativePlacement::of(*a.data().deformed, *b->data().deformed);
}

bool PairState::choiceHolds(double reach) const {
    if (choice.reach < 0 || history.anyCrossed()) return false;
    const double moved = choice.swungBefore + pliant::motionBetween(choice.start, relativePlace());
    const double thinner = std::min(a.data().largestRadius, b->data().largestRadius);
    return moved + std::max(0.0, reach - choice.reach) <= kStillRadii * thinner;
}

void PairState::testChoice(double reach, std::vector<SkeletonContact>& out) {
    const pliant::DeformedBody &A = *a.data().deformed, &B = *b->data().deformed;
    candidates.noteMotion(A, B);
    for (std::size_t i = 0; i < choice.contacts.size(); ++i) {
        const Choice::Contact& chosen = choice.contacts[i];
        SkeletonContact tested[2];
        const int count = pliant::collideSegments(A, chosen.segmentA, B, chosen.segmentB, reach, tested, &history);
        for (int k = 0; k < count; ++k)
            if (tested[k].feature == chosen.feature) out.push_back(tested[k]);
    }
}

void PairState::keepChoice(double reach) {
    constexpr std::size_t step = 16;
    pliant::reserveRounded(choice.contacts, contacts.size(), step);
    choice.contacts.clear();
    for (const SkeletonContact& contact : contacts)
        choice.contacts.push_back({contact.segmentA, contact.segmentB, contact.feature});
    choice.reach = reach;
    choice.start = relativePlace();
    choice.swungBefore = 0;
}

}  // namespace btPliantInternal
