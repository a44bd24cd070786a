// SPDX-License-Identifier: Zlib
// Pairs of which one is a solid: its surface points, rounded by their caps, against what they meet, and the points of
// the other shape against the field of the solid.
#include <algorithm>

#include "btPliant/body/Convert.h"
#include "btPliant/narrowphase/ContactPair.h"
#include "btPliant/narrowphase/ShapePoints.h"
#include "btPliant/step/SystemData.h"
#include "pliant/touch/SurfaceCap.h"

namespace btPliantInternal {

using pliant::SkeletonContact;
using pliant::Vector3;

namespace {

/// A point of the surface that looks the same way as what it meets, by more than this cosine, is on the far side of a
/// thin body: the near side touches.
constexpr double kSameSide = 0.2;
/// Beyond the numbers of triangles and parts of other shapes: in features of their points.
constexpr int kShapePoint = 0x3f000000;

/// @param shapePoint, radius of a point of the other shape, world, m
SkeletonContact contactWithPoint(const btPliantBody::Data& ours, const ShapePoint& shapePoint,
                                 const pliant::FieldSample& sample) {
    SkeletonContact c;
    c.segmentA = ours.deformed->model().ownerSegment(ours.field->model().nearestPoint(sample.rest));
    c.normal = -sample.normal;
    c.distance = sample.distance - shapePoint.radius;
    c.pointB = shapePoint.centre + shapePoint.radius * c.normal;
    c.pointA = c.pointB + c.distance * c.normal;
    c.radiusA = ours.largestRadius;
    c.feature = pliant::contactFeature(0, kShapePoint + shapePoint.number, 0);
    return c;
}

}  // namespace

bool ContactPair::touchesSurface() const {
    return !isSelf() && (a.data().field || (b && b->data().field));
}

bool ContactPair::mayTouchSurface() const {
    if (kind == ShapeKind::Plane && largestCapHeight() == 0.0) return false;
    return required != Requirement::Few || !planeCandidates.spheres().empty() ||
           !surfaceCandidates.ofA.segments().empty() || !surfaceCandidates.ofB.segments().empty();
}

double ContactPair::largestCapHeight() const {
    return a.data().field ? a.data().field->model().largestCapHeight() : 0.0;
}

void ContactPair::detectSurface(const btCollisionShape& otherShape, const btTransform& otherTransform, double reach,
                                std::vector<SkeletonContact>& out) {
    const btPliantBody::Data& ours = a.data();
    if (kind == ShapeKind::Body) {
        pliant::collideSurfaces(ours.touching(), b->data().touching(), reach, history, surfaceCandidates, out);
        return;
    }
    const pliant::Aabb bounds = ours.deformed->worldBounds();
    visitShapePoints(otherShape, otherTransform, bounds, reach, ours.field->model().pointSpacing(),
                     [&](const ShapePoint& point) {
                         const pliant::FieldSample sample = ours.field->sample(*ours.deformed, point.centre);
                         if (sample.distance - point.radius <= reach)
                             out.push_back(contactWithPoint(ours, point, sample));
                     });
    std::sort(out.begin(), out.end(),
              [](const SkeletonContact& x, const SkeletonContact& y) { return x.feature < y.feature; });
    out.erase(std::unique(out.begin(), out.end(),
                          [](const SkeletonContact& x, const SkeletonContact& y) { return x.feature == y.feature; }),
              out.end());
}

void ContactPair::roundSurface(double reach, std::vector<SkeletonContact>& found) const {
    const btPliantBody::Data& ours = a.data();
    const pliant::SurfaceModel& model = ours.field->model();
    std::size_t write = 0;
    for (SkeletonContact contact : found) {
        const int sphere = ours.deformed->model().skeleton().segments(0, contact.segmentA);
        if (model.isSurfacePoint(sphere)) {
            const Vector3 outward = ours.field->surfaceNormal(*ours.deformed, sphere);
            if (outward.dot(contact.normal) > kSameSide) continue;
            const Vector3 cap = pliant::capReach(model.surface().shell, sphere, outward, contact.normal);
            contact.pointA += cap;
            contact.distance += cap.dot(contact.normal);
            contact.pointB = contact.pointA - contact.distance * contact.normal;
            contact.radiusA = ours.largestRadius;
        }
        if (contact.distance <= reach) found[write++] = contact;
    }
    found.resize(write);
}

}  // namespace btPliantInternal

void btPliantBody::Data::updateField() {
    if (!field) return;
    field->update(batch().q(slot).data());
}
