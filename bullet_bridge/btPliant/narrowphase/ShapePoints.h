// SPDX-License-Identifier: Zlib
// Internal: the points by which a shape of Bullet's touches the field of a solid: corners and points of edges, or
// spheres.
#pragma once

#include "pliant/collision/body/DeformedBody.h"
#include "pliant/collision/body/FunctionRef.h"

class btCollisionShape;
class btTransform;

namespace btPliantInternal {

/// A sphere, or a point where its radius is 0.
struct ShapePoint {
    pliant::Vector3 centre = pliant::Vector3::Zero();  ///< world, m
    double radius = 0;                                 ///< m
    int number = 0;                                    ///< of the point in its shape, always the same
};

/// Calls visit(point) for the points of a shape that may be within `margin` metres of a box. A plane has none: the
/// points of the surface are all that it needs.
/// @param spacing metres between the points of an edge, at most
void visitShapePoints(const btCollisionShape& shape, const btTransform& worldFromShape, const pliant::Aabb& box,
                      double margin, double spacing, pliant::FunctionRef<void(const ShapePoint&)> visit);

}  // namespace btPliantInternal
