// SPDX-License-Identifier: Zlib
#include "btPliant/PairState.h"

#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>
#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>

#include <algorithm>
#include <array>

#include "btPliant/Convert.h"
#include "btPliant/SystemData.h"
#include "pliant/collision/ClusterContacts.h"
#include "pliant/collision/CollideBodies.h"
#include "pliant/collision/SkeletonQueries.h"

namespace btPliantInternal {

using pliant::SkeletonContact;
using pliant::Vector3;

namespace {

constexpr double kStillRadii = 0.05;  ///< of the thinner body: has hardly moved
/// Of the farthest that a body has turned or bent in the last substep, what its strands are taken to come nearer by in
/// the next one, and radii that this may be at most. All of it would make collision in impacts three times as dear,
/// most of it for strands that swing past each other; without any, strands pass through each other unseen in steps of
/// 1/60 s.
constexpr double kSwingShare = 0.25, kMostSwing = 1.0;

OtherKind kindOf(const btCollisionShape& shape) {
    if (btPliantShape::upcast(&shape)) return OtherKind::Body;
    if (shape.getShapeType() == STATIC_PLANE_PROXYTYPE) return OtherKind::Plane;
    return shape.isConvex() ? OtherKind::Convex : OtherKind::Concave;
}

/// In the world: normal . x = offset.
struct Plane {
    Plane(const btCollisionShape& shape, const btTransform& transform) {
        const auto& plane = static_cast<const btStaticPlaneShape&>(shape);
        normal = toEigen(btVector3(transform.getBasis() * plane.getPlaneNormal())).normalized();
        offset = static_cast<double>(plane.getPlaneConstant()) + normal.dot(toEigen(transform.getOrigin()));
    }
    Vector3 normal;
    double offset;
};

void collideWithPlane(const pliant::DeformedBody& body, const Plane& plane, double margin,
                      std::vector<SkeletonContact>& out) {
    pliant::collideHalfSpace(body, plane.normal, plane.offset, margin, out);
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
    auto& pairs = system.pairs;
    pairs.erase(std::find(pairs.begin(), pairs.end(), this));
}

double PairState::speculativeMargin(double step) const {
    if (isSelf()) return selfMargin(step);
    const double radius = std::max(a.data().largestRadius, b ? b->data().largestRadius : 0.0);
    const btRigidBody* rigid = btRigidBody::upcast(other);
    const btVector3 relative =
        rigid ? btVector3(a.getLinearVelocity() - rigid->getLinearVelocity()) : a.getLinearVelocity();
    double approach = step * static_cast<double>(relative.length());
    const auto swing = [radius](const btPliantBody& body) {
        return std::min(kSwingShare * body.data().substepSwing, kMostSwing * radius);
    };
    approach += swing(a) + (b ? swing(*b) : 0.0);
    if (rigid && !b && rigid->getAngularVelocity().length2() > 0)
        approach += step * static_cast<double>(rigid->getAngularVelocity().length() *
                                               rigid->getCollisionShape()->getAngularMotionDisc());
    approach = std::min(approach, kFarthest * radius);
    const double base = static_cast<double>(system.info.m_speculativeRadii) * radius;
    // In a pile at rest most of these contacts would be strands that stay apart: in a substep nothing comes much
    // farther than four times what it came in the last one. What loses its hold sinks in by g h^2 at most before that
    // tells.
    const bool mayBeQuiet = b || other->isStaticOrKinematicObject();
    const double travel = mayBeQuiet ? a.data().substepTravel + (b ? b->data().substepTravel : approach) : 1e30;
    return 0.2 * base + std::min(4.0 * travel, 0.8 * base + approach);
}

void PairState::markForRefit(double step) {
    const double margin = static_cast<double>(system.info.m_margin);
    const double reach = speculativeMargin(step) + 2 * margin;
    if (kind == OtherKind::Plane) return;
    if (b && (choiceHolds(reach) || candidates.cover(*a.data().deformed, *b->data().deformed, reach))) return;
    a.data().needsBoxes = true;
    if (b) b->data().needsBoxes = true;
}

void PairState::compute(const btCollisionShape& otherShape, const btTransform& otherTransform, double step,
                        double margin) {
    contacts.clear();
    const double marginA = static_cast<double>(system.info.m_margin);
    double marginB = 0;
    const double reach = margin >= 0 ? margin : speculativeMargin(step);
    const pliant::DeformedBody& body = *a.data().deformed;
    if (kind == OtherKind::Body && margin < 0 && choiceHolds(reach + 2 * marginA)) {
        testChoice(reach + 2 * marginA);
        subtractMargins(contacts, marginA, marginA);
        return;
    }
    switch (kind) {
        case OtherKind::Body:
            marginB = marginA;
            if (isSelf()) {
                pliant::collideSelf(body, *a.data().neighbours, reach + marginA + marginB, contacts, &history);
                history.remember(body, contacts);
                break;
            }
            pliant::collideBodies(body, *b->data().deformed, reach + marginA + marginB, contacts, &history,
                                  &candidates);
            history.remember(body, contacts);
            break;
        case OtherKind::Plane:
            marginB = static_cast<double>(otherShape.getMargin());
            collideWithPlane(body, Plane(otherShape, otherTransform), reach + marginA + marginB, contacts);
            break;
        case OtherKind::Convex:
            collideConvex(body, otherShape, otherTransform, reach + marginA, contacts);
            break;
        case OtherKind::Concave:
            collideConcave(body, history, otherShape, otherTransform, reach + marginA, contacts);
            break;
    }
    subtractMargins(contacts, marginA, marginB);
    if (kind != OtherKind::Body)  // keep the choice of points steady, as the history of two bodies does
        for (SkeletonContact& contact : contacts) contact.kept = history.find(contact.feature) != nullptr;
    pliant::ClusterOptions options;
    options.maximum = system.info.m_maxContactsPerPair;
    pliant::clusterContacts(contacts, options);
    if (kind == OtherKind::Body)
        history.markKept(contacts);
    else
        history.remember(body, contacts);
    if (kind == OtherKind::Body && margin < 0) keepChoice(reach + 2 * marginA);
}

bool PairState::choiceHolds(double reach) const {
    if (choice.reach < 0 || history.anyCrossed()) return false;
    const double moved =
        choice.motion + (a.data().deformed->travelled() + b->data().deformed->travelled() - choice.start);
    const double thinner = std::min(a.data().largestRadius, b->data().largestRadius);
    return moved + std::max(0.0, reach - choice.reach) <= kStillRadii * thinner;
}

void PairState::testChoice(double reach) {
    const pliant::DeformedBody &A = *a.data().deformed, &B = *b->data().deformed;
    candidates.noteMotion(A, B);
    for (std::size_t i = 0; i < choice.contacts.size(); ++i) {
        const Choice::Contact& chosen = choice.contacts[i];
        SkeletonContact found[2];
        const int count = pliant::collideSegments(A, chosen.segmentA, B, chosen.segmentB, reach, found, &history);
        for (int k = 0; k < count; ++k)
            if (found[k].feature == chosen.feature) contacts.push_back(found[k]);
    }
}

void PairState::keepChoice(double reach) {
    choice.contacts.clear();
    for (const SkeletonContact& contact : contacts)
        choice.contacts.push_back({contact.segmentA, contact.segmentB, contact.feature});
    choice.reach = reach;
    choice.motion = 0;
    choice.start = a.data().deformed->travelled() + b->data().deformed->travelled();
}

}  // namespace btPliantInternal

void btPliantSystem::Data::gatherInWorld() {
    work.clear();
    for (btPliantBody* body : bodies)
        if (isInWorld(*body)) work.push_back(body);
}

void btPliantSystem::Data::moveCollisionBodies() {
    const auto ready = std::remove_if(work.begin(), work.end(),
                                      [](const btPliantBody* body) { return !body->data().collisionIsBehind(); });
    const int count = static_cast<int>(ready - work.begin());
    workers->forBlocks(count, 8, [this](int begin, int end) {
        std::array<pliant::DeformedBody::NewState, 8> states;
        for (int i = begin; i < end; ++i)
            states[static_cast<std::size_t>(i - begin)] =
                work[static_cast<std::size_t>(i)]->data().takeCollisionState();
        pliant::DeformedBody::moveTogether(states.data(), end - begin);
    });
}

// A body's boxes are only refitted for pairs that descend into them.
void btPliantSystem::Data::refitNeeded() {
    for (btPliantInternal::PairState* pair : prepass) pair->markForRefit(stepLength);
    gatherInWorld();
    std::size_t count = 0;
    for (btPliantBody* body : work) {
        if (body->data().needsBoxes) work[count++] = body;
        body->data().needsBoxes = false;
    }
    work.resize(count);
    workers->forBlocks(static_cast<int>(count), 8, [this](int begin, int end) {
        for (int i = begin; i < end; ++i) work[static_cast<std::size_t>(i)]->data().deformed->refit();
    });
}

void btPliantSystem::Data::prepareContacts() {
    if (contactsAreFresh) return;
    contactsAreFresh = true;
    gatherInWorld();
    moveCollisionBodies();
    prepass.clear();
    for (btPliantInternal::PairState* pair : pairs) {
        pair->computed = false;
        if (pair->isSelf()) continue;
        const bool active = pair->a.isActive() || pair->other->isActive();
        const int type = pair->other->getCollisionShape()->getShapeType();  // of the whole object, not of a child
        if (active && (pair->kind == btPliantInternal::OtherKind::Body || type == STATIC_PLANE_PROXYTYPE))
            prepass.push_back(pair);
    }
    refitNeeded();
    const int count = static_cast<int>(prepass.size());
    workers->forBlocks(count, 4, [this](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            btPliantInternal::PairState& pair = *prepass[static_cast<std::size_t>(i)];
            pair.compute(*pair.other->getCollisionShape(), pair.other->getWorldTransform(), stepLength, -1.0);
            pair.computed = true;
        }
    });
}
