// SPDX-License-Identifier: Zlib
#include "btPliant/narrowphase/SegmentTriangle.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace btPliantInternal {

using pliant::Vector3;

namespace {

/// Whether a point of the triangle's plane lies inside; N need not be unit.
bool inside(const Vector3 triangle[3], const Vector3& N, const Vector3& x) {
    for (int i = 0; i < 3; ++i) {
        const Vector3& a = triangle[i];
        const Vector3& b = triangle[(i + 1) % 3];
        if (N.dot((b - a).cross(x - a)) < 0) return false;
    }
    return true;
}

/// Nearest points of the segments p0 p1 and e0 e1.
void nearestSegments(const Vector3& p0, const Vector3& p1, const Vector3& e0, const Vector3& e1, Vector3& onP,
                     Vector3& onE) {
    const Vector3 u = p1 - p0, v = e1 - e0, w = p0 - e0;
    const double a = u.dot(u), b = u.dot(v), c = v.dot(v), d = u.dot(w), e = v.dot(w);
    const double determinant = a * c - b * b;
    double s = determinant > 1e-12 * a * c ? std::clamp((b * e - c * d) / determinant, 0.0, 1.0) : 0.0;
    double t = c > 0 ? (b * s + e) / c : 0.0;
    if (t < 0 || t > 1) {
        t = std::clamp(t, 0.0, 1.0);
        s = a > 0 ? std::clamp((b * t - d) / a, 0.0, 1.0) : 0.0;
    }
    onP = p0 + s * u;
    onE = e0 + t * v;
}

/// Nearest pair where the segment does not cross the triangle. @return distance
double nearestApart(const Vector3 segment[2], const Vector3 triangle[3], const Vector3& N, const double depth[2],
                    SegmentTriangleContact& out) {
    double best = 1e300;
    for (int end = 0; end < 2; ++end) {
        const Vector3 foot = segment[end] - depth[end] * N;
        if (std::abs(depth[end]) >= best || !inside(triangle, N, foot)) continue;
        best = std::abs(depth[end]);
        out.axisPoint = segment[end];
        out.onTriangle = foot;
    }
    for (int edge = 0; edge < 3; ++edge) {
        Vector3 onSegment, onEdge;
        nearestSegments(segment[0], segment[1], triangle[edge], triangle[(edge + 1) % 3], onSegment, onEdge);
        const double distance = (onSegment - onEdge).norm();
        if (distance >= best) continue;
        best = distance;
        out.axisPoint = onSegment;
        out.onTriangle = onEdge;
    }
    return best;
}

}  // namespace

bool nearestSegmentTriangle(const Vector3 segment[2], const Vector3 triangle[3], const Vector3* reference,
                            const Vector3& centre, SegmentTriangleContact& out) {
    Vector3 N = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]);
    const double area = N.norm();
    if (!(area > 1e-30)) return false;
    N /= area;
    const double depth[2] = {N.dot(segment[0] - triangle[0]), N.dot(segment[1] - triangle[0])};
    bool crosses = false;
    if (depth[0] * depth[1] < 0) {
        const double t = depth[0] / (depth[0] - depth[1]);
        crosses = inside(triangle, N, segment[0] + t * (segment[1] - segment[0]));
    }
    const double agreement = reference ? N.dot(*reference) : 0.0;
    const bool remembered = std::abs(agreement) > 0.2;
    const double side = remembered ? (agreement > 0 ? 1.0 : -1.0) : (N.dot(centre - triangle[0]) >= 0 ? 1.0 : -1.0);
    const int deepest = side * depth[0] <= side * depth[1] ? 0 : 1;
    const Vector3 foot = segment[deepest] - depth[deepest] * N;
    const bool passed = remembered && side * depth[deepest] < 0 && inside(triangle, N, foot);
    if (crosses || passed) {
        out.axisPoint = segment[deepest];
        out.onTriangle = foot;
        out.normal = side * N;
        return true;
    }
    const double distance = nearestApart(segment, triangle, N, depth, out);
    out.normal = distance > 1e-12 ? Vector3((out.axisPoint - out.onTriangle) / distance) : Vector3(side * N);
    return true;
}

}  // namespace btPliantInternal
