// SPDX-License-Identifier: Zlib
#include "pliant/mesh/voxels/ThinBodyAxes.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "pliant/math/EigenvalueSolver.h"

namespace pliant {
namespace {

using Vector2 = Eigen::Matrix<double, 2, 1, Eigen::DontAlign>;

double area2(const Vector2& a, const Vector2& b, const Vector2& c) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// Corners of the convex hull, counterclockwise (Andrew's monotone chain).
std::vector<Vector2> convexHull(std::vector<Vector2> points) {
    std::sort(points.begin(), points.end(),
              [](const Vector2& a, const Vector2& b) { return a[0] != b[0] ? a[0] < b[0] : a[1] < b[1]; });
    std::vector<Vector2> hull;
    for (int side = 0; side < 2; ++side) {
        const std::size_t first = hull.size();
        for (const Vector2& point : points) {
            while (hull.size() >= first + 2 && area2(hull[hull.size() - 2], hull.back(), point) <= 0.0) hull.pop_back();
            hull.push_back(point);
        }
        hull.pop_back();
        std::reverse(points.begin(), points.end());
    }
    return hull;
}

/// Direction of a side of the smallest rectangle around the points: one of its sides lies along one of the hull's.
Vector2 narrowestDirection(const std::vector<Vector2>& hull) {
    Vector2 best(1.0, 0.0);
    double least = std::numeric_limits<double>::infinity();
    constexpr std::size_t mostSides = 1000;  // those of finely cut discs are asked in turn, one of several
    const std::size_t stride = 1 + hull.size() / mostSides;
    for (std::size_t i = 0; i < hull.size(); i += stride) {
        const Vector2 edge = hull[(i + 1) % hull.size()] - hull[i];
        if (!(edge.norm() > 0.0)) continue;
        const Vector2 along = edge.normalized(), across(-along[1], along[0]);
        Vector2 lower = Vector2::Constant(std::numeric_limits<double>::infinity()), upper = -lower;
        for (const Vector2& point : hull) {
            const Vector2 place(along.dot(point), across.dot(point));
            lower = lower.cwiseMin(place);
            upper = upper.cwiseMax(place);
        }
        const double area = (upper - lower).prod();
        if (area < least * (1.0 - 1e-9)) {
            least = area;
            best = along;
        }
    }
    return best;
}

/// Second moments of the surface's area about its centroid, and the corners of its triangles from there.
struct AreaMoments {
    Matrix3 second = Matrix3::Zero();
    std::vector<Vector3> corners;
};

AreaMoments areaMoments(const SurfaceMesh& surface) {
    AreaMoments moments;
    Vector3 first = Vector3::Zero();
    double whole = 0.0;
    const Vector3 from = surface.positions.col(surface.triangles(0, 0));
    for (int t = 0; t < surface.triangleCount(); ++t) {
        Matrix3 x;
        for (int c = 0; c < 3; ++c) {
            x.col(c) = surface.positions.col(surface.triangles(c, t)) - from;
            moments.corners.emplace_back(x.col(c));
        }
        const double area = 0.5 * Vector3(x.col(1) - x.col(0)).cross(Vector3(x.col(2) - x.col(0))).norm();
        const Vector3 sum = x.rowwise().sum();
        whole += area;
        first += area / 3.0 * sum;
        moments.second += area / 12.0 * (x * x.transpose() + sum * sum.transpose());
    }
    if (whole > 0.0) moments.second -= first * first.transpose() / whole;
    return moments;
}

/// The axis that the moments know best: of a rod its own, of a plate the one across.
Vector3 clearestAxis(const Matrix3& moments) {
    const EigenvalueSolver solver{Eigen::MatrixXd(moments)};
    const auto& value = solver.eigenvalues();
    const bool rod = value[2] * value[0] > value[1] * value[1];
    return solver.eigenvectors().col(rod ? 2 : 0);
}

/// The same axes in the order and with the signs that turn the mesh's own the least.
Matrix3 nearestToMesh(Matrix3 axes) {
    for (int k = 0; k < 2; ++k) {
        int best = k;
        for (int j = k + 1; j < 3; ++j)
            if (std::abs(axes(k, j)) > std::abs(axes(k, best))) best = j;
        if (best != k) axes.col(k).swap(axes.col(best));
        if (axes(k, k) < 0.0) axes.col(k) = -axes.col(k);
    }
    axes.col(2) = Vector3(axes.col(0)).cross(Vector3(axes.col(1)));
    return axes;
}

Vector3 extentAlong(const std::vector<Vector3>& corners, const Matrix3& axes) {
    Vector3 lower = Vector3::Constant(std::numeric_limits<double>::infinity()), upper = -lower;
    for (const Vector3& corner : corners) {
        const Vector3 place = axes.transpose() * corner;
        lower = lower.cwiseMin(place);
        upper = upper.cwiseMax(place);
    }
    return upper - lower;
}

}  // namespace

Matrix3 thinBodyAxes(const SurfaceMesh& surface) {
    const AreaMoments moments = areaMoments(surface);
    const Vector3 axis = clearestAxis(moments.second).normalized();
    const Vector3 u = axis.unitOrthogonal(), v = axis.cross(u);
    std::vector<Vector2> outline;
    for (const Vector3& corner : moments.corners) outline.emplace_back(u.dot(corner), v.dot(corner));
    const Vector2 along = narrowestDirection(convexHull(std::move(outline)));
    Matrix3 axes;
    axes.col(0) = along[0] * u + along[1] * v;
    axes.col(1) = axis.cross(Vector3(axes.col(0)));
    axes.col(2) = axis;
    axes = nearestToMesh(axes);
    constexpr double thin = 0.1, smaller = 0.9, leastSide = 1e-3;  // the last of flat sheets, whose box has no volume
    const Vector3 own = extentAlong(moments.corners, axes), mesh = extentAlong(moments.corners, Matrix3::Identity());
    const double least = leastSide * own.maxCoeff();
    const bool turned =
        own.minCoeff() <= thin * own.maxCoeff() && own.cwiseMax(least).prod() <= smaller * mesh.cwiseMax(least).prod();
    return turned ? axes : Matrix3(Matrix3::Identity());
}

}  // namespace pliant
