// SPDX-License-Identifier: Zlib
#include "pliant/reduce/StrandShape.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "pliant/mesh/SurfaceNormals.h"

namespace pliant {
namespace {

/// Of strands: t A / V between these two, and t below this share of the diagonal of the body's box.
constexpr double kThinnestTube = 1.6, kThickestTube = 2.4, kLargestShare = 0.04;
/// Degrees between the normals of two faces: those of a prism of five sides differ by 72, of four by 90.
constexpr double kSharpAngle = 75.0;
/// A single strand with more of its turning in sharp edges has a section that no circle stands for.
constexpr double kMostSharp = 0.5;
/// Strands in all over the diagonal of the body's box, from which on they are woven or wound.
constexpr double kManyStrands = 10.0;

constexpr double kHalfCircle = 3.14159265358979323846;

/// Twice the area along the normal, m^2.
Vector3 doubleArea(const SurfaceMesh& surface, int t) {
    const Vector3 a = surface.positions.col(surface.triangles(0, t));
    return (surface.positions.col(surface.triangles(1, t)) - a)
        .cross(Vector3(surface.positions.col(surface.triangles(2, t)) - a));
}

/// A side of a triangle, by the numbers of its ends' positions, the lesser first.
struct StrandSide {
    std::array<int, 2> ends;
    int triangle;
    double length;  ///< m
    bool operator<(const StrandSide& other) const {
        return ends != other.ends ? ends < other.ends : triangle < other.triangle;
    }
};

std::vector<StrandSide> sidesOf(const SurfaceMesh& surface) {
    int count = 0;
    const std::vector<int> place = positionNumbers(surface.positions, count);
    const auto placeOf = [&](int c, int t) { return place[static_cast<std::size_t>(surface.triangles(c, t))]; };
    std::vector<StrandSide> sides;
    for (int t = 0; t < surface.triangleCount(); ++t) {
        const bool hasArea = doubleArea(surface, t).norm() > 0.0;
        for (int c = 0; c < 3; ++c) {
            const int a = placeOf(c, t), b = placeOf((c + 1) % 3, t);
            const Vector3 along = surface.positions.col(surface.triangles((c + 1) % 3, t)) -
                                  surface.positions.col(surface.triangles(c, t));
            if (a != b && hasArea) sides.push_back({{std::min(a, b), std::max(a, b)}, t, along.norm()});
        }
    }
    std::sort(sides.begin(), sides.end());
    return sides;
}

/// m^3, below 0 where the surface is inside out.
double signedVolume(const SurfaceMesh& surface) {
    double six = 0.0;
    for (int t = 0; t < surface.triangleCount(); ++t)
        six += doubleArea(surface, t).dot(surface.positions.col(surface.triangles(0, t)));
    return six / 6.0;
}

/// Of the surface's box, m.
double diagonalOf(const SurfaceMesh& surface) {
    return (surface.positions.rowwise().maxCoeff() - surface.positions.rowwise().minCoeff()).norm();
}

/// The angle between two faces where they meet in a convex edge, radians; 0 in a concave one.
double convexAngle(const SurfaceMesh& surface, int s, int t, double sign) {
    const Vector3 a = doubleArea(surface, s).normalized(), b = doubleArea(surface, t).normalized();
    const Vector3 middleOfS = surface.positions(Eigen::all, surface.triangles.col(s)).rowwise().mean(),
                  middleOfT = surface.positions(Eigen::all, surface.triangles.col(t)).rowwise().mean();
    if (!(sign * a.dot(middleOfT - middleOfS) < 0.0)) return 0.0;
    return std::atan2(a.cross(b).norm(), a.dot(b));
}

}  // namespace

double sharpShare(const SurfaceMesh& surface) {
    const std::vector<StrandSide> sides = sidesOf(surface);
    const double sign = signedVolume(surface) < 0.0 ? -1.0 : 1.0;  // of normals
    double all = 0.0, sharp = 0.0;
    for (std::size_t i = 0; i + 1 < sides.size(); ++i) {
        const bool joinsTwo = sides[i].ends == sides[i + 1].ends && (i == 0 || sides[i - 1].ends != sides[i].ends) &&
                              (i + 2 == sides.size() || sides[i + 2].ends != sides[i].ends);
        if (!joinsTwo) continue;
        const int s = sides[i].triangle, t = sides[i + 1].triangle;
        const double angle = convexAngle(surface, s, t, sign);
        all += sides[i].length * angle;
        if (angle > kSharpAngle * kHalfCircle / 180.0) sharp += sides[i].length * angle;
    }
    return all > 0.0 ? sharp / all : 0.0;
}

bool isWoven(const SurfaceMesh& surface, double thickness) {
    const double strands = std::abs(signedVolume(surface)) / (kHalfCircle * thickness * thickness);
    return strands > kManyStrands * diagonalOf(surface);
}

bool isMadeOfStrands(const SurfaceMesh& surface, double thickness, double area) {
    const double volume = std::abs(signedVolume(surface));
    if (!(volume > 0.0)) return false;
    const double shape = thickness * area / volume;
    if (!(shape > kThinnestTube && shape < kThickestTube && thickness < kLargestShare * diagonalOf(surface)))
        return false;
    return isWoven(surface, thickness) || sharpShare(surface) < kMostSharp;
}

}  // namespace pliant
