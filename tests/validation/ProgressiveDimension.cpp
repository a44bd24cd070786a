// SPDX-License-Identifier: Zlib
// [B07 section 2.13.2] on a tower and a heart of our own: with k = 20 modes the error falls as r grows from 15 to 60,
// and all 230 modes and derivatives, evaluated by projection of the full model as the thesis did, are the best.
#include <cmath>
#include <cstdio>

#include "ExperimentMeshes.h"
#include "pliant/basis/Basis.h"
#include "pliant/polynomial/ReducePolynomial.h"
#include "pliant/reduce/CompareTrajectories.h"

namespace pliant {
namespace {

void setTimeStep(const FullModel& model, int perPeriod, ImpulseExperiment& e) {
    const LinearModes modes = linearModes(StaticCompliance(model, e.fixedVertices), 1);
    e.timeStep = 2.0 * M_PI / std::sqrt(modes.eigenvalues[0]) / perPeriod;
}

/// `force` spread evenly over the vertices with x between two bounds.
VectorX spread(const VolumeMesh& mesh, double from, double to, const Vector3& force) {
    VectorX load = VectorX::Zero(mesh.positions.size());
    int count = 0;
    for (int v = 0; v < mesh.vertexCount(); ++v)
        if (mesh.positions(0, v) >= from && mesh.positions(0, v) <= to) {
            load.segment<3>(3 * v) = force;
            ++count;
        }
    return load / count;
}

void printHeader(const char* body, const VolumeMesh& mesh, const Trajectory& full) {
    std::printf("%s: %d bricks, moves by %.3f m; full model %.1f s\n", body, mesh.elementCount(),
                full.observed.colwise().norm().maxCoeff(), full.seconds);
    std::printf("|   r | amplitude | frequency | distance | time |\n");
}

void printRow(Eigen::Index r, const TrajectoryComparison& c, double seconds) {
    std::printf("| %3d | %+7.2f %% | %+7.2f %% | %6.3f | %5.2f s |\n", static_cast<int>(r), 100.0 * c.amplitudeError,
                100.0 * c.frequencyError, c.distance, seconds);
}

BasisOptions options(const std::vector<int>& fixed, int dimension) {
    BasisOptions o;
    o.modes = 20;
    o.dimension = dimension;
    o.fixedVertices = fixed;
    return o;
}

/// The motions of a body in bases of growing r against the full model's. @return what each misses
std::vector<TrajectoryComparison> growing(const FullModel& model, const ImpulseExperiment& e, const Trajectory& full,
                                          const Vector3& push, const std::vector<int>& dimensions) {
    std::vector<TrajectoryComparison> all;
    for (const int r : dimensions) {
        const MatrixX U = makeBasis(model, options(e.fixedVertices, r)).U;
        const Trajectory reduced = simulateReduced(*polynomialForces(reducePolynomial(model.mesh(), U)), U, e);
        all.push_back(compareTrajectories(full, reduced, e, push));
        printRow(r, all.back(), reduced.seconds);
    }
    return all;
}

/// Distances fall. With forces that are spread, so that no dent hides it, the amplitude's error falls, too.
void expectToConverge(const std::vector<TrajectoryComparison>& all, bool isSpread) {
    for (std::size_t i = 1; i < all.size(); ++i) EXPECT_LT(all[i].distance, all[i - 1].distance);
    if (isSpread) {
        EXPECT_LT(std::abs(all.back().amplitudeError), std::abs(all.front().amplitudeError));
    }
}

/// @param reach m, within which vertices share the push
ImpulseExperiment towerExperiment(const FullModel& model, double reach, const Vector3& push) {
    const VolumeMesh& mesh = model.mesh();
    ImpulseExperiment e;
    e.fixedVertices = test::lowestVertices(mesh, 2);
    e.observedVertex = test::nearestVertex(mesh, Vector3(0.0, 1.0, 3.0));
    e.steps = 75;
    e.forceSteps = 7;
    e.tolerance = 1e-6;
    setTimeStep(model, 40, e);
    e.force = test::loadAround(mesh, mesh.positions.col(e.observedVertex), reach, push);
    return e;
}

TEST(ProgressiveDimension, TowerPushedAtItsTop) {
    const bool isLarge = test::isOfPapersSize();
    const VolumeMesh mesh = test::towerMesh(isLarge ? 4.25 : 1.0);
    const FullModel model(mesh);
    const Vector3 push(6000.0, 2500.0, 0.0);
    const ImpulseExperiment e = towerExperiment(model, isLarge ? 0.26 : 1e-6, push);
    const Trajectory full = simulateFull(model, e);
    printHeader("Tower", mesh, full);
    std::vector<TrajectoryComparison> all = growing(model, e, full, push, {15, 30, 60});
    expectToConverge(all, isLarge);
    if (isLarge) return;
    // Both ways of evaluation are the same motion.
    const MatrixX small = makeBasis(model, options(e.fixedVertices, 15)).U;
    const Trajectory projected = simulateReduced(*projectedForces(model, small), small, e);
    const Trajectory reduced = simulateReduced(*polynomialForces(reducePolynomial(mesh, small)), small, e);
    EXPECT_LT((projected.observed - reduced.observed).norm(), 1e-6 * reduced.observed.norm());
    BasisOptions whole = options(e.fixedVertices, 230);
    whole.orthogonalisation = Orthogonalisation::GramSchmidt;
    const MatrixX U = makeBasis(model, whole).U;
    const Trajectory best = simulateReduced(*projectedForces(model, U), U, e);
    all.push_back(compareTrajectories(full, best, e, push));
    printRow(230, all.back(), best.seconds);
    expectToConverge(all, false);
    EXPECT_LT(all.back().distance, 0.6 * all.front().distance);
}

/// Two opposite pushes of a free body: the reduced one has the mean-axis frame, the full one flies and is brought back
/// by its best fitting rotation.
ImpulseExperiment heartExperiment(const FullModel& model, const Vector3& push) {
    const VolumeMesh& mesh = model.mesh();
    ImpulseExperiment e;
    e.observedVertex = test::nearestVertex(mesh, Vector3(0.0, 0.03, 0.06));
    e.steps = 110;
    e.forceSteps = 20;
    e.tolerance = 1e-6;
    setTimeStep(model, 40, e);
    e.force = spread(mesh, -1.0, 0.021, push) + spread(mesh, 0.079, 1.0, -push);
    return e;
}

TEST(ProgressiveDimension, FreeHeartPinched) {
    const VolumeMesh mesh = test::heartMesh(test::isOfPapersSize() ? 4.0 : 1.0);
    const FullModel model(mesh);
    const Vector3 push(8.0, 0.0, 0.0);
    const ImpulseExperiment e = heartExperiment(model, push);
    const Trajectory full = simulateFull(model, e);
    printHeader("Heart", mesh, full);
    expectToConverge(growing(model, e, full, push, {15, 30, 60}), true);
}

}  // namespace
}  // namespace pliant
