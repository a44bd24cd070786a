// SPDX-License-Identifier: Zlib
#include "pliant/model/SurfaceFollowsMesh.h"

#include "pliant/mesh/ElementShape.h"
#include "pliant/mesh/Quadrature.h"

namespace pliant {
namespace {

ShapeGradients gradientsAt(const VolumeMesh& mesh, int element, const Vector3& x) {
    if (mesh.kind == ElementKind::Brick) {  // outside of it they extrapolate, as the displacement does
        const BrickShape shape = fitBrick(elementCorners(mesh, element));
        const Vector3 t = placeInBrick(shape, x);
        return brickGradients(shape, Vector3::Ones() - t, t);
    }
    std::vector<ElementPoint> points;
    elementPoints(mesh, element, points);
    return points.front().gradients;
}

/// dN of one vertex, 3 x r, in the mesh frame: -(grad psi_j)' N = -sum_c gradient_c (psi_j(c) . N).
Eigen::Matrix3Xd normalRows(const VolumeMesh& mesh, const MatrixX& meshBasis, int element, const Vector3& x,
                            const Vector3& N) {
    const ShapeGradients gradients = gradientsAt(mesh, element, x);
    Eigen::Matrix3Xd rows = Eigen::Matrix3Xd::Zero(3, meshBasis.cols());
    for (Eigen::Index c = 0; c < gradients.rows(); ++c)
        rows -= gradients.row(c).transpose() *
                (N.transpose() * meshBasis.middleRows<3>(3 * Eigen::Index(mesh.elements(c, element))));
    return rows;
}

}  // namespace

void followMesh(const SurfaceMesh& surface, const MatrixX& meshBasis, ReducedModel& model) {
    const Matrix3 toBody = model.meshFromBody.rotation.transpose();
    const Eigen::Index d = surface.vertexCount();
    model.surfaceEmbedding = embed(model.mesh, surface.positions);
    model.surfaceBasis = interpolateBasis(model.surfaceEmbedding, model.basis).cast<float>();
    model.surfaceNormalBasis.resize(3 * d, meshBasis.cols());
    for (Eigen::Index s = 0; s < d; ++s) {
        const int element = model.surfaceEmbedding[static_cast<std::size_t>(s)].element;
        const Eigen::Matrix3Xd rows =
            normalRows(model.mesh, meshBasis, element, surface.positions.col(s), surface.normals.col(s));
        model.surfaceNormalBasis.middleRows<3>(3 * s) = (toBody * rows).cast<float>();
    }
    model.surface = surface;
    model.surface.positions = toBody * (surface.positions.colwise() - model.meshFromBody.translation);
    model.surface.normals = toBody * surface.normals;
}

}  // namespace pliant
