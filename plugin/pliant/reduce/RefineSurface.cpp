// SPDX-License-Identifier: Zlib
#include "pliant/reduce/RefineSurface.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "pliant/mesh/ElementShape.h"
#include "pliant/mesh/Embedding.h"
#include "pliant/mesh/Quadrature.h"
#include "pliant/mesh/formats/SplitEdges.h"

namespace pliant {
namespace {

/// Eigenvalues count as at least this share of the largest one.
constexpr double kSoftest = 1e-12;

/// Of the diagonal of the surface, and of the body's thickness: what a flat piece may stray from the material in any
/// case under the body's weight, the less of both. A landing bends a plate by ten to a hundred times that.
constexpr double kUnnoticed = 1e-3, kUnnoticedOfThickness = 0.01;
constexpr double kGravity = 9.81;  ///< m/s^2

/// As large as forces of the size of the body's weight make them, m.
MatrixX shapesUnderWeight(const MatrixX& meshBasis, const ReducedModel& model) {
    const VectorX& eigenvalues = model.restEigenvalues;
    const double least = kSoftest * eigenvalues.maxCoeff(), force = kGravity * std::sqrt(model.totalMass());
    const VectorX weights = force * eigenvalues.cwiseMax(least).cwiseInverse();
    return meshBasis * model.restEigenvectors * weights.asDiagonal();
}

/// Mean over the elements of the diagonal of their bounding boxes, m: no edge of an element's face is longer in a mesh
/// of bricks.
double elementDiagonal(const VolumeMesh& mesh) {
    double sum = 0.0;
    for (int e = 0; e < mesh.elementCount(); ++e) {
        const Corners corners = elementCorners(mesh, e);
        sum += (corners.rowwise().maxCoeff() - corners.rowwise().minCoeff()).norm();
    }
    return sum / mesh.elementCount();
}

/// Of a plate or a sheet, m: twice the volume of the material over the area of the surface.
double thicknessOf(const VolumeMesh& mesh, const SurfaceMesh& drawn) {
    double volume = 0.0, area = 0.0;
    for (int e = 0; e < mesh.elementCount(); ++e) volume += elementVolume(mesh, e);
    for (int t = 0; t < drawn.triangleCount(); ++t) {
        const Vector3 a = drawn.positions.col(drawn.triangles(0, t));
        const Vector3 b = drawn.positions.col(drawn.triangles(1, t)), c = drawn.positions.col(drawn.triangles(2, t));
        area += 0.5 * (b - a).cross(c - a).norm();
    }
    return 2.0 * volume / area;
}

/// The weighted shapes, at points of the material.
class ShapesAt {
public:
    ShapesAt(const MatrixX& meshBasis, const ReducedModel& model)
        : m_shapes(shapesUnderWeight(meshBasis, model)), m_locator(model.mesh) {}

    /// Of a vertex of the mesh.
    double largest() const {
        double result = 0.0;
        for (Eigen::Index row = 0; row < m_shapes.rows(); row += 3)
            result = std::max(result, m_shapes.middleRows<3>(row).norm());
        return result;
    }

    MatrixX operator()(const Vector3& x) const { return interpolateBasis({m_locator.locate(x)}, m_shapes); }

private:
    MatrixX m_shapes;
    PointLocator m_locator;
};

}  // namespace

int refineSurface(const MatrixX& meshBasis, const ReducedModel& model, double tolerance, SurfaceMesh& drawn) {
    if (model.restEigenvalues.size() == 0 || !(model.restEigenvalues.maxCoeff() > 0.0)) return 0;
    const ShapesAt shapes(meshBasis, model);
    const double diagonal = (drawn.positions.rowwise().maxCoeff() - drawn.positions.rowwise().minCoeff()).norm();
    const double unnoticed = std::min(kUnnoticed * diagonal, kUnnoticedOfThickness * thicknessOf(model.mesh, drawn));
    const double allowed = std::max(tolerance * shapes.largest(), unnoticed);
    const IsCoarse isCoarse = [&](const Eigen::Matrix3Xd& corners) {
        MatrixX difference = shapes(corners.rowwise().mean());
        for (Eigen::Index c = 0; c < corners.cols(); ++c)
            difference -= shapes(corners.col(c)) / static_cast<double>(corners.cols());
        return difference.norm() > allowed;
    };
    return splitCoarseEdges(drawn, isCoarse, elementDiagonal(model.mesh));
}

}  // namespace pliant
