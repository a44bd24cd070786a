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

/// Whether a pair's contacts had an impulse in the last substep.
bool holds(const ContactPair& pair) {
    for (const btPersistentManifold* manifold : pair.manifolds)
        for (int i = 0; i < manifold->getNumContacts(); ++i)
            if (manifold->getContactPoint(i).m_appliedImpulse > 0) return true;
    return false;
}

/// Notes which bodies had an impulse in the last substep of what does not move, or of a body that had: they are no
/// farther from what they lie on than they are seen.
void markHeldBodies(SystemData& system) {
    for (btPliantBody* body : system.bodies) dataOf(*body).isHeld = false;
    bool goesOn = true;
    for (int round = 0; goesOn && round < kMostRounds; ++round) {
        goesOn = false;
        for (const ContactPair* pair : system.pairs) {
            BodyData& a = dataOf(pair->a);
            BodyData* b = pair->b ? &dataOf(*pair->b) : nullptr;
            if (pair->isSelf() || (a.isHeld && (!b || b->isHeld)) || !holds(*pair)) continue;
            const bool isHeld = a.isHeld || (b ? b->isHeld : pair->other->isStaticOrKinematicObject());
            if (!isHeld) continue;
            a.isHeld = goesOn = true;
            if (b) b->isHeld = true;
        }
    }
}

/// Whether a pair comes together by so much in a step that what lies behind has to know of it. @param passesBy it is
/// known to, by the way of the step
bool strikes(const ContactPair& pair, double step, bool passesBy) {
    if (!touchesSurface(pair)) return false;
    if (isFast(pair, step)) return !passesBy && framesAreFast(pair, step);
    return step * frameSpeed(pair, step) > kFarOfSolids * largestSpacing(pair) && !holds(pair);
}

/// @return whether the pair has become fast, or faster, or is one that looks further: of two that fall side by side
bool passOn(ContactPair& pair, double step) {
    const double speed = std::max(dataOf(pair.a).struckSpeed, dataOf(*pair.b).struckSpeed);
    if (!(speed > pair.struckSpeed)) return false;
    const double before = pair.struckSpeed;
    pair.struckSpeed = speed;
    if (isFast(pair, step)) {
        pair.required = requirementOf(pair, step);
        if (pair.required != Requirement::Prediction) return false;
    } else if (dataOf(pair.a).isHeld && dataOf(*pair.b).isHeld) {
        pair.struckSpeed = before;
        return false;
    }
    strike(pair, speed);
    return true;
}

/// Strikes the bodies of all pairs that strike, parts of compounds among them, which only Bullet can place.
bool beginStrikes(SystemData& system, double step) {
    bool any = false;
    const auto begin = [&](ContactPair& pair, bool passesBy) {
        if (!strikes(pair, step, passesBy)) return;
        strike(pair, frameSpeed(pair, step));
        any = true;
    };
    for (ContactPair* pair : system.parallelPairs) begin(*pair, pair->required != Requirement::Prediction);
    for (ContactPair* pair : system.pairs)
        if (pair->shape != pair->other->getCollisionShape() && pair->a.isActive()) begin(*pair, false);
    return any;
}

}  // namespace

void findStruckPairs(SystemData& system) {
    const bool hasSolids = std::any_of(system.groups.begin(), system.groups.end(),
                                       [](const auto& group) { return group->surface != nullptr; });
    if (!hasSolids) return;
    const double step = system.stepLength;
    for (btPliantBody* body : system.bodies) dataOf(*body).struckSpeed = 0;
    if (!beginStrikes(system, step)) return;
    markHeldBodies(system);
    bool goesOn = true;
    for (int round = 0; goesOn && round < kMostRounds; ++round) {
        goesOn = false;
        for (ContactPair* pair : system.parallelPairs)
            if (pair->b && touchesSurface(*pair) && passOn(*pair, step)) goesOn = true;
    }
    for (ContactPair* pair : system.parallelPairs)
        if (pair->struckSpeed > 0 && !isFast(*pair, step)) pair->required = requirementOf(*pair, step);
}

}  // namespace btPliantInternal
