// SPDX-License-Identifier: Zlib
#include "pliant/skeleton/InscribedSpheres.h"

#include <algorithm>

namespace pliant {

namespace {

// How deep a sphere may hold something, as a share of its radius. Vertices: noise of normals and of coarse bends.
// Faces: the flat sides of a six-sided tube stand 1 - cos 30 = 13.4 % inside of the circle through its corners, and
// where the tube bends by 50 degrees from ring to ring, 1 - cos 30 cos 25 = 21.5 %.
constexpr double kVertexDepth = 0.08;
constexpr double kFaceDepth = 0.22;
constexpr double kDepthToElement = 0.1;  ///< and never more than this share of an element
// What lies opposite of the sample (cosine of the angle to the inward direction) limits the sphere without tolerance.
constexpr double kVertexOpposite = 0.5;
constexpr double kFaceOpposite = 0.999;
// Collapsed: smaller than this share of the element and of the sphere that the vertices alone allow. At a right angle
// any sphere stands out by 0.3 to 0.4 of its radius; one of the size below stays within about a tenth of an element.
constexpr double kCollapsed = 0.05;
constexpr double kCollapsedToElement = 0.3;
constexpr double kCollapsedToFirst = 0.7;
// How far a sample may be outside of the sphere that has moved away from it, as a share of the radius, how long the
// first way is that it tries, as the same, and how many it tries.
constexpr double kLeftOutside = 0.09;
constexpr double kFirstWay = 0.5;
constexpr int kMostWays = 40;

/// Radius of the sphere that touches p (whose centre lies towards `inward`) and passes through s; 0 where there is
/// none.
double radiusThrough(const Vector3& p, const Vector3& inward, const Vector3& s) {
    const Vector3 w = s - p;
    const double depth = inward.dot(w), length2 = w.squaredNorm();
    return depth * depth > 1e-18 * length2 && depth > 0.0 ? length2 / (2.0 * depth) : 0.0;
}

/// One step of the shrinking-ball algorithm: the smaller radius that leaves s outside, or `radius` when s may stay.
/// @param depth metres that s may be inside
double leaveOutside(const Vector3& p, const Vector3& inward, const Vector3& s, double radius, double depth,
                    double opposite) {
    const double inside = radius - (p + radius * inward - s).norm();
    if (inside <= 1e-9 * radius) return radius;
    const double smaller = radiusThrough(p, inward, s);
    if (smaller <= 0.0 || smaller >= radius) return radius;
    const bool isOpposite = inward.dot(s - p) > opposite * (s - p).norm();
    return inside > depth || isOpposite ? smaller : radius;
}

}  // namespace

InscribedSpheres::InscribedSpheres(const SampledSurface& surface, const PointLocator& locator, const Limits& limits)
    : m_surface(surface),
      m_locator(locator),
      m_limits(limits),
      m_vertices(surface.points, surface.vertexCount),
      m_distance(surface.points, surface.triangles),
      m_spheres(static_cast<std::size_t>(surface.count())),
      m_known(static_cast<std::size_t>(surface.count()), 0) {}

const InscribedSphere& InscribedSpheres::at(int sample) {
    const std::size_t i = static_cast<std::size_t>(sample);
    if (!m_known[i]) {
        m_spheres[i] = shrink(sample);
        m_known[i] = 1;
    }
    return m_spheres[i];
}

double InscribedSpheres::untouchedByVertices(const Vector3& p, const Vector3& inward, double radius) const {
    const double most = kDepthToElement * m_limits.element;
    for (int i = 0; i < 50; ++i) {
        const Vector3 s = m_surface.points.col(m_vertices.nearest(p + radius * inward));
        const double next = leaveOutside(p, inward, s, radius, std::min(kVertexDepth * radius, most), kVertexOpposite);
        if (next >= radius) break;
        radius = next;
    }
    return radius;
}

double InscribedSpheres::untouchedBySurface(const Vector3& p, const Vector3& inward, double radius,
                                            double floor) const {
    const double most = kDepthToElement * m_limits.element;
    for (int i = 0; i < 50 && radius > floor; ++i) {
        const Vector3 s = m_distance.nearest(p + radius * inward);
        const double next = leaveOutside(p, inward, s, radius, std::min(kFaceDepth * radius, most), kFaceOpposite);
        if (next >= radius) break;
        radius = next;
    }
    return radius;
}

InscribedSphere InscribedSpheres::shrink(int sample) const {
    const Vector3 p = m_surface.points.col(sample);
    Vector3 inward = -m_surface.normals.col(sample);
    const double cap = m_surface.closed[static_cast<std::size_t>(sample)] ? m_limits.closed : m_limits.open;
    double first = untouchedByVertices(p, inward, cap);
    double floor = kCollapsed * std::min(m_limits.element, first);
    double radius = untouchedBySurface(p, inward, first, floor);
    if (!m_surface.trusted[static_cast<std::size_t>(sample)]) {
        // Nothing tells the inside: it is where the surface closes round the sphere much sooner.
        const double otherFirst = untouchedByVertices(p, -inward, cap);
        const double otherFloor = kCollapsed * std::min(m_limits.element, otherFirst);
        const double other = untouchedBySurface(p, -inward, otherFirst, otherFloor);
        if (other > otherFloor && (other < 0.5 * radius || radius <= floor)) {
            inward = -inward;
            first = otherFirst;
            floor = otherFloor;
            radius = other;
        }
    }
    InscribedSphere sphere;
    sphere.collapsed = radius <= floor;
    if (sphere.collapsed) radius = std::min(kCollapsedToElement * m_limits.element, kCollapsedToFirst * first);
    while (radius > floor && m_locator.locate(p + radius * inward).distance > 1e-6 * m_limits.element) radius *= 0.85;
    sphere.radius = std::max(radius, floor);
    sphere.centre = p + sphere.radius * inward;
    const double depth = sphere.radius - (m_distance.nearest(sphere.centre) - sphere.centre).norm();
    sphere.worth = sphere.radius - 2.0 * std::max(depth, 0.0);
    return sphere;
}

// On a flat side beside its middle, and on an edge, a sphere touches the next side before it is as large as the body is
// thick there. Away from whatever is nearest it grows until the body is no thicker; on the way it may lose the sample
// and have it again.
InscribedSphere InscribedSpheres::movedInside(int sample) {
    const InscribedSphere sphere = at(sample);
    if (!m_surface.closed[static_cast<std::size_t>(sample)] || sphere.collapsed) return sphere;
    const Vector3 p = m_surface.points.col(sample);
    InscribedSphere largest = sphere, last = sphere;
    Vector3 nearest = m_distance.nearest(last.centre);
    double way = kFirstWay * sphere.radius;
    for (int i = 0; i < kMostWays; ++i) {
        InscribedSphere next = last;
        next.centre += way * (last.centre - nearest).normalized();
        const Vector3 there = m_distance.nearest(next.centre);
        next.radius = std::min((there - next.centre).norm(), m_limits.closed);
        if (!(next.radius > last.radius) || m_locator.locate(next.centre).distance > 1e-6 * m_limits.element) {
            way *= 0.5;
            continue;
        }
        last = next;
        nearest = there;
        way = std::min(2.0 * way, kFirstWay * last.radius);
        if ((p - last.centre).norm() <= (1.0 + kLeftOutside) * last.radius) largest = last;
    }
    return largest;
}

}  // namespace pliant
