// SPDX-License-Identifier: Zlib
#include "pliant/mesh/ElementShape.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

/// Closest point of triangle abc to x, by the Voronoi region x projects into.
Vector3 closestOnTriangle(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& x) {
    const auto onSegment = [&](const Vector3& p, const Vector3& q) -> Vector3 {
        const double length2 = (q - p).squaredNorm();
        const double s = length2 > 0.0 ? std::clamp((x - p).dot(q - p) / length2, 0.0, 1.0) : 0.0;
        return p + s * (q - p);
    };
    const Vector3 n = (b - a).cross(c - a);
    const bool inside = n.squaredNorm() > 0.0 && (b - a).cross(x - a).dot(n) >= 0.0 &&
                        (c - b).cross(x - b).dot(n) >= 0.0 && (a - c).cross(x - c).dot(n) >= 0.0;
    if (inside) return x - n * ((x - a).dot(n) / n.squaredNorm());
    Vector3 best = onSegment(a, b);
    for (const Vector3& candidate : {onSegment(b, c), onSegment(c, a)})
        if ((candidate - x).squaredNorm() < (best - x).squaredNorm()) best = candidate;
    return best;
}

std::array<double, 8> trilinear(const Vector3& t) {
    std::array<double, 8> weight;
    for (std::size_t c = 0; c < 8; ++c) {
        weight[c] = 1.0;
        for (int k = 0; k < 3; ++k)
            weight[c] *= brickCornerBit[c][static_cast<std::size_t>(k)] == 1 ? t[k] : 1.0 - t[k];
    }
    return weight;
}

}  // namespace

Corners elementCorners(const VolumeMesh& mesh, int element) {
    Corners corners(3, mesh.elements.rows());
    for (Eigen::Index c = 0; c < corners.cols(); ++c) corners.col(c) = mesh.positions.col(mesh.elements(c, element));
    return corners;
}

Cuboid fitCuboid(const Corners& corners) {
    Cuboid cuboid{Vector3::Zero(), Vector3::Zero(), 0.0};
    for (std::size_t c = 0; c < 8; ++c)
        for (int k = 0; k < 3; ++k) {
            Vector3& end = brickCornerBit[c][static_cast<std::size_t>(k)] == 1 ? cuboid.upper : cuboid.lower;
            end[k] += 0.25 * corners(k, static_cast<Eigen::Index>(c));
        }
    for (std::size_t c = 0; c < 8; ++c)
        for (int k = 0; k < 3; ++k) {
            const Vector3& end = brickCornerBit[c][static_cast<std::size_t>(k)] == 1 ? cuboid.upper : cuboid.lower;
            cuboid.deviation = std::max(cuboid.deviation, std::abs(end[k] - corners(k, static_cast<Eigen::Index>(c))));
        }
    return cuboid;
}

Matrix3 brickEdges(const Corners& corners) {
    Matrix3 edges = Matrix3::Zero();
    for (std::size_t c = 0; c < 8; ++c)
        for (int k = 0; k < 3; ++k)
            edges.col(k) += (brickCornerBit[c][static_cast<std::size_t>(k)] == 1 ? 0.25 : -0.25) *
                            corners.col(static_cast<Eigen::Index>(c));
    return edges;
}

double brickTolerance(const Vector3& sides) {
    constexpr double ofShortest = 5e-4, ofDiagonal = 1e-5;
    return std::max(ofShortest * sides.cwiseAbs().minCoeff(), ofDiagonal * sides.norm());
}

BrickShape fitBrick(const Corners& corners) {
    const Cuboid cuboid = fitCuboid(corners);
    BrickShape shape{cuboid.lower, cuboid.upper - cuboid.lower, Matrix3::Identity(), false, cuboid.deviation};
    if (cuboid.deviation <= brickTolerance(shape.sides)) return shape;
    const Matrix3 edges = brickEdges(corners);
    const Vector3 across = edges.col(0).cross(edges.col(1));
    if (!(across.norm() > 0.0)) return shape;
    shape.turned = true;
    shape.axes.col(0) = edges.col(0).normalized();
    shape.axes.col(2) = across.normalized();
    shape.axes.col(1) = shape.axes.col(2).cross(shape.axes.col(0));
    shape.sides = (shape.axes.transpose() * edges).diagonal();
    shape.lower = corners.rowwise().mean() - 0.5 * (shape.axes * shape.sides);
    shape.deviation = 0.0;
    for (std::size_t c = 0; c < 8; ++c) {
        Vector3 off = shape.axes.transpose() * (corners.col(static_cast<Eigen::Index>(c)) - shape.lower);
        for (int k = 0; k < 3; ++k)
            if (brickCornerBit[c][static_cast<std::size_t>(k)] == 1) off[k] -= shape.sides[k];
        shape.deviation = std::max(shape.deviation, off.cwiseAbs().maxCoeff());
    }
    return shape;
}

Vector3 placeInBrick(const BrickShape& shape, const Vector3& x) {
    const Vector3 from = x - shape.lower;
    return (shape.turned ? Vector3(shape.axes.transpose() * from) : from).cwiseQuotient(shape.sides);
}

Eigen::Matrix<double, 8, 3> brickGradients(const BrickShape& shape, const Vector3& lower, const Vector3& upper) {
    Eigen::Matrix<double, 8, 3> gradients;
    for (std::size_t c = 0; c < 8; ++c) {
        Vector3 value, slope;
        for (int k = 0; k < 3; ++k) {
            const bool far = brickCornerBit[c][static_cast<std::size_t>(k)] == 1;
            value[k] = far ? upper[k] : lower[k];
            slope[k] = (far ? 1.0 : -1.0) / shape.sides[k];
        }
        gradients.row(static_cast<Eigen::Index>(c)) << slope[0] * value[1] * value[2], value[0] * slope[1] * value[2],
            value[0] * value[1] * slope[2];
    }
    if (shape.turned) gradients = (gradients * shape.axes.transpose()).eval();
    return gradients;
}

double tetrahedronVolume(const Corners& x) {
    const Vector3 a = x.col(0);
    return (x.col(1) - a).dot(Vector3(x.col(2) - a).cross(Vector3(x.col(3) - a))) / 6.0;
}

std::array<double, 4> tetrahedronWeights(const Corners& corners, const Vector3& x) {
    Matrix3 edges;
    for (int k = 0; k < 3; ++k) edges.col(k) = corners.col(k + 1) - corners.col(0);
    const Vector3 w = edges.fullPivLu().solve(x - corners.col(0));
    return {1.0 - w.sum(), w[0], w[1], w[2]};
}

std::array<double, 8> brickWeights(const Corners& corners, const Vector3& x) {
    const BrickShape shape = fitBrick(corners);
    Vector3 t = placeInBrick(shape, x);
    // The corners differ from the cuboid by rounding at most: two Newton steps with the cuboid's Jacobian settle
    // it.
    for (int step = 0; step < 2 && shape.deviation > 0.0; ++step) {
        const std::array<double, 8> weight = trilinear(t);
        Vector3 reached = Vector3::Zero();
        for (std::size_t c = 0; c < 8; ++c) reached += weight[c] * corners.col(static_cast<Eigen::Index>(c));
        const Vector3 left = x - reached;
        t += (shape.turned ? Vector3(shape.axes.transpose() * left) : left).cwiseQuotient(shape.sides);
    }
    return trilinear(t);
}

double distanceToTetrahedron(const Corners& corners, const Vector3& x) {
    const std::array<double, 4> weight = tetrahedronWeights(corners, x);
    if (*std::min_element(weight.begin(), weight.end()) >= 0.0) return 0.0;
    constexpr int faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    double best = -1.0;
    for (int f = 0; f < 4; ++f) {
        const Vector3 p =
            closestOnTriangle(corners.col(faces[f][0]), corners.col(faces[f][1]), corners.col(faces[f][2]), x);
        const double distance = (p - x).norm();
        if (best < 0.0 || distance < best) best = distance;
    }
    return best;
}

double distanceToBrick(const Corners& corners, const Vector3& x) {
    const BrickShape shape = fitBrick(corners);
    if (!shape.turned) {
        const Cuboid box = fitCuboid(corners);
        return (x - x.cwiseMax(box.lower).cwiseMin(box.upper)).norm();
    }
    const Vector3 local = shape.axes.transpose() * (x - shape.lower);
    return (local - local.cwiseMax(Vector3::Zero()).cwiseMin(shape.sides)).norm();
}

}  // namespace pliant
