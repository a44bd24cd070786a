// SPDX-License-Identifier: Zlib
#include "pliant/reduce/CompleteModel.h"

#include "pliant/model/RestModes.h"
#include "pliant/model/SurfaceFollowsMesh.h"
#include "pliant/reduce/BodyFrame.h"
#include "pliant/reduce/MassIntegrals.h"
#include "pliant/skeleton/BuildBDTree.h"
#include "pliant/skeleton/BuildSkeleton.h"

namespace pliant {
namespace {

/// Rows of every vertex turned from the mesh frame into the body frame.
MatrixX inBodyFrame(const MatrixX& meshBasis, const Matrix3& meshFromBody) {
    MatrixX result(meshBasis.rows(), meshBasis.cols());
    for (Eigen::Index row = 0; row < meshBasis.rows(); row += 3)
        result.middleRows<3>(row) = meshFromBody.transpose() * meshBasis.middleRows<3>(row);
    return result;
}

void integrateMass(const SparseMatrix& M, const BodyFrame& frame, ReducedModel& model) {
    const Points bodyPositions =
        frame.meshFromBody.rotation.transpose() * (model.mesh.positions.colwise() - frame.meshFromBody.translation);
    model.inertia = massIntegrals(M, bodyPositions, model.basis);
    model.inertia.mass = frame.mass;
    model.inertia.principalInertia = frame.principalInertia;
}

void buildContact(const SurfaceMesh& surface, const MatrixX& meshBasis, const ProgressCallback& progress,
                  ReducedModel& model) {
    SkeletonOptions options;
    options.bodyFromMesh.rotation = model.meshFromBody.rotation.transpose();
    options.bodyFromMesh.translation = model.meshFromBody.inversePoint(Vector3::Zero());
    model.skeleton = buildSkeleton(surface, model.mesh, meshBasis, options, progress);
    reportProgress(progress, "trees", 0.0);
    model.skeletonTree = buildSkeletonTree(model.skeleton);
    reportProgress(progress, "trees", 0.5);
    model.triangleTree =
        buildTriangleTree(model.surface.positions.cast<float>(), model.surfaceBasis, model.surface.triangles);
    reportProgress(progress, "trees", 1.0);
}

}  // namespace

void completeModel(const SparseMatrix& M, const MatrixX& meshBasis, const SurfaceMesh& surface,
                   const ProgressCallback& progress, ReducedModel& model) {
    model.anchored = !model.fixedVertices.empty();
    const BodyFrame frame = bodyFrame(M, model.mesh.positions);
    model.meshFromBody = frame.meshFromBody;
    model.basis = inBodyFrame(meshBasis, frame.meshFromBody.rotation);
    diagonaliseRest(model);
    integrateMass(M, frame, model);
    reportProgress(progress, "surface", 0.0);
    followMesh(surface, meshBasis, model);
    reportProgress(progress, "surface", 1.0);
    buildContact(surface, meshBasis, progress, model);
}

}  // namespace pliant
