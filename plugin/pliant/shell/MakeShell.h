// SPDX-License-Identifier: Zlib
// Chooses the points of a closed surface that stand for it in contact, offline.
#pragma once

#include "pliant/math/Types.h"
#include "pliant/mesh/SurfaceMesh.h"

namespace pliant {

struct ShellOptions {
    int maximumPoints = 2000;  ///< Most points of the shell, >= 1.
    /// No point of the surface is farther from a shell point than about this, metres; 0 = chosen: a twentieth of the
    /// bounding box's diagonal, less where the surface bends sharply. Raised where maximumPoints do not suffice.
    double spacing = 0.0;
    /// Sharp edges get points this close to each other, m, as far as maximumPoints allow; 0: as close as the others.
    double edgeSpacing = 0.0;
};

/// Points in the frame of the surface, b of them, most needed first: corners, drawn vertices of coarse round parts,
/// edges, then the rest from coarse to fine. Every prefix is a coarser set.
struct ShellPoints {
    Points positions;        ///< Places of the points on the drawn triangles, 3 x b, m.
    Triangles corners;       ///< Drawn vertices of the triangle that each point lies on, 3 x b.
    Points weights;          ///< Barycentric coordinates of the points in their triangles, 3 x b, sum 1.
    Points normals;          ///< Outward unit normals, 3 x b, whatever the winding of the triangles.
    VectorX capRadii;        ///< Radius of each point's cap, b, m, as PointShell::capRadii.
    VectorX capAngles;       ///< Angle of each point's cap, b, rad, as PointShell::capAngles.
    VectorX areas;           ///< Shares of the surface that is drawn, b, m^2; their sum is its area.
    double spacing = 0;      ///< Largest distance of a surface sample from its point, m.
    double thickness = 0.0;  ///< Thickness of the body, m, as ContactSurface::thickness.

    int count() const { return static_cast<int>(positions.cols()); }
};

/// Deterministic; vertices that agree to 1e-6 of the surface's size are one.
/// @throws Error when the surface is not closed, has no triangle with an area, or a number that is not finite
ShellPoints makeShell(const SurfaceMesh& surface, const ShellOptions& options = {});

}  // namespace pliant
