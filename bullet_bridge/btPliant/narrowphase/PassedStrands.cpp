// SPDX-License-Identifier: Zlib
#include "btPliant/narrowphase/PassedStrands.h"

#include <algorithm>

#include "btPliant/data/BodyData.h"
#include "btPliant/data/ContactPair.h"
#include "btPliant/data/Convert.h"
#include "btPliant/narrowphase/SurfaceTouch.h"
#include "pliant/collision/pair/ContinuousCollision.h"
#include "pliant/collision/pair/PassedSegments.h"

namespace btPliantInternal {

using pliant::Vector3;

namespace {

/// Radii of the thinner body that two come relative to each other in a substep from which on a contact that nobody
/// expected may have found them behind each other.
constexpr double kFarRadii = 2.0;

/// Metres that a body's segments came in the substep about where its frame was.
double relativeWay(const BodyData& data) {
    return data.substepRelativeMotionBound;
}

/// Where collision saw the frame when the contacts of the substep were found, less where it sees it now.
btVector3 wayBack(const BodyData& data) {
    return data.startOfWay.getOrigin() - data.deformedTransform.getOrigin();
}

bool mayHavePassed(const ContactPair& pair) {
    if (!pair.b || pair.isSelf() || pair.touch || touchesSurface(pair)) return false;
    const BodyData &a = dataOf(pair.a), &b = dataOf(*pair.b);
    if (a.character || b.character) return false;
    const double way = static_cast<double>((wayBack(a) - wayBack(b)).length()) + relativeWay(a) + relativeWay(b);
    if (!(way > kFarRadii * std::min(a.largestRadius, b.largestRadius))) return false;
    return !pliant::boxesStayApart(*a.deformed, *b.deformed, Vector3::Zero(), way);
}

/// Whether its coordinates were others when contacts were found.
bool hasStepped(const BodyData& data, const SystemData& system) {
    return data.steppedSubstep == system.substep && data.previousQ.size() == data.batch().model().dimension();
}

void predictBack(BodyData& data, const SystemData& system) {
    data.deformed->refit();
    const double* q = hasStepped(data, system) ? data.previousQ.data() : data.batch().q(data.slot).data();
    data.deformed->predictMotion(q, toEigen(data.startOfWay));
    data.predictedSubstep = 0;  // what comes next is predicted anew
}

}  // namespace

void rememberPassedStrands(SystemData& system) {
    std::vector<ContactPair*>& pairs = system.movedPairs;
    std::vector<btPliantBody*>& bodies = system.work;
    pairs.clear();
    bodies.clear();
    for (ContactPair* pair : system.pairs) {
        if (!mayHavePassed(*pair)) continue;
        pairs.push_back(pair);
        for (btPliantBody* body : {&pair->a, pair->b}) {
            if (!dataOf(*body).needsPrediction) bodies.push_back(body);
            dataOf(*body).needsPrediction = true;
        }
    }
    for (btPliantBody* body : bodies) {
        dataOf(*body).needsPrediction = false;
        dataOf(*body).deformed->prepareForPrediction();
    }
    system.workers->forBlocks(static_cast<int>(bodies.size()), 8, [&system](int begin, int end) {
        for (int i = begin; i < end; ++i) predictBack(dataOf(*system.work[static_cast<std::size_t>(i)]), system);
    });
    system.workers->forBlocks(static_cast<int>(pairs.size()), 16, [&system](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            ContactPair& pair = *system.movedPairs[static_cast<std::size_t>(i)];
            pliant::rememberPassedSegments(*dataOf(pair.a).deformed, *dataOf(*pair.b).deformed, pair.history);
        }
    });
}

}  // namespace btPliantInternal
