// SPDX-License-Identifier: Zlib
// The parallel pass over the pairs of a system, before Bullet asks for the first one.
#include <algorithm>
#include <array>

#include "btPliant/narrowphase/ContactPair.h"
#include "btPliant/step/SystemData.h"

namespace {
constexpr int kBodiesAtOnce = 8;  ///< whole passes over a model's balls
}

void btPliantSystem::Data::gatherInWorld() {
    work.clear();
    for (btPliantBody* body : bodies)
        if (isInWorld(*body)) work.push_back(body);
}

// Bodies are scattered in memory: all that is to be done to one is done in one go.
void btPliantSystem::Data::moveCollisionBodies(bool substepEnds) {
    workers->forBlocks(static_cast<int>(work.size()), kBodiesAtOnce, [this, substepEnds](int begin, int end) {
        std::array<pliant::DeformedBody::NewState, kBodiesAtOnce> states;
        std::size_t count = 0;
        for (int i = begin; i < end; ++i) {
            btPliantBody::Data& data = work[static_cast<std::size_t>(i)]->data();
            if (data.collisionIsBehind()) states[count++] = data.takeCollisionState();
        }
        pliant::DeformedBody::moveTogether(states.data(), static_cast<int>(count));
        for (int i = begin; substepEnds && i < end; ++i) work[static_cast<std::size_t>(i)]->data().noteSubstepMotion();
    });
}

namespace {

/// Of a body's balls; evaluating one by one whenever they are asked for costs more than all of them at once from here
/// on.
constexpr int kManyOf = 8;

bool isToBeEvaluated(const btPliantBody::Data& data) {
    return data.needsBoxes || data.needsSight || kManyOf * data.neededBalls > data.model().skeleton.sphereCount();
}

}  // namespace

// All balls of a body are only evaluated for pairs that look at many, its boxes refitted for pairs that descend into
// them, and it looks ahead for those that are fast.
void btPliantSystem::Data::evaluateNeeded() {
    workers->forBlocks(static_cast<int>(prepass.size()), 64, [this](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            btPliantInternal::PairState& pair = *prepass[static_cast<std::size_t>(i)];
            btPliantInternal::PairState::fetchStates(prepass, i);
            pair.need = pair.needOf(stepLength);
        }
    });
    for (const btPliantInternal::PairState* pair : prepass) pair->markNeeds();
    gatherInWorld();
    std::size_t count = 0;
    for (btPliantBody* body : work) {
        if (isToBeEvaluated(body->data())) work[count++] = body;
        body->data().neededBalls = 0;
    }
    work.resize(count);
    workers->forBlocks(static_cast<int>(count), kBodiesAtOnce, [this](int begin, int end) {
        std::array<pliant::DeformedBody*, kBodiesAtOnce> looked{};
        for (int i = begin; i < end; ++i)
            looked[static_cast<std::size_t>(i - begin)] = &*work[static_cast<std::size_t>(i)]->data().deformed;
        pliant::DeformedBody::evaluateTogether(looked.data(), end - begin);
        for (int i = begin; i < end; ++i) {
            btPliantBody::Data& data = work[static_cast<std::size_t>(i)]->data();
            if (data.needsBoxes || data.needsSight) data.deformed->refit();
            if (data.needsSight) data.predictMotion(stepLength);
            data.needsBoxes = data.needsSight = false;
        }
    });
}

void btPliantSystem::Data::prepareContacts() {
    if (contactsAreFresh) return;
    contactsAreFresh = true;
    ++substep;
    gatherInWorld();
    moveCollisionBodies(false);
    prepass.clear();
    for (btPliantInternal::PairState* pair : pairs) {
        pair->computed = false;
        pair->firstPoint = -1;
        if (pair->isSelf()) continue;
        const bool active = pair->a.isActive() || pair->other->isActive();
        const int type = pair->other->getCollisionShape()->getShapeType();  // of the whole object, not of a child
        if (active && (pair->kind == btPliantInternal::OtherKind::Body || type == STATIC_PLANE_PROXYTYPE))
            prepass.push_back(pair);
    }
    evaluateNeeded();
    const int count = static_cast<int>(prepass.size());
    workers->forBlocks(count, 16, [this](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            btPliantInternal::PairState& pair = *prepass[static_cast<std::size_t>(i)];
            btPliantInternal::PairState::fetchForTest(prepass, i, end);
            pair.compute(*pair.other->getCollisionShape(), pair.other->getWorldTransform(), stepLength, -1.0);
            pair.computed = true;
        }
    });
    preparePoints();
}

void btPliantSystem::Data::reservePoints(int count) {
    if (static_cast<std::size_t>(count) <= points.size()) return;
    points.resize(static_cast<std::size_t>(count));
    pointIsKnown.resize(points.size());
}

void btPliantSystem::Data::preparePoints() {
    preparedPoints = 0;
    int place = 0;
    for (btPliantInternal::PairState* pair : prepass) {
        pair->firstPoint = preparedPoints;
        pair->place = place++;
        preparedPoints += static_cast<int>(pair->contacts.size());
    }
    reservePoints(preparedPoints);
    workers->forBlocks(static_cast<int>(prepass.size()), 16, [this](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            const btPliantInternal::PairState& pair = *prepass[static_cast<std::size_t>(i)];
            btPliantInternal::PairState::fetchForPoints(prepass, i);
            if (!pair.contacts.empty()) pair.preparePoints(pair.firstPoint);
        }
    });
}
