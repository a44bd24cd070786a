// SPDX-License-Identifier: Zlib
#include "btPliant/narrowphase/StruckBodies.h"

#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>

#include <algorithm>

#include "btPliant/data/SystemData.h"
#include "btPliant/narrowphase/MotionPrediction.h"
#include "btPliant/narrowphase/PairContacts.h"
#include "btPliant/narrowphase/SurfaceTouch.h"

namespace btPliantInternal {

namespace {

constexpr int kMostRounds = 16;  ///< bodies in a row that one impact goes through in a substep

void strike(ContactPair& pair, double speed) {
    for (btPliantBody* body : {&pair.a, pair.b})
        if (body) dataOf(*body).struckSpeed = std::max(dataOf(*body).struckSpeed, speed);
}

/// Whether what strikes one of two that fall side by side has to be looked for further by the other.
bool mayPart(const ContactPair& pair) {
    return !dataOf(pair.a).isHeld || !dataOf(*pair.b).isHeld;
}

/// @return whether the pair has become fast, or faster, or is one that looks further
bool passOn(ContactPair& pair, double step) {
    const double speed = std::max(dataOf(pair.a).struckSpeed, dataOf(*pair.b).struckSpeed);
    if (!(speed > pair.struckSpeed)) return false;
    const double before = pair.struckSpeed;
    pair.struckSpeed = speed;
    if (!isFast(pair, step) && !mayPart(pair)) {
        pair.struckSpeed = before;
        return false;
    }
    pair.required = requirementOf(pair, step);
    strike(pair, speed);
    return true;
}

/// Notes which bodies had an impulse from anything in the last substep: they neither fall with others, nor are they
/// farther from what they touch than they are seen.
void markHeldBodies(SystemData& system) {
    for (btPliantBody* body : system.bodies) dataOf(*body).isHeld = false;
    for (const ContactPair* pair : system.pairs) {
        bool holds = false;
        for (const btPersistentManifold* manifold : pair->manifolds)
            for (int i = 0; i < manifold->getNumContacts() && !holds; ++i)
                holds = manifold->getContactPoint(i).m_appliedImpulse > 0;
        if (!holds) continue;
        for (btPliantBody* body : {&pair->a, pair->b})
            if (body) dataOf(*body).isHeld = true;
    }
}

/// Whether a pair comes together by so much in a step that what lies behind has to know of it.
bool strikes(const ContactPair& pair, double step) {
    if (!touchesSurface(pair)) return false;
    if (pair.required == Requirement::Prediction) return framesAreFast(pair, step);
    return step * frameSpeed(pair, step) > kFarOfSolids * largestSpacing(pair);
}

}  // namespace

void findStruckPairs(SystemData& system) {
    const bool hasSolids = std::any_of(system.groups.begin(), system.groups.end(),
                                       [](const auto& group) { return group->surface != nullptr; });
    if (!hasSolids) return;
    const double step = system.stepLength;
    bool goesOn = false;
    for (const ContactPair* pair : system.parallelPairs)
        for (btPliantBody* body : {&pair->a, pair->b})
            if (body) dataOf(*body).struckSpeed = 0;
    for (ContactPair* pair : system.parallelPairs) {
        if (!strikes(*pair, step)) continue;
        strike(*pair, frameSpeed(*pair, step));
        goesOn = true;
    }
    if (goesOn) markHeldBodies(system);
    for (int round = 0; goesOn && round < kMostRounds; ++round) {
        goesOn = false;
        for (ContactPair* pair : system.parallelPairs)
            if (pair->b && touchesSurface(*pair) && passOn(*pair, step)) goesOn = true;
    }
}

}  // namespace btPliantInternal
