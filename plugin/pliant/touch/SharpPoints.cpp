// SPDX-License-Identifier: Zlib
#include "pliant/touch/SharpPoints.h"

#include <algorithm>

namespace pliant {

namespace {

/// Distances between surface points within which a sharp point takes the normal of a smooth contact beside it.
constexpr double kBeside = 2.5;
/// Cosine between normals of one face.
constexpr double kOneFace = 0.95;
/// Distances between surface points that a place may be outside of a body that it is a part of the surface of.
constexpr double kOnSolid = 0.02;

/// The nearest of the contacts with faces, by their points; null where none is beside.
const SkeletonContact* faceBeside(const Vector3& point, bool pointsAreFirst, double reach,
                                  const std::vector<SkeletonContact>& faces) {
    const SkeletonContact* nearest = nullptr;
    double least = reach * reach;
    for (const SkeletonContact& c : faces) {
        const double squared = ((pointsAreFirst ? c.pointA : c.pointB) - point).squaredNorm();
        if (squared > least) continue;
        least = squared;
        nearest = &c;
    }
    return nearest;
}

}  // namespace

void followFace(const TouchingBody& points, const TouchingBody& solid, bool pointsAreFirst,
                const std::vector<SkeletonContact>& faces, SkeletonContact& sharp) {
    const double spacing = points.field->model().pointSpacing();
    const Vector3& own = pointsAreFirst ? sharp.pointA : sharp.pointB;
    const SkeletonContact* face = faceBeside(own, pointsAreFirst, kBeside * spacing, faces);
    if (!face || face->normal.dot(sharp.normal) > kOneFace) return;
    const double distance = face->normal.dot(pointsAreFirst ? own - face->pointB : face->pointA - own);
    if (distance < -2.0 * thicknessOf(solid)) return;  // the plane is another part's
    const Vector3 foot = own - (pointsAreFirst ? distance : -distance) * face->normal;
    if (distance < std::min(sharp.distance, face->distance) &&
        solid.field->sample(*solid.body, foot).distance > kOnSolid * spacing)
        return;
    sharp.normal = face->normal;
    sharp.distance = distance;
    (pointsAreFirst ? sharp.pointB : sharp.pointA) = foot;
}

}  // namespace pliant
