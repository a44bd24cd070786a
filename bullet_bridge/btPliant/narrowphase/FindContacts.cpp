// SPDX-License-Identifier: Zlib
// The parallel pass over the pairs of a system, before Bullet asks for the first one.
#include "btPliant/narrowphase/FindContacts.h"

#include <LinearMath/btAabbUtil2.h>

#include <algorithm>
#include <array>

#include "btPliant/data/BodyCollision.h"
#include "btPliant/data/SystemData.h"
#include "btPliant/narrowphase/ContactLimit.h"
#include "btPliant/narrowphase/DistributedTouch.h"
#include "btPliant/narrowphase/ManifoldWriter.h"
#include "btPliant/narrowphase/MotionPrediction.h"
#include "btPliant/narrowphase/PairContacts.h"
#include "btPliant/narrowphase/StruckBodies.h"

namespace btPliantInternal {

namespace {
constexpr int kBodiesAtOnce = 8;  ///< whole passes over a model's spheres
}

void listBodiesInWorld(SystemData& system) {
    system.work.clear();
    for (btPliantBody* body : system.bodies)
        if (system.isInWorld(*body)) system.work.push_back(body);
}

// Bodies are scattered in memory: all that is to be done to one is done in one go.
void updateCollisionBodies(SystemData& system, bool substepEnds) {
    const std::vector<btPliantBody*>& work = system.work;
    system.workers->forBlocks(static_cast<int>(work.size()), kBodiesAtOnce, [&work, substepEnds](int begin, int end) {
        std::array<pliant::DeformedBody::NewState, kBodiesAtOnce> states;
        std::size_t count = 0;
        for (int i = begin; i < end; ++i) {
            BodyData& data = dataOf(*work[static_cast<std::size_t>(i)]);
            if (substepEnds) data.startOfWay = data.deformedTransform;
            if (collisionNeedsUpdate(data)) states[count++] = beginCollisionUpdate(data);
        }
        pliant::DeformedBody::moveTogether(states.data(), static_cast<int>(count));
        for (int i = begin; substepEnds && i < end; ++i)
            recordSubstepMotion(dataOf(*work[static_cast<std::size_t>(i)]));
    });
}

namespace {

/// Of a body's spheres; evaluating one by one whenever they are asked for costs more than all of them at once from here
/// on.
constexpr int kManySpheres = 8;

bool needsEvaluation(const BodyData& data) {
    return data.needsBoundingVolumes || data.needsPrediction || data.needsField ||
           kManySpheres * data.neededSpheres > data.model().skeleton.sphereCount();
}

// All spheres of a body are evaluated only for pairs that use many, its bounding volumes refitted for pairs that
// descend into them, and its motion predicted for pairs that are fast.
void evaluateRequired(SystemData& system) {
    system.workers->forBlocks(static_cast<int>(system.parallelPairs.size()), 64, [&system](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            ContactPair& pair = *system.parallelPairs[static_cast<std::size_t>(i)];
            pair.required = requirementOf(pair, system.stepLength);
        }
    });
    findStruckPairs(system);
    for (const ContactPair* pair : system.parallelPairs) markRequirements(*pair);
    listBodiesInWorld(system);
    std::size_t count = 0;
    for (btPliantBody* body : system.work) {
        dataOf(*body).needsSpheres = needsEvaluation(dataOf(*body));
        if (dataOf(*body).needsSpheres) system.work[count++] = body;
        dataOf(*body).neededSpheres = 0;
    }
    system.work.resize(count);
    system.workers->forBlocks(static_cast<int>(count), kBodiesAtOnce, [&system](int begin, int end) {
        std::array<pliant::DeformedBody*, kBodiesAtOnce> evaluated{};
        std::size_t spheres = 0;
        for (int i = begin; i < end; ++i) {
            BodyData& data = dataOf(*system.work[static_cast<std::size_t>(i)]);
            if (data.needsSpheres) evaluated[spheres++] = &*data.deformed;
        }
        pliant::DeformedBody::evaluateTogether(evaluated.data(), static_cast<int>(spheres));
        std::array<pliant::DeformedField::NewState, kBodiesAtOnce> bent;
        std::size_t fields = 0;
        for (int i = begin; i < end; ++i) {
            BodyData& data = dataOf(*system.work[static_cast<std::size_t>(i)]);
            if (data.needsField) bent[fields++] = fieldState(data);
        }
        pliant::DeformedField::updateTogether(bent.data(), static_cast<int>(fields));
        for (int i = begin; i < end; ++i) {
            BodyData& data = dataOf(*system.work[static_cast<std::size_t>(i)]);
            if (data.needsField && data.needsFieldBounds) data.field->updateBounds();
            if (data.needsBoundingVolumes || data.needsPrediction) data.deformed->refit();
            if (data.needsPrediction) predictMotion(data, system.stepLength);
            data.needsBoundingVolumes = data.needsPrediction = data.needsField = false;
        }
    });
}

/// Bullet's tree never shrinks a leaf around what stays within it, and a character does: after a fast clip or a jump
/// its pairs go on with all that the large box met.
bool boxesAreApart(const ContactPair& pair) {
    if (!dataOf(pair.a).character && !(pair.b && dataOf(*pair.b).character)) return false;
    const btBroadphaseProxy *ours = pair.a.getBroadphaseHandle(), *theirs = pair.other->getBroadphaseHandle();
    return ours && theirs &&
           !TestAabbAgainstAabb2(ours->m_aabbMin, ours->m_aabbMax, theirs->m_aabbMin, theirs->m_aabbMax);
}

void prepareAllPoints(SystemData& system) {
    system.preparedPointCount = 0;
    int index = 0;
    for (ContactPair* pair : system.parallelPairs) {
        pair->firstPoint = system.preparedPointCount;
        pair->parallelIndex = index++;
        system.preparedPointCount += static_cast<int>(pair->contacts.size());
    }
    reservePoints(system, system.preparedPointCount);
    system.workers->forBlocks(static_cast<int>(system.parallelPairs.size()), 16, [&system](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            const ContactPair& pair = *system.parallelPairs[static_cast<std::size_t>(i)];
            if (!pair.contacts.empty()) preparePoints(pair, pair.firstPoint);
        }
    });
}

}  // namespace

void findAllContacts(SystemData& system) {
    if (system.contactsAreFound) return;
    system.contactsAreFound = true;
    ++system.substep;
    listBodiesInWorld(system);
    updateCollisionBodies(system, false);
    system.parallelPairs.clear();
    for (ContactPair* pair : system.pairs) {
        pair->isComputed = false;
        pair->firstPoint = -1;
        pair->struckSpeed = 0;
        if (pair->isSelf()) continue;
        updateTouch(*pair);
        const bool active = pair->a.isActive() || pair->other->isActive();
        const bool isChild = pair->shape != pair->other->getCollisionShape();  // which Bullet alone can place
        const PlacedShape placed{*pair->shape, pair->other->getWorldTransform()};
        if (!active || isChild) continue;
        if (boxesAreApart(*pair) || staysClear(*pair, placed, system.stepLength)) {
            forgetContacts(*pair);
            pair->isComputed = true;
        } else if (pair->collider.isParallel) {
            system.parallelPairs.push_back(pair);
        }
    }
    evaluateRequired(system);
    const int count = static_cast<int>(system.parallelPairs.size());
    system.workers->forBlocks(count, 16, [&system](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            ContactPair& pair = *system.parallelPairs[static_cast<std::size_t>(i)];
            const PlacedShape placed{*pair.shape, pair.other->getWorldTransform()};
            findContacts(pair, placed, system.stepLength, -1.0);
            pair.isComputed = true;
        }
    });
    limitContacts(system);
    prepareAllPoints(system);
}

}  // namespace btPliantInternal
