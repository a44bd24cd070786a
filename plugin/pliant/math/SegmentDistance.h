// SPDX-License-Identifier: Zlib
// Distance of two sphere-swept segments: closest pair of spheres (axis point, interpolated radius) of the two.
#pragma once

#include "pliant/math/Api.h"
#include "pliant/math/Types.h"

namespace pliant {

/// Axis from `start` along `extent` (zero for a lone sphere), radius r0 at the start and r0 + taper at the end.
struct TaperedSegment {
    Vector3 start = Vector3::Zero();
    Vector3 extent = Vector3::Zero();
    double radius = 0.0;
    double taper = 0.0;

    Vector3 point(double s) const { return start + s * extent; }
    double radiusAt(double s) const { return radius + s * taper; }
    double largestRadius() const { return taper > 0.0 ? radius + taper : radius; }
};

struct SegmentParameters {
    double s = 0.0, t = 0.0;  ///< Places along the first and the second segment, 0..1.
};

/// Distance |a(s) - b(t)| - ra(s) - rb(t) of the surfaces.
double capsuleDistance(const TaperedSegment& a, const TaperedSegment& b, const SegmentParameters& at);

/// The s in [0, 1] that minimises |x - a(s)| - ra(s).
PLIANT_INTERNAL_API double closestOnTapered(const TaperedSegment& a, const Vector3& x);

/// Nearest points of the two axes, radii left out.
SegmentParameters closestOnAxes(const TaperedSegment& a, const TaperedSegment& b);

/// Squared distance of the two axes, radii left out, m^2.
double squaredAxesDistance(const TaperedSegment& a, const TaperedSegment& b);

/// Minimiser of capsuleDistance, a convex function of (s, t), in closed form. Parallel axes of constant radius: one of
/// the minimisers.
SegmentParameters closestParameters(const TaperedSegment& a, const TaperedSegment& b);

/// Interval of s over which the axes run side by side (B's ends projected on A), for axes within 6 degrees of parallel.
/// Returns false when there is none or it is empty.
PLIANT_INTERNAL_API bool sideBySide(const TaperedSegment& a, const TaperedSegment& b, double& s0, double& s1);

}  // namespace pliant
