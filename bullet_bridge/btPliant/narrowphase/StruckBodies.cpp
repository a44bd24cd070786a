// SPDX-License-Identifier: Zlib
#include "btPliant/narrowphase/StruckBodies.h"

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

/// @return whether the pair has become fast, or faster
bool passOn(ContactPair& pair, double step) {
    const double speed = std::max(dataOf(pair.a).struckSpeed, dataOf(*pair.b).struckSpeed);
    if (!(speed > pair.struckSpeed)) return false;
    pair.struckSpeed = speed;
    pair.required = requirementOf(pair, step);
    if (pair.required != Requirement::Prediction) return false;
    strike(pair, speed);
    return true;
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
        if (pair->required != Requirement::Prediction || !touchesSurface(*pair) || !framesAreFast(*pair, step))
            continue;
        strike(*pair, frameSpeed(*pair, step));
        goesOn = true;
    }
    for (int round = 0; goesOn && round < kMostRounds; ++round) {
        goesOn = false;
        for (ContactPair* pair : system.parallelPairs)
            if (pair->b && touchesSurface(*pair) && passOn(*pair, step)) goesOn = true;
    }
}

}  // namespace btPliantInternal
