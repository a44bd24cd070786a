// SPDX-License-Identifier: Zlib
// Points of a triangle surface: even samples, and those at its corners and edges. Internal to makeShell.
#pragma once

#include <vector>

#include "pliant/shell/SmoothSurface.h"

namespace pliant {

/// Points of a surface, k of them, each on a triangle.
struct SurfacePoints {
    Points positions;            ///< Positions, 3 x k, m.
    Points normals;              ///< Outward unit normals, 3 x k.
    std::vector<int> triangles;  ///< Triangle of each of the k points.
    Points weights;              ///< Barycentric coordinates in the triangles, 3 x k.

    int count() const { return static_cast<int>(triangles.size()); }
    void reserve(int count);
    void add(const OrientedSurface& surface, int triangle, const Vector3& barycentric, const Vector3& normal);
    void trim();  ///< Cuts the arrays to what has been added.
};

/// `count` points that stand for equal shares of the area. Deterministic: strata of the area in the order of the
/// triangles, an additive recurrence [R18] inside of them.
SurfacePoints sampleArea(const OrientedSurface& surface, const SmoothSurface& smooth, int count);

/// Where a surface that is convex touches a plane, beside its smooth parts.
struct SharpFeatures {
    SurfacePoints corners;         ///< Vertices where sharp convex edges end, meet or bend, and tips.
    SurfacePoints convexVertices;  ///< Other vertices above all their neighbours: on edges first, then on smooth parts.
    int onEdges = 0;               ///< Number of convexVertices that lie on sharp edges.
    SurfacePoints edges;           ///< Close samples of the sharp convex edges.
    double edgeLength = 0.0;       ///< Length of all sharp convex edges, m.
};

/// @param spacing of the samples of edges, m
SharpFeatures findFeatures(const OrientedSurface& surface, const SmoothSurface& smooth, double spacing);

}  // namespace pliant
