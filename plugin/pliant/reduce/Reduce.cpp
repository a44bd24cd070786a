// SPDX-License-Identifier: Zlib
#include "pliant/reduce/Reduce.h"

#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <filesystem>

#include "pliant/basis/Basis.h"
#include "pliant/collision/BuildBDTree.h"
#include "pliant/collision/BuildSkeleton.h"
#include "pliant/polynomial/ReducePolynomial.h"
#include "pliant/reduce/BodyFrame.h"
#include "pliant/reduce/CheckOptions.h"
#include "pliant/reduce/InputHash.h"
#include "pliant/reduce/MassIntegrals.h"
#include "pliant/reduce/ReadInput.h"
#include "pliant/reduce/SurfaceFollowsMesh.h"

namespace pliant {
namespace {

void describe(const std::string& input, const ReduceOptions& options, ReducedModel& model) {
    const std::filesystem::path path(input);
    model.name = path.stem().string();
    model.provenance.generator = "pliant " PLIANT_VERSION;
    model.provenance.inputName = path.filename().string();
    model.provenance.inputHash = inputHash(input, options);
    model.provenance.options = options.canonical();
}

Basis computeBasis(const FullModel& full, const std::vector<int>& fixedVertices, const ReduceOptions& options,
                   const ProgressCallback& progress) {
    BasisOptions basis;
    basis.modes = options.modes;
    basis.dimension = options.dimension;
    basis.fixedVertices = fixedVertices;
    basis.threads = options.threads;
    return makeBasis(full, basis, progress);
}

/// Rows of every vertex turned from the mesh frame into the body frame.
MatrixX inBodyFrame(const MatrixX& meshBasis, const Matrix3& meshFromBody) {
    MatrixX result(meshBasis.rows(), meshBasis.cols());
    for (Eigen::Index row = 0; row < meshBasis.rows(); row += 3)
        result.middleRows<3>(row) = meshFromBody.transpose() * meshBasis.middleRows<3>(row);
    return result;
}

/// Eigenvectors of K0, each with its largest component positive.
void diagonalise(ReducedModel& model) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(model.energy.linearStiffness);
    model.restEigenvalues = solver.eigenvalues();
    model.restEigenvectors = solver.eigenvectors();
    for (Eigen::Index j = 0; j < model.restEigenvectors.cols(); ++j) {
        Eigen::Index largest = 0;
        model.restEigenvectors.col(j).cwiseAbs().maxCoeff(&largest);
        if (model.restEigenvectors(largest, j) < 0.0) model.restEigenvectors.col(j) *= -1.0;
    }
}

void integrateMass(const FullModel& full, const BodyFrame& frame, ReducedModel& model) {
    const Points bodyPositions =
        frame.meshFromBody.rotation.transpose() * (model.mesh.positions.colwise() - frame.meshFromBody.translation);
    model.inertia = massIntegrals(full.massMatrix(), bodyPositions, model.basis);
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

std::shared_ptr<const ReducedModel> reduce(const std::string& input, const ReduceOptions& options,
                                           const ProgressCallback& progress) {
    reportProgress(progress, "mesh", 0.0);
    const ReductionInput read = readInput(input, options);
    auto model = std::make_shared<ReducedModel>();
    describe(input, options, *model);
    model->mesh = read.mesh;
    model->fixedVertices = read.fixedVertices;
    model->anchored = !read.fixedVertices.empty();

    const FullModel full(read.mesh);
    const BodyFrame frame = bodyFrame(full);
    model->meshFromBody = frame.meshFromBody;
    reportProgress(progress, "mesh", 1.0);

    const Basis basis = computeBasis(full, read.fixedVertices, options, progress);
    model->basis = inBodyFrame(basis.U, frame.meshFromBody.rotation);
    model->elasticEigenvalues = basis.elasticEigenvalues;

    model->energy = reducePolynomial(read.mesh, basis.U, progress);
    diagonalise(*model);
    integrateMass(full, frame, *model);

    reportProgress(progress, "surface", 0.0);
    followMesh(read.surface, basis.U, *model);
    reportProgress(progress, "surface", 1.0);
    buildContact(read.surface, basis.U, progress, *model);
    return model;
}

}  // namespace

std::shared_ptr<const ReducedModel> reduceFile(const std::string& input, const ReduceOptions& options,
                                               const ProgressCallback& progress) {
    checkOptions(options);
    const int cores = tbb::info::default_concurrency();
    tbb::task_arena workers(options.threads == 0 ? cores : std::min(options.threads, cores));
    return workers.execute([&] { return reduce(input, options, progress); });
}

}  // namespace pliant
