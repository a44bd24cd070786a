// SPDX-License-Identifier: Zlib
// The drawn surface as the making of shells wants it: joined by position, every closed part turned outward. Internal to
// makeShell.
#pragma once

#include <vector>

#include "pliant/mesh/SurfaceMesh.h"

namespace pliant {

/// An edge that exactly two triangles share.
struct SurfaceEdge {
    int a, b;         ///< Ends of the edge, joined vertices.
    int left, right;  ///< Triangles of the edge; `left` runs through it from a to b.
    double turn;      ///< Angle between both outward normals, rad; > 0 convex, < 0 concave.
};

struct OrientedSurface {
    Points points;                     ///< Joined vertices, 3 x n, m.
    Triangles triangles;               ///< Triangles, 3 x m, of joined vertices, counter-clockwise seen from outside.
    Triangles drawn;                   ///< Drawn vertex of every corner of the triangles, 3 x m.
    Points normals;                    ///< Outward unit normals of the triangles, 3 x m.
    VectorX areas;                     ///< Areas of the m triangles, m^2.
    std::vector<SurfaceEdge> edges;    ///< Edges that two triangles share, ascending by (lower end, upper end).
    double diagonal = 0.0;             ///< Diagonal of the bounding box, m.
    double volume = 0.0;               ///< Volume enclosed by all parts, m^3.
    int borderEdges = 0;               ///< Number of edges with an odd number of triangles.
    Vector3 border = Vector3::Zero();  ///< Middle of one of the border edges, m.

    bool closed() const { return borderEdges == 0 && volume > 1e-12 * diagonal * diagonal * diagonal; }
    int triangleCount() const { return static_cast<int>(triangles.cols()); }
};

/// Parts hang together by edges that two triangles share; a part is turned so that it encloses a positive volume.
/// @throws Error when there is no triangle with an area, a vertex number is out of range or a position is not finite
OrientedSurface orientSurface(const SurfaceMesh& surface);

}  // namespace pliant
