// SPDX-License-Identifier: Zlib
// How a surface rounds off between its shell points, and how thick the body is below them. Internal to makeShell.
#pragma once

#include <vector>

#include "pliant/shell/SurfacePoints.h"

namespace pliant {

struct ShellCaps {
    VectorX radii;   ///< Radius of the cap at each shell point, m.
    VectorX angles;  ///< Angle of the cap at each shell point, rad.
};

/// Radius of the largest ball inside that touches the surface at each point, as far as parts of the surface that face
/// the point limit it (normals more than 104 degrees apart): half the thickness of a plate, the radius of a ball, a
/// cylinder or a torus' tube. @param samples of the whole surface
VectorX inscribedRadii(const OrientedSurface& surface, const SurfacePoints& samples, const SurfacePoints& shell);

/// The radius is the smaller principal radius of curvature, not larger than `inscribed`; the angle reaches as far as
/// `spacing`, or to where the cap would stand out of the surface. Both 0 where `isSmooth` is false, where the surface
/// is flat (its normal turns by less than 0.02 over the spacing) or concave, and at saddles whose concave curvature is
/// more than half of the convex one. At other saddles the cap lies inside of the body: it rounds the convex direction.
ShellCaps findCaps(const OrientedSurface& surface, const SmoothSurface& smooth, const SurfacePoints& samples,
                   const SurfacePoints& shell, const std::vector<char>& isSmooth, const VectorX& inscribed,
                   double spacing);

}  // namespace pliant
