// SPDX-License-Identifier: Zlib
#include "btPliant/hand/ToolPoints.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace btPliantInternal {

using pliant::Vector3;

namespace {

constexpr double kHalfCircle = 3.14159265358979323846;

int piecesAlong(double length, double spacing) {
    return std::max(1, static_cast<int>(std::lround(length / spacing)));
}

void addPiece(const Vector3& position, const Vector3& outwardArea, ToolPoints& out) {
    out.positions.push_back(position);
    out.areas.push_back(-outwardArea);
}

/// A direction at an angle about y, across it.
Vector3 acrossY(double angle) {
    return {std::sin(angle), 0.0, std::cos(angle)};
}

/// The zone of a sphere between two angles from +y. The area vector of a piece is the integral of its normals, so that
/// those of a whole sphere cancel; the point lies where the sphere has that normal.
void addZones(double radius, double height, double from, double to, double spacing, ToolPoints& out) {
    const int rings = piecesAlong(radius * (to - from), spacing);
    for (int i = 0; i < rings; ++i) {
        const double a = from + (to - from) * i / rings, b = from + (to - from) * (i + 1) / rings;
        const int count = std::max(3, piecesAlong(2.0 * kHalfCircle * radius * std::sin(0.5 * (a + b)), spacing));
        const double half = kHalfCircle / count;
        const double along = radius * radius * half * (std::pow(std::sin(b), 2) - std::pow(std::sin(a), 2));
        const double beside =
            radius * radius * std::sin(half) * ((b - a) - 0.5 * (std::sin(2.0 * b) - std::sin(2.0 * a)));
        for (int k = 0; k < count; ++k) {
            const Vector3 area = along * Vector3::UnitY() + beside * acrossY(half * (2 * k + (i % 2)));
            addPiece(height * Vector3::UnitY() + radius * area.normalized(), area, out);
        }
    }
}

void addSide(double radius, double halfLength, double spacing, ToolPoints& out) {
    const int rings = piecesAlong(2.0 * halfLength, spacing);
    const int count = std::max(3, piecesAlong(2.0 * kHalfCircle * radius, spacing));
    const double half = kHalfCircle / count, length = 2.0 * halfLength / rings;
    for (int i = 0; i < rings; ++i)
        for (int k = 0; k < count; ++k) {
            const Vector3 outward = acrossY(half * (2 * k + (i % 2)));
            addPiece(radius * outward + (length * (i + 0.5) - halfLength) * Vector3::UnitY(),
                     2.0 * std::sin(half) * radius * length * outward, out);
        }
}

/// A disc across y, of pieces of rings with their centroids. @param side 1 or -1: the end that it faces
void addEnd(double radius, double halfLength, double side, double spacing, ToolPoints& out) {
    const int rings = piecesAlong(radius, spacing);
    for (int i = 0; i < rings; ++i) {
        const double a = radius * i / rings, b = radius * (i + 1) / rings;
        const int count = std::max(3, piecesAlong(kHalfCircle * (a + b), spacing));
        const double half = kHalfCircle / count, area = half * (b * b - a * a);
        const double centroid = 2.0 / 3.0 * std::sin(half) * (b * b * b - a * a * a) / area;
        for (int k = 0; k < count; ++k)
            addPiece(centroid * acrossY(2.0 * half * k) + side * halfLength * Vector3::UnitY(),
                     side * area * Vector3::UnitY(), out);
    }
}

void addFaces(const Vector3& halfExtents, double spacing, ToolPoints& out) {
    for (int axis = 0; axis < 3; ++axis) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        const double width = 2.0 * halfExtents[u], length = 2.0 * halfExtents[v];
        const int n = piecesAlong(width, spacing), m = piecesAlong(length, spacing);
        for (int i = 0; i < n * m; ++i)
            for (const double side : {1.0, -1.0}) {
                Vector3 at, area = Vector3::Zero();
                at[axis] = side * halfExtents[axis];
                at[u] = width * ((i % n + 0.5) / n - 0.5);
                at[v] = length * ((i / n + 0.5) / m - 0.5);
                area[axis] = side * width * length / (n * m);
                addPiece(at, area, out);
            }
    }
}

double spacingOf(double area, int count) {
    return std::sqrt(area / count);
}

/// From points about y to those of a shape about another axis.
void turnFromY(int axis, ToolPoints& points) {
    for (std::vector<Vector3>* vectors : {&points.positions, &points.areas})
        for (Vector3& v : *vectors) {
            const Vector3 aboutY = v;
            for (int k = 0; k < 3; ++k) v[(axis + k) % 3] = aboutY[(1 + k) % 3];
        }
}

constexpr std::size_t kMostInCluster = 32;

/// Halves points along the longest side of their box until few are left.
void cluster(std::vector<std::size_t>& order, std::size_t first, std::size_t end, ToolPoints& points) {
    Vector3 low = points.positions[order[first]], high = low;
    for (std::size_t i = first; i < end; ++i) {
        low = low.cwiseMin(points.positions[order[i]]);
        high = high.cwiseMax(points.positions[order[i]]);
    }
    if (end - first <= kMostInCluster) {
        ToolPoints::Cluster made{first, end, 0.5 * (low + high), 0.0};
        for (std::size_t i = first; i < end; ++i)
            made.radius = std::max(made.radius, (points.positions[order[i]] - made.centre).norm());
        points.clusters.push_back(made);
        return;
    }
    Eigen::Index axis = 0;
    (high - low).maxCoeff(&axis);
    const std::size_t middle = first + (end - first) / 2;
    std::nth_element(order.begin() + static_cast<std::ptrdiff_t>(first),
                     order.begin() + static_cast<std::ptrdiff_t>(middle),
                     order.begin() + static_cast<std::ptrdiff_t>(end), [&](std::size_t a, std::size_t b) {
                         const double x = points.positions[a][axis], y = points.positions[b][axis];
                         return x < y || (x == y && a < b);
                     });
    cluster(order, first, middle, points);
    cluster(order, middle, end, points);
}

ToolPoints clustered(ToolPoints points) {
    if (points.positions.empty()) return points;
    std::vector<std::size_t> order(points.positions.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    cluster(order, 0, order.size(), points);
    ToolPoints sorted;
    sorted.clusters = std::move(points.clusters);
    for (const std::size_t i : order) {
        sorted.positions.push_back(points.positions[i]);
        sorted.areas.push_back(points.areas[i]);
    }
    return sorted;
}

}  // namespace

ToolPoints pointsOfSphere(double radius, int count) {
    ToolPoints points;
    addZones(radius, 0.0, 0.0, kHalfCircle, spacingOf(4.0 * kHalfCircle * radius * radius, count), points);
    return clustered(std::move(points));
}

ToolPoints pointsOfBox(const Vector3& halfExtents, int count) {
    const Vector3& half = halfExtents;
    ToolPoints points;
    addFaces(half, spacingOf(8.0 * (half.x() * half.y() + half.y() * half.z() + half.z() * half.x()), count), points);
    return clustered(std::move(points));
}

ToolPoints pointsOfCapsule(double radius, double halfLength, int axis, int count) {
    const double spacing = spacingOf(4.0 * kHalfCircle * radius * (radius + halfLength), count);
    ToolPoints points;
    addZones(radius, halfLength, 0.0, 0.5 * kHalfCircle, spacing, points);
    addZones(radius, -halfLength, 0.5 * kHalfCircle, kHalfCircle, spacing, points);
    if (halfLength > 0.0) addSide(radius, halfLength, spacing, points);
    turnFromY(axis, points);
    return clustered(std::move(points));
}

ToolPoints pointsOfCylinder(double radius, double halfLength, int axis, int count) {
    const double spacing = spacingOf(2.0 * kHalfCircle * radius * (radius + 2.0 * halfLength), count);
    ToolPoints points;
    addSide(radius, halfLength, spacing, points);
    for (const double side : {1.0, -1.0}) addEnd(radius, halfLength, side, spacing, points);
    turnFromY(axis, points);
    return clustered(std::move(points));
}

}  // namespace btPliantInternal
