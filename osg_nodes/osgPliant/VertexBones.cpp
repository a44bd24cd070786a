// SPDX-License-Identifier: Zlib
#include "osgPliant/VertexBones.h"

#include <algorithm>
#include <array>

#include "osgPliant/Decimate.h"

namespace osgPliant {

namespace {

using pliant::Vector3;

/// Weight of a bone at a vertex.
double weightOf(const pliant::SkinWeights& weights, Eigen::Index vertex, int bone) {
    double sum = 0.0;
    for (Eigen::Index i = 0; i < 4; ++i)
        if (weights.bones(i, vertex) == bone) sum += weights.weights(i, vertex);
    return sum;
}

/// Gradients of the three corners' linear weights of a triangle, and its area; false where it has none.
struct TriangleShape {
    std::array<Vector3, 3> gradient;
    Vector3 normal;
    double area = 0.0;
};

bool shapeOf(const pliant::Points& x, const pliant::Triangles& triangles, Eigen::Index t, TriangleShape& shape) {
    const Vector3 a = x.col(triangles(0, t)), b = x.col(triangles(1, t)), c = x.col(triangles(2, t));
    const Vector3 twice = (b - a).cross(c - a);
    const double length = twice.norm();
    if (!(length > 0.0)) return false;
    shape.normal = twice / length;
    shape.area = 0.5 * length;
    shape.gradient = {shape.normal.cross(c - b) / length, shape.normal.cross(a - c) / length,
                      shape.normal.cross(b - a) / length};
    return true;
}

/// The triangles around each place, by the lowest number of a vertex there.
std::vector<std::vector<Eigen::Index>> trianglesAround(const pliant::SurfaceMesh& surface,
                                                       const std::vector<int>& place) {
    std::vector<std::vector<Eigen::Index>> around(place.size());
    for (Eigen::Index t = 0; t < surface.triangles.cols(); ++t)
        for (Eigen::Index corner = 0; corner < 3; ++corner)
            around[static_cast<std::size_t>(place[static_cast<std::size_t>(surface.triangles(corner, t))])].push_back(
                t);
    return around;
}

/// Adds the gradients of the vertex's four bones in a triangle, by its area.
void addGradients(const pliant::SurfaceMesh& surface, const pliant::SkinWeights& weights, Eigen::Index v,
                  Eigen::Index t, const TriangleShape& shape, pliant::Matrix<double, 12, 1>& sum) {
    for (Eigen::Index i = 0; i < 4; ++i) {
        if (!(weights.weights(i, v) > 0.0)) continue;
        for (Eigen::Index corner = 0; corner < 3; ++corner)
            sum.segment<3>(3 * i) += shape.area * weightOf(weights, surface.triangles(corner, t), weights.bones(i, v)) *
                                     shape.gradient[static_cast<std::size_t>(corner)];
    }
}

}  // namespace

VertexBones followBones(const pliant::SurfaceMesh& surface, const pliant::SkinWeights& weights, int boneCount) {
    constexpr double smooth = 0.7;  // the cosine of normals that agree: edges of 45 degrees are edges
    VertexBones vertices{boneCount, weights, {}};
    vertices.weightGradients.setZero(12, surface.positions.cols());
    const std::vector<int> place = weldByPosition(surface.positions);
    const auto around = trianglesAround(surface, place);
    const bool hasNormals = surface.normals.cols() == surface.positions.cols();
    for (Eigen::Index v = 0; v < surface.positions.cols(); ++v) {
        pliant::Matrix<double, 12, 1> sum = pliant::Matrix<double, 12, 1>::Zero();
        double area = 0.0;
        const Vector3 N = hasNormals ? Vector3(surface.normals.col(v)) : Vector3::Zero();
        for (const Eigen::Index t : around[static_cast<std::size_t>(place[static_cast<std::size_t>(v)])]) {
            TriangleShape shape;
            if (!shapeOf(surface.positions, surface.triangles, t, shape)) continue;
            if (hasNormals && shape.normal.dot(N) < smooth * N.norm()) continue;
            addGradients(surface, weights, v, t, shape, sum);
            area += shape.area;
        }
        if (!(area > 0.0)) continue;
        for (Eigen::Index i = 0; i < 4; ++i) {
            Vector3 g = sum.segment<3>(3 * i) / area;
            if (N.squaredNorm() > 0.0) g -= N * (N.dot(g) / N.squaredNorm());
            vertices.weightGradients.block<3, 1>(3 * i, v) = g.cast<float>();
        }
    }
    return vertices;
}

SkinnedVertex skinVertex(const VertexBones& vertices, Eigen::Index v, const pliant::AffineMap* bones,
                         const Vector3& rest, const Vector3& bent) {
    SkinnedVertex result;
    pliant::Matrix3 F = pliant::Matrix3::Zero();
    std::array<Vector3, 4> y;
    result.bending = 0.0;
    for (Eigen::Index i = 0; i < 4; ++i) {
        const double weight = vertices.weights.weights(i, v);
        const pliant::AffineMap& bone = bones[vertices.weights.bones(i, v)];
        const double scale = bone.row(0).head<3>().norm();
        y[static_cast<std::size_t>(i)] = bone.leftCols<3>() * (rest + bent / scale) + bone.col(3);
        result.position += weight * y[static_cast<std::size_t>(i)];
        result.bending += weight / scale;
        F += weight * bone.leftCols<3>();
    }
    for (Eigen::Index i = 0; i < 4; ++i)
        F += (y[static_cast<std::size_t>(i)] - result.position) *
             vertices.weightGradients.block<3, 1>(3 * i, v).cast<double>().transpose();
    result.cofactors.row(0) = F.row(1).cross(F.row(2));
    result.cofactors.row(1) = F.row(2).cross(F.row(0));
    result.cofactors.row(2) = F.row(0).cross(F.row(1));
    return result;
}

}  // namespace osgPliant
