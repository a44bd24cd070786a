// SPDX-License-Identifier: Zlib
// Does a surface enclose a volume, and which?
#pragma once

#include <string>

#include "pliant/math/Api.h"
#include "pliant/mesh/SurfaceMesh.h"

namespace pliant {

/// What a surface encloses. Vertices at one position (bit for bit) count as one; triangles without area are left out.
struct SurfaceClosure {
    int openEdges = 0;     ///< Number of edges where triangles do not come in pairs; 0: the surface is closed.
    int crowdedEdges = 0;  ///< Number of open edges with more than two triangles, where a wall joins others.
    int parts = 0;         ///< Number of pieces that hang together by edges.
    double area = 0.0;     ///< Area of all triangles, m^2.
    /// Volume of a closed surface's pieces less that of their cavities, m^3; overlaps count twice. 0 where it is no
    /// more than rounding.
    double volume = 0.0;
    /// Closed surfaces: every triangle, turned so that its normal points out of the material. A piece whose triangles
    /// face the other way than those of the largest one is a cavity inside of others, and is turned where it is none;
    /// one that encloses nothing but rounding, as front and back of a sheet, is not turned. Open ones: turned until
    /// neighbours agree, as far as they can.
    Triangles triangles;

    bool closed() const { return openEdges == 0 && volume > 0.0; }
};

PLIANT_INTERNAL_API SurfaceClosure examineClosure(const SurfaceMesh& surface);

/// "12 edges have no second triangle, 3 have more than two": what is told where a volume is asked for that a surface
/// does not have.
PLIANT_INTERNAL_API std::string openEdgesText(const SurfaceClosure& closure);

}  // namespace pliant
