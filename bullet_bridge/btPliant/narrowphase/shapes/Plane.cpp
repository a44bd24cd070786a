// SPDX-License-Identifier: Zlib
#include "btPliant/narrowphase/shapes/Plane.h"

#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>

#include <algorithm>

#include "btPliant/data/ContactPair.h"
#include "btPliant/data/Convert.h"
#include "btPliant/data/SystemData.h"
#include "btPliant/narrowphase/MotionPrediction.h"
#include "btPliant/narrowphase/SurfaceTouch.h"
#include "pliant/collision/pair/SkeletonQueries.h"

namespace btPliantInternal {

namespace {

/// Bullet's plane as a half-space of the world: normal . x <= offset.
struct HalfSpace {
    explicit HalfSpace(const PlacedShape& placed) {
        const auto& plane = static_cast<const btStaticPlaneShape&>(placed.shape);
        normal = toEigen(btVector3(placed.transform.getBasis() * plane.getPlaneNormal())).normalized();
        offset = static_cast<double>(plane.getPlaneConstant()) + normal.dot(toEigen(placed.transform.getOrigin()));
    }
    pliant::Vector3 normal;
    double offset;
};

/// Of the way of a step, by which points of a solid that gives way are taken to come farther than they would alone. A
/// body that hits the ground with one end throws its other end down at more than the speed it came with: half as much
/// again of a rod.
constexpr double kImpactRoom = 0.5;

}  // namespace

void planeDiscrete(ContactPair& pair, const PlacedShape& placed, double reach, SkeletonContacts& out) {
    const HalfSpace plane(placed);
    pliant::collideHalfSpace(*dataOf(pair.a).deformed, plane.normal, plane.offset, reach, out, &pair.planeCandidates);
}

void planeContinuous(ContactPair& pair, const PlacedShape& placed, double step, double reach, SkeletonContacts& out) {
    const HalfSpace plane(placed);
    const double approach = approachInStep(pair, step);
    if (touchesSurface(pair) && softCoordinates(dataOf(pair.a), approach / step) > 0) reach += kImpactRoom * approach;
    pliant::collideHalfSpaceContinuous(*dataOf(pair.a).deformed, plane.normal, plane.offset, wayBack(*pair.other, step),
                                       reach, out);
}

double planeMargin(const ContactPair&, const btCollisionShape& shape) {
    return static_cast<double>(shape.getMargin());
}

bool planeBounds(const ContactPair& pair, const PlacedShape& placed, double step) {
    btVector3 velocity = freeVelocity(pair.a, step);
    double reach = continuousReach(pair, placed.shape) + predictedRelativeMotion(pair.a, step);
    const btRigidBody* rigid = btRigidBody::upcast(pair.other);
    if (rigid && movesInStep(*rigid)) {
        velocity -= freeVelocity(*rigid, step);
        reach += turningMotion(*rigid, step);
    }
    const HalfSpace plane(placed);
    const double down = -step * plane.normal.dot(toEigen(velocity));
    return pliant::isBeyond(*dataOf(pair.a).deformed, plane.normal, plane.offset, reach + std::max(0.0, down));
}

Requirement planeNeeds(const ContactPair& pair, const PlacedShape& placed, double step) {
    const HalfSpace plane(placed);
    const double reach = speculativeMargin(pair, step) + surfaceMotion(pair, placed.shape, step) +
                         largestCapHeight(pair) + static_cast<double>(pair.system.info.m_margin) +
                         planeMargin(pair, placed.shape);
    return pliant::halfSpaceNeedsAllSpheres(*dataOf(pair.a).deformed, plane.normal, plane.offset, reach,
                                            pair.planeCandidates)
               ? Requirement::Spheres
               : Requirement::Few;
}

}  // namespace btPliantInternal
