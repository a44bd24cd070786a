// SPDX-License-Identifier: Zlib
// The parallel pass over the pairs of a system, before Bullet asks for the first one.
#include <algorithm>
#include <array>

#include "btPliant/narrowphase/ManifoldWriter.h"
#include "btPliant/narrowphase/MotionPrediction.h"
#include "btPliant/narrowphase/PairContacts.h"
#include "btPliant/narrowphase/PairPrefetch.h"
#include "btPliant/step/SystemData.h"

namespace {
constexpr int kBodiesAtOnce = 8;  ///< whole passes over a model's spheres
}

void btPliantSystem::Data::listBodiesInWorld() {
    work.clear();
    for (btPliantBody* body : bodies)
        if (isInWorld(*body)) work.push_back(body);
}

// Bodies are scattered in memory: all that is to be done to one is done in one go.
void btPliantSystem::Data::updateCollisionBodies(bool substepEnds) {
    workers->forBlocks(static_cast<int>(work.size()), kBodiesAtOnce, [this, substepEnds](int begin, int end) {
        std::array<pliant::DeformedBody::NewState, kBodiesAtOnce> states;
        std::size_t count = 0;
        for (int i = begin; i < end; ++i) {
            btPliantBody::Data& data = work[static_cast<std::size_t>(i)]->data();
            if (data.collisionNeedsUpdate()) states[count++] = data.beginCollisionUpdate();
        }
        pliant::DeformedBody::moveTogether(states.data(), static_cast<int>(count));
        for (int i = begin; substepEnds && i < end; ++i)
            work[static_cast<std::size_t>(i)]->data().recordSubstepMotion();
    });
}

namespace {

/// Of a body's spheres; evaluating one by one whenever they are asked for costs more than all of them at once from here
/// on.
constexpr int kManySpheres = 8;

bool needsEvaluation(const btPliantBody::Data& data) {
    return data.needsBoundingVolumes || data.needsPrediction ||
           kManySpheres * data.neededSpheres > data.model().skeleton.sphereCount();
}

}  // namespace

// All spheres of a body are evaluated only for pairs that use many, its bounding volumes refitted for pairs that
// descend into them, and its motion predicted for pairs that are fast.
void btPliantSystem::Data::evaluateRequired() {
    workers->forBlocks(static_cast<int>(parallelPairs.size()), 64, [this](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            btPliantInternal::ContactPair& pair = *parallelPairs[static_cast<std::size_t>(i)];
            btPliantInternal::prefetchPairs(parallelPairs, i);
            pair.required = btPliantInternal::requirementOf(pair, stepLength);
        }
    });
    for (const btPliantInternal::ContactPair* pair : parallelPairs) btPliantInternal::markRequirements(*pair);
    listBodiesInWorld();
    std::size_t count = 0;
    for (btPliantBody* body : work) {
        body->data().needsSpheres = needsEvaluation(body->data());
        if (body->data().needsSpheres || body->data().needsField) work[count++] = body;
        body->data().neededSpheres = 0;
    }
    work.resize(count);
    workers->forBlocks(static_cast<int>(count), kBodiesAtOnce, [this](int begin, int end) {
        std::array<pliant::DeformedBody*, kBodiesAtOnce> evaluated{};
        std::size_t spheres = 0;
        for (int i = begin; i < end; ++i) {
            btPliantBody::Data& data = work[static_cast<std::size_t>(i)]->data();
            if (data.needsSpheres) evaluated[spheres++] = &*data.deformed;
        }
        pliant::DeformedBody::evaluateTogether(evaluated.data(), static_cast<int>(spheres));
        for (int i = begin; i < end; ++i) {
            btPliantBody::Data& data = work[static_cast<std::size_t>(i)]->data();
            if (data.needsBoundingVolumes || data.needsPrediction) data.deformed->refit();
            if (data.needsPrediction) btPliantInternal::predictMotion(data, stepLength);
            if (data.needsField) data.updateField();
            data.needsBoundingVolumes = data.needsPrediction = data.needsField = false;
        }
    });
}

void btPliantSystem::Data::findContacts() {
    if (contactsAreFound) return;
    contactsAreFound = true;
    ++substep;
    listBodiesInWorld();
    updateCollisionBodies(false);
    parallelPairs.clear();
    for (btPliantInternal::ContactPair* pair : pairs) {
        pair->isComputed = false;
        pair->firstPoint = -1;
        if (pair->isSelf()) continue;
        const bool active = pair->a.isActive() || pair->other->isActive();
        const bool isChild = pair->shape != pair->other->getCollisionShape();  // which Bullet alone can place
        if (active && pair->collider.isParallel && !isChild) parallelPairs.push_back(pair);
    }
    evaluateRequired();
    const int count = static_cast<int>(parallelPairs.size());
    workers->forBlocks(count, 16, [this](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            btPliantInternal::ContactPair& pair = *parallelPairs[static_cast<std::size_t>(i)];
            btPliantInternal::prefetchForTest(parallelPairs, i, end);
            const btPliantInternal::PlacedShape placed{*pair.shape, pair.other->getWorldTransform()};
            btPliantInternal::findContacts(pair, placed, stepLength, -1.0);
            pair.isComputed = true;
        }
    });
    preparePoints();
}

void btPliantSystem::Data::reservePoints(int count) {
    if (static_cast<std::size_t>(count) <= points.size()) return;
    points.resize(static_cast<std::size_t>(count));
    pointIsMatched.resize(points.size());
}

void btPliantSystem::Data::preparePoints() {
    preparedPointCount = 0;
    int index = 0;
    for (btPliantInternal::ContactPair* pair : parallelPairs) {
        pair->firstPoint = preparedPointCount;
        pair->parallelIndex = index++;
        preparedPointCount += static_cast<int>(pair->contacts.size());
    }
    reservePoints(preparedPointCount);
    workers->forBlocks(static_cast<int>(parallelPairs.size()), 16, [this](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            const btPliantInternal::ContactPair& pair = *parallelPairs[static_cast<std::size_t>(i)];
            btPliantInternal::prefetchForPoints(parallelPairs, i);
            if (!pair.contacts.empty()) btPliantInternal::preparePoints(pair, pair.firstPoint);
        }
    });
}
