// SPDX-License-Identifier: Zlib
#include "btPliant/narrowphase/ClosingContacts.h"

#include <BulletCollision/CollisionShapes/btCollisionShape.h>
#include <LinearMath/btTransformUtil.h>

#include <cmath>

#include "btPliant/data/Convert.h"
#include "btPliant/data/SystemData.h"
#include "btPliant/narrowphase/MotionPrediction.h"
#include "btPliant/narrowphase/ShapeAxis.h"
#include "btPliant/narrowphase/SurfaceTouch.h"

namespace btPliantInternal {

using pliant::SkeletonContact;
using pliant::Vector3;

namespace {

/// Whether a segment stands for a point of a surface that is flat there, or has a straight edge.
bool isOnFlat(const btPliantBody& body, int segment) {
    const BodyData& data = dataOf(body);
    if (!data.field || data.character || segment < 0) return false;  // frames do not tell where bones carry flesh
    const int sphere = data.deformed->model().skeleton().segments(0, segment);
    return data.field->model().isOnFlat(sphere);
}

/// Whether a shape is flat where it touches along a unit normal: planes and what is convex and has faces alone are, and
/// the ends of a cylinder. Triangles tell how points close by themselves (shapes/Triangles.cpp).
bool isFlatAt(const PlacedShape& placed, const Vector3& normal) {
    constexpr double along = 0.9999;
    const btCollisionShape& shape = placed.shape;
    if (shape.getShapeType() == CYLINDER_SHAPE_PROXYTYPE) {
        const btVector3 axis = placed.transform.getBasis().getColumn(axisOfRevolution(shape));
        return std::fabs(toEigen(axis).dot(normal)) > along;
    }
    return shape.isPolyhedral() || shape.getShapeType() == STATIC_PLANE_PROXYTYPE;
}

/// The way of what a body carries in a step as it moves now, turned about its frame's origin, not along the chord.
class CarriedWay {
public:
    CarriedWay(const btCollisionObject& object, double step) {
        const btRigidBody* body = btRigidBody::upcast(&object);
        if (!body || !movesInStep(*body)) return;
        btTransform ahead;
        btTransformUtil::integrateTransform(body->getWorldTransform(), body->getLinearVelocity(),
                                            body->getAngularVelocity(), static_cast<btScalar>(step), ahead);
        m_carried = toEigen(ahead * body->getWorldTransform().inverse());
    }
    Vector3 of(const Vector3& place) const { return m_carried.point(place) - place; }

private:
    pliant::RigidTransform m_carried;
};

}  // namespace

void noteClosing(const ContactPair& pair, const PlacedShape& placed, double step, SkeletonContacts& found) {
    constexpr double slop = 0.02;  // of the distance between surface points
    constexpr double share = 0.1;  // of the way
    const double spacing = largestSpacing(pair);
    if (!(approachOfShapes(pair, step) > kFarOfSolids * spacing)) return;
    const CarriedWay ours(pair.a, step), theirs(*pair.other, step);
    for (SkeletonContact& contact : found) {
        if (contact.closing != 0.0 || !isOnFlat(pair.a, contact.segmentA)) continue;
        if (!(pair.b ? isOnFlat(*pair.b, contact.segmentB) : isFlatAt(placed, contact.normal))) continue;
        const double closing = contact.normal.dot(theirs.of(contact.pointA) - ours.of(contact.pointA));
        if (closing - contact.distance > slop * spacing + share * closing) contact.closing = closing;
    }
}

}  // namespace btPliantInternal
