// SPDX-License-Identifier: Zlib
#include "btPliant/narrowphase/shapes/Body.h"

#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>

#include <algorithm>

#include "btPliant/data/ContactPair.h"
#include "btPliant/data/Convert.h"
#include "btPliant/data/SystemData.h"
#include "btPliant/narrowphase/ContactCache.h"
#include "btPliant/narrowphase/MotionPrediction.h"
#include "btPliant/narrowphase/SurfaceSprings.h"
#include "btPliant/narrowphase/SurfaceTouch.h"
#include "pliant/collision/pair/CollideBodies.h"
#include "pliant/collision/pair/ContinuousCollision.h"

namespace btPliantInternal {

bool isBody(const btCollisionObjectWrapper& other) {
    const btPliantShape* shape = btPliantShape::upcast(other.getCollisionShape());
    return shape && &shape->getBody() == other.getCollisionObject();
}

namespace {

/// Springs stand for all of a surface: what is between its points has no area of its own.
pliant::SurfaceReach wholeReach(const ContactPair& pair, double reach) {
    pliant::SurfaceReach own(reach);
    own.edges = !hasSurfaceSprings(pair);
    return own;
}

/// A question is about now, and springs stand for all of a surface: both look as far in any direction.
pliant::SurfaceReach surfaceReach(const ContactPair& pair, double reach) {
    pliant::SurfaceReach own = wholeReach(pair, reach);
    if (pair.query || !own.edges) return own;
    own.ahead -= marginAcross(pair, pair.system.stepLength);
    return own;
}

}  // namespace

void bodyDiscrete(ContactPair& pair, const PlacedShape&, double reach, SkeletonContacts& out) {
    const BodyData &A = dataOf(pair.a), &B = dataOf(*pair.b);
    if (pair.isSelf())
        pliant::collideSelf(*A.deformed, *A.restNeighbours, reach, out, &pair.history);
    else if (touchesSurface(pair))
        pliant::collideSurfaces(A.touching(), B.touching(), surfaceReach(pair, reach), wayInLastStep(pair),
                                pair.surfaceSides, pair.surfaceCandidates, out);
    else
        pliant::collideBodies(*A.deformed, *B.deformed, reach, out, &pair.history, &pair.candidates);
}

void bodyContinuous(ContactPair& pair, const PlacedShape&, double step, double reach, SkeletonContacts& out) {
    if (touchesSurface(pair))
        pliant::collideSurfaces(dataOf(pair.a).touching(), dataOf(*pair.b).touching(),
                                wholeReach(pair, reach + approachInStep(pair, step)), wayInLastStep(pair),
                                pair.surfaceSides, pair.surfaceCandidates, out);
    else
        pliant::collideBodiesContinuous(*dataOf(pair.a).deformed, *dataOf(*pair.b).deformed, reach, out, &pair.history);
}

double bodyMargin(const ContactPair& pair, const btCollisionShape&) {
    return static_cast<double>(pair.system.info.m_margin);
}

bool bodyBounds(const ContactPair& pair, const PlacedShape& placed, double step) {
    const btVector3 velocity = freeVelocity(pair.a, step) - freeVelocity(*pair.b, step);
    double reach = continuousReach(pair, placed.shape) + predictedRelativeMotion(pair.a, step);
    reach += predictedRelativeMotion(*pair.b, step) + step * pair.struckSpeed;
    return pliant::boxesStayApart(*dataOf(pair.a).deformed, *dataOf(*pair.b).deformed, step * toEigen(velocity), reach);
}

Requirement bodyNeeds(const ContactPair& pair, const PlacedShape&, double step) {
    const double reach = speculativeMargin(pair, step) + 2 * static_cast<double>(pair.system.info.m_margin);
    if (touchesSurface(pair))
        return pliant::surfacesNeedBoxes(dataOf(pair.a).touching(), dataOf(*pair.b).touching(), reach,
                                         pair.surfaceSides, pair.surfaceCandidates)
                   ? Requirement::BoundingVolumes
                   : Requirement::Spheres;
    const pliant::DeformedBody &A = *dataOf(pair.a).deformed, &B = *dataOf(*pair.b).deformed;
    if (cacheIsValid(pair, reach)) return Requirement::Few;
    if (pair.candidates.nearCovers(A, B, reach)) return Requirement::Listed;
    return pair.candidates.cover(A, B, reach) ? Requirement::Spheres : Requirement::BoundingVolumes;
}

}  // namespace btPliantInternal
