// SPDX-License-Identifier: Zlib
// Queries of the deformed drawn surface through the triangle BD-Tree; vertices are deformed when a query reaches them.
#pragma once

#include "pliant/collision/body/DeformedBody.h"
#include "pliant/collision/body/FunctionRef.h"
#include "pliant/math/Api.h"

namespace pliant {

/// Calls `visit(v0, v1, v2, triangle)` for the deformed triangles whose boxes meet `box`. *Body frame*, both the box
/// and the vertices (Bullet's processAllTriangles works in the shape's frame). Order is fixed (that of the tree).
PLIANT_INTERNAL_API void visitTriangles(const DeformedBody& body, const Aabb& box,
                                        FunctionRef<void(const Vector3&, const Vector3&, const Vector3&, int)> visit);

struct TriangleHit {
    int triangle = -1;
    double fraction = 1.0;              ///< Place of the hit from `from` to `to`, 0..1.
    Vector3 point = Vector3::Zero();    ///< Place of the hit, world, m.
    Vector3 normal = Vector3::Zero();   ///< Unit normal of the deformed triangle, world, turned against the ray.
    Vector3 weights = Vector3::Zero();  ///< Barycentric weights of the triangle's three vertices.
};

/// Nearest hit of the segment from -> to (world) with either side of a triangle. Returns false when there is none.
bool rayTriangles(const DeformedBody& body, const Vector3& from, const Vector3& to, TriangleHit& hit);

/// All hits, in the order of the tree; the callback may not keep the reference.
void rayTriangles(const DeformedBody& body, const Vector3& from, const Vector3& to,
                  FunctionRef<void(const TriangleHit&)> visit);

}  // namespace pliant
