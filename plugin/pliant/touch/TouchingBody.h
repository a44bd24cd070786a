// SPDX-License-Identifier: Zlib
// One of two reduced bodies that are asked for the contacts of their surfaces.
#pragma once

#include "pliant/touch/DeformedField.h"
#include "pliant/touch/SurfaceSides.h"

namespace pliant {

/// A body and, where it is a solid, its field.
struct TouchingBody {
    const DeformedBody* body = nullptr;
    const DeformedField* field = nullptr;
};

/// How far from each other contacts of two bodies are looked for.
struct SurfaceReach {
    SurfaceReach(double all) : margin(all), ahead(all) {}

    double margin;      ///< In any direction, m.
    double ahead;       ///< At most along the line between the bodies' origins, m, where both are all surface.
    bool edges = true;  ///< Whether edges that cross are looked for beside points, each of which has its share of area.
};

/// Thickness, m: of a solid the median radius of spheres that fit into it, of strands the radius of the thickest.
double thicknessOf(const TouchingBody& body);
/// Thickness of the thinner one of two by thicknessOf(), m.
double thinnerOf(const TouchingBody& a, const TouchingBody& b);
/// Metres that points are looked for within along the line between the origins of two bodies.
double lookedAhead(const SurfaceReach& reach, const TouchingBody& a, const TouchingBody& b);
/// Whether a body has no capsule segments beside the points of its surface.
bool isAllSurface(const TouchingBody& body);
/// Metres that points are looked for within. What has gone through a sheet is behind it, and must not be lost there.
double lookedWithin(double margin, const TouchingBody& solid, const SurfaceSides& sides);

}  // namespace pliant
