// SPDX-License-Identifier: Zlib
#include "pliant/reduce/CompleteModel.h"

#include "pliant/model/DiagonaliseRest.h"
#include "pliant/model/SurfaceFollowsMesh.h"
#include "pliant/reduce/BodyFrame.h"
#include "pliant/reduce/MassIntegrals.h"
#include "pliant/reduce/RefineSurface.h"

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

/// `drawn` with triangles fine enough for the body's shapes; says so where it was too coarse.
SurfaceMesh refined(const SurfaceMesh& drawn, double tolerance, const MatrixX& meshBasis, const ReducedModel& model,
                    std::vector<std::string>& notes) {
    SurfaceMesh result = drawn;
    const int added = tolerance > 0.0 ? refineSurface(meshBasis, model, tolerance, result) : 0;
    if (added > 0)
        notes.push_back("the drawn surface is coarser than the body bends: " + std::to_string(drawn.triangleCount()) +
                        (drawn.triangleCount() == 1 ? " triangle" : " triangles") + " became " +
                        std::to_string(result.triangleCount()) + " (--refine 0 keeps them as they are)");
    return result;
}

}  // namespace

void completeModel(const SparseMatrix& M, const MatrixX& meshBasis, const SurfaceMesh& surface,
                   const SurfaceMesh& coarse, const SurfaceChoice& choice, const ProgressCallback& progress,
                   std::vector<std::string>& notes, ReducedModel& model) {
    model.anchored = !model.fixedVertices.empty();
    const BodyFrame frame = bodyFrame(M, model.mesh.positions);
    model.meshFromBody = frame.meshFromBody;
    model.basis = inBodyFrame(meshBasis, frame.meshFromBody.rotation);
    diagonaliseRest(model);
    integrateMass(M, frame, model);
    reportProgress(progress, "surface", 0.0);
    const SurfaceMesh drawn = refined(coarse, choice.refine, meshBasis, model, notes);
    followMesh(drawn, meshBasis, model);
    reportProgress(progress, "surface", 1.0);
    makeContactGeometry(surface, drawn, meshBasis, choice, progress, notes, model);
}

}  // namespace pliant
