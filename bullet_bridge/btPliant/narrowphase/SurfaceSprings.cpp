// SPDX-License-Identifier: Zlib
#include "btPliant/narrowphase/SurfaceSprings.h"

#include <BulletCollision/CollisionDispatch/btManifoldResult.h>
#include <BulletCollision/CollisionShapes/btCollisionShape.h>

#include <algorithm>

#include "btPliant/data/BodyCollision.h"
#include "btPliant/data/SystemData.h"
#include "btPliant/narrowphase/ShapePoints.h"

namespace btPliantInternal {

namespace {

constexpr double kShapePointShare = 0.25;  ///< of the area of a surface point
constexpr double kBoundless = 1e6;         ///< m^2

/// Largest face of the box of a shape, m^2.
double largestShadow(const btCollisionShape& shape) {
    if (shape.isInfinite()) return kBoundless;
    btVector3 lower, upper;
    shape.getAabb(btTransform::getIdentity(), lower, upper);
    const btVector3 size = upper - lower;
    return static_cast<double>(btMax(size.x() * size.y(), btMax(size.y() * size.z(), size.z() * size.x())));
}

/// Of a point of a body's surface. @param normal away from what it meets
double facingArea(const btPliantBody& body, int segment, const pliant::Vector3& normal) {
    const BodyData& data = dataOf(body);
    const int sphere = data.deformed->model().skeleton().segments(0, segment);
    const pliant::SurfaceModel& model = data.field->model();
    if (!model.isSurfacePoint(sphere)) return 0.0;
    return model.facingArea(sphere, -data.field->surfaceNormal(*data.deformed, sphere).dot(normal));
}

}  // namespace

Penalty penaltyOf(const ContactPair& pair) {
    if (const PairPenalty* asked = pair.system.pairPenalties.find(&pair.a, pair.other))
        return {asked->stiffness > 0, asked->stiffness, asked->damping};
    const int flags = pair.a.getCollisionFlags() | pair.other->getCollisionFlags();
    if ((flags & btCollisionObject::CF_HAS_CONTACT_STIFFNESS_DAMPING) == 0) return {};
    const btCollisionObject *one = pair.swapped ? pair.other : &pair.a, *two = pair.swapped ? &pair.a : pair.other;
    return {true, btManifoldResult::calculateCombinedContactStiffness(one, two),
            btManifoldResult::calculateCombinedContactDamping(one, two)};
}

bool hasSurfaceSprings(const ContactPair& pair) {
    if (!penaltyOf(pair).isOn || pair.isSelf()) return false;
    return takesSurfaceSprings(dataOf(pair.a)) && (!pair.b || takesSurfaceSprings(dataOf(*pair.b)));
}

double springShare(const ContactPair& pair, const pliant::SkeletonContact& contact) {
    const pliant::SurfaceModel& model = dataOf(pair.a).field->model();
    const double ofPoint = model.pointSpacing() * model.pointSpacing();
    const double other =
        pair.b ? dataOf(*pair.b).field->model().largestShadow() : largestShadow(*pair.other->getCollisionShape());
    const double reference = std::max(std::min(model.largestShadow(), other), ofPoint);
    if (pair.b) {
        const bool isOfA = (contact.feature & 1u) == 0;
        const double area = isOfA ? facingArea(pair.a, contact.segmentA, contact.normal)
                                  : facingArea(*pair.b, contact.segmentB, -contact.normal);
        return 0.5 * area / reference;
    }
    const double area =
        isOfShapePoint(contact) ? kShapePointShare * ofPoint : facingArea(pair.a, contact.segmentA, contact.normal);
    return area / reference;
}

}  // namespace btPliantInternal
