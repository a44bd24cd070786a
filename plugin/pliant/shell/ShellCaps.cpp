// SPDX-License-Identifier: Zlib
#include "pliant/shell/ShellCaps.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "pliant/skeleton/PointTree.h"

namespace pliant {

namespace {

constexpr double pi = 3.14159265358979323846;

/// Of one point: balls touch the planes of the samples where they do so near the sample, or pass through it.
double inscribedRadius(const Vector3& p, const Vector3& normal, const SurfacePoints& samples, const Points& planes,
                       double sampleWidth, double largest) {
    double radius = largest;
    for (int i = 0; i < samples.count(); ++i) {
        const Vector3 m = planes.col(i);
        const double facing = normal.dot(m);
        if (facing > -0.25) continue;
        const Vector3 q = samples.positions.col(i), away = p - q;
        const double touching = -away.dot(m) / (1.0 - facing);  // the ball through q is never smaller
        if (touching <= 0.0 || touching >= radius) continue;
        const Vector3 touch = p - touching * normal + touching * m;
        if ((touch - q).squaredNorm() <= sampleWidth * sampleWidth)
            radius = touching;
        else if (const double depth = normal.dot(away); depth > 0.0)
            radius = std::min(radius, away.squaredNorm() / (2.0 * depth));
    }
    return radius;
}

/// What a cap is fitted to.
struct Surroundings {
    const OrientedSurface& surface;
    const SmoothSurface& smooth;
    const SurfacePoints& samples;
    const PointTree tree;
    double spacing;
};

/// Mean of the curvatures of the samples around a point, each turned into the point's tangent plane, 1/m.
Matrix3 meanCurvature(const Surroundings& around, const Vector3& p, const Vector3& normal, int triangle,
                      const std::vector<int>& near) {
    const int patch = around.smooth.patches[static_cast<std::size_t>(triangle)];
    const double reach = 0.6 * around.spacing;
    Matrix3 sum = Matrix3::Zero();
    int count = 0;
    for (const int i : near) {
        const int t = around.samples.triangles[static_cast<std::size_t>(i)];
        const Vector3 n = around.samples.normals.col(i);
        if (around.smooth.patches[static_cast<std::size_t>(t)] != patch || n.dot(normal) < 0.5) continue;
        if ((around.samples.positions.col(i) - p).squaredNorm() > reach * reach) continue;
        const Matrix3 turn = Eigen::Quaterniond::FromTwoVectors(around.surface.normals.col(t), normal).matrix();
        sum += turn * around.smooth.curvature[static_cast<std::size_t>(t)] * turn.transpose();
        ++count;
    }
    if (count > 0) return sum / count;
    return around.smooth.curvature[static_cast<std::size_t>(triangle)];
}

/// Principal curvatures of the tangent plane, larger first, 1/m.
std::pair<double, double> principalCurvatures(const Matrix3& curvature, const Vector3& normal) {
    const Vector3 u = normal.unitOrthogonal(), v = normal.cross(u);
    const double uu = u.dot(curvature * u), uv = u.dot(curvature * v), vv = v.dot(curvature * v);
    const double middle = 0.5 * (uu + vv), half = std::hypot(0.5 * (uu - vv), uv);
    return {middle + half, middle - half};
}

/// Longest side of a triangle, m.
double longestSide(const OrientedSurface& s, int t) {
    double longest = 0.0;
    for (int k = 0; k < 3; ++k)
        longest =
            std::max(longest, (s.points.col(s.triangles(k, t)) - s.points.col(s.triangles((k + 1) % 3, t))).norm());
    return longest;
}

/// The angle out to which the cap stays inside, up to the facets that stand for a round surface: those with sides e lie
/// up to e^2 / 6R below it. Facets are no larger than 0.6 R (a hexagon's sides are R), or the surface is flat there.
double freeAngle(const Surroundings& around, const Vector3& p, const Vector3& normal, double radius, int triangle,
                 const std::vector<int>& near) {
    const double facet = std::min(longestSide(around.surface, triangle), 0.6 * radius);
    const double allowed = facet * facet / (6.0 * radius) + 0.002 * around.spacing;
    const Vector3 centre = p - radius * normal;
    double angle = 0.5 * pi;
    for (const int i : near) {
        const Vector3 out = around.samples.positions.col(i) - centre;
        if (out.norm() > radius - allowed) continue;
        angle = std::min(angle, std::atan2(out.cross(normal).norm(), out.dot(normal)));
    }
    return angle;
}

}  // namespace

VectorX inscribedRadii(const OrientedSurface& surface, const SurfacePoints& samples, const SurfacePoints& shell) {
    Points planes(3, samples.count());
    for (int i = 0; i < samples.count(); ++i)
        planes.col(i) = surface.normals.col(samples.triangles[static_cast<std::size_t>(i)]);
    const double width = 1.5 * std::sqrt(surface.areas.sum() / samples.count());
    VectorX radii(shell.count());
    for (int i = 0; i < shell.count(); ++i)
        radii[i] = inscribedRadius(shell.positions.col(i), shell.normals.col(i), samples, planes, width,
                                   0.5 * surface.diagonal);
    return radii;
}

ShellCaps findCaps(const OrientedSurface& surface, const SmoothSurface& smooth, const SurfacePoints& samples,
                   const SurfacePoints& shell, const std::vector<char>& isSmooth, const VectorX& inscribed,
                   double spacing) {
    const Surroundings around{surface, smooth, samples, PointTree(samples.positions), spacing};
    ShellCaps caps{VectorX::Zero(shell.count()), VectorX::Zero(shell.count())};
    std::vector<int> near;
    for (int i = 0; i < shell.count(); ++i) {
        if (!isSmooth[static_cast<std::size_t>(i)]) continue;
        const Vector3 p = shell.positions.col(i), normal = shell.normals.col(i);
        const int triangle = shell.triangles[static_cast<std::size_t>(i)];
        around.tree.within(p, 1.5 * spacing, near);
        const auto [most, least] = principalCurvatures(meanCurvature(around, p, normal, triangle, near), normal);
        if (most * spacing < 0.02 || least < -0.5 * most) continue;
        const double radius = std::min(1.0 / most, inscribed[i]);
        const double angle = std::min(spacing / radius, freeAngle(around, p, normal, radius, triangle, near));
        if (!(radius > 0.0) || !(angle > 0.0)) continue;
        caps.radii[i] = radius;
        caps.angles[i] = angle;
    }
    return caps;
}

}  // namespace pliant
