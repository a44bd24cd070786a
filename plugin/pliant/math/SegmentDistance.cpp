// SPDX-License-Identifier: Zlib
#include "pliant/math/SegmentDistance.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {

namespace {

double clamp01(double x) {
    return std::min(1.0, std::max(0.0, x));
}

}  // namespace

SegmentParameters closestOnAxes(const TaperedSegment& a, const TaperedSegment& b) {
    const Vector3& u = a.extent;
    const Vector3& v = b.extent;
    const Vector3 w = a.start - b.start;
    const double uu = u.squaredNorm(), vv = v.squaredNorm(), uw = u.dot(w), vw = v.dot(w);
    if (uu <= 0.0) return {0.0, vv <= 0.0 ? 0.0 : clamp01(vw / vv)};
    if (vv <= 0.0) return {clamp01(-uw / uu), 0.0};
    const double uv = u.dot(v), determinant = uu * vv - uv * uv;
    // Below this the common perpendicular is not defined in double precision: any s will do, 0 is tried first.
    double s = determinant > 1e-12 * uu * vv ? clamp01((uv * vw - vv * uw) / determinant) : 0.0;
    double t = (uv * s + vw) / vv;
    if (t < 0.0 || t > 1.0) {
        t = clamp01(t);
        s = clamp01((uv * t - uw) / uu);
    }
    return {s, t};
}

namespace {

bool isTapered(const TaperedSegment& a) {
    return a.taper * a.taper > 1e-18 * a.extent.squaredNorm();
}

/// Where the derivative vanishes inside the square. The unit direction n from b(t) to a(s) then satisfies
/// n . u = taper of A and n . v = -(taper of B), which fixes n up to its side of the plane of both axes; the rest is
/// linear. Returns false when there is no such point (parallel axes, tapers too steep, outside of the square).
bool stationaryPoint(const TaperedSegment& a, const TaperedSegment& b, SegmentParameters& at) {
    const Vector3& u = a.extent;
    const Vector3& v = b.extent;
    const Vector3 w = a.start - b.start;
    const double uu = u.squaredNorm(), vv = v.squaredNorm(), uv = u.dot(v), determinant = uu * vv - uv * uv;
    if (!(determinant > 1e-9 * uu * vv)) return false;
    const double alpha = (vv * a.taper + uv * b.taper) / determinant;
    const double beta = (-uu * b.taper - uv * a.taper) / determinant;
    const Vector3 lean = alpha * u + beta * v;  // the part of n in the plane of the axes
    const double rise2 = 1.0 - lean.squaredNorm();
    if (rise2 <= 0.0) return false;
    const double x = (vv * w.dot(u) - uv * w.dot(v)) / determinant;  // w = x u + y v + out of plane
    const double y = (uu * w.dot(v) - uv * w.dot(u)) / determinant;
    const double length = std::sqrt(std::max(0.0, (w - x * u - y * v).squaredNorm()) / rise2);
    at = {length * alpha - x, y - length * beta};
    return at.s >= 0.0 && at.s <= 1.0 && at.t >= 0.0 && at.t <= 1.0;
}

}  // namespace

double capsuleDistance(const TaperedSegment& a, const TaperedSegment& b, const SegmentParameters& at) {
    return (a.point(at.s) - b.point(at.t)).norm() - a.radiusAt(at.s) - b.radiusAt(at.t);
}

double closestOnTapered(const TaperedSegment& a, const Vector3& x) {
    const double length2 = a.extent.squaredNorm();
    if (length2 <= 0.0) return a.taper > 0.0 ? 1.0 : 0.0;
    const double length = std::sqrt(length2), slope = a.taper / length;
    if (std::abs(slope) >= 1.0) return slope > 0.0 ? 1.0 : 0.0;  // one end sphere holds the other
    // d/ds of |x - a(s)| equals the slope of the radius where the line of sight leans by asin(slope).
    const double foot = a.extent.dot(x - a.start) / length2;
    const double height = (x - a.point(foot)).norm();
    return clamp01(foot + height * slope / (std::sqrt(1.0 - slope * slope) * length));
}

double squaredAxesDistance(const TaperedSegment& a, const TaperedSegment& b) {
    const SegmentParameters at = closestOnAxes(a, b);
    return (a.point(at.s) - b.point(at.t)).squaredNorm();
}

SegmentParameters closestParameters(const TaperedSegment& a, const TaperedSegment& b) {
    if (!isTapered(a) && !isTapered(b)) return closestOnAxes(a, b);
    SegmentParameters best;
    if (stationaryPoint(a, b, best)) return best;  // the function is convex
    const SegmentParameters border[4] = {{0.0, closestOnTapered(b, a.point(0.0))},
                                         {1.0, closestOnTapered(b, a.point(1.0))},
                                         {closestOnTapered(a, b.point(0.0)), 0.0},
                                         {closestOnTapered(a, b.point(1.0)), 1.0}};
    double least = std::numeric_limits<double>::infinity();
    for (const SegmentParameters& candidate : border) {
        const double distance = capsuleDistance(a, b, candidate);
        if (distance >= least) continue;
        least = distance;
        best = candidate;
    }
    return best;
}

bool sideBySide(const TaperedSegment& a, const TaperedSegment& b, double& s0, double& s1) {
    const double uu = a.extent.squaredNorm(), vv = b.extent.squaredNorm();
    if (uu <= 0.0 || vv <= 0.0) return false;
    const double uv = a.extent.dot(b.extent);
    if (uu * vv - uv * uv > 0.01 * uu * vv) return false;  // sin^2 of the angle
    const double first = a.extent.dot(b.start - a.start) / uu;
    const double second = first + uv / uu;
    s0 = clamp01(std::min(first, second));
    s1 = clamp01(std::max(first, second));
    return s1 > s0;
}

}  // namespace pliant
