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

TEST(ProgressiveDimension, TowerPushedAtItsTop) {
    const VolumeMesh mesh = test::towerMesh();
    const FullModel model(mesh);
    ImpulseExperiment e;
    e.fixedVertices = test::lowestVertices(mesh, 2);
    e.observedVertex = test::nearestVertex(mesh, Vector3(0.0, 1.0, 3.0));
    e.steps = 75;
    e.forceSteps = 7;
    e.tolerance = 1e-6;
    setTimeStep(model, 40, e);
    const Vector3 push(6000.0, 2500.0, 0.0);
    e.force = test::loadAt(mesh, e.observedVertex, push);
    const Trajectory full = simulateFull(model, e);
    printHeader("Tower", mesh, full);
    std::vector<double> distances;
    for (const int r : {15, 30, 60}) {
        const MatrixX U = makeBasis(model, options(e.fixedVertices, r)).U;
        const Trajectory reduced = simulateReduced(*polynomialForces(reducePolynomial(mesh, U)), U, e);
        const TrajectoryComparison c = compareTrajectories(full, reduced, e, push);
        printRow(r, c, reduced.seconds);
        distances.push_back(c.distance);
        if (r == 15) {  // both ways of evaluation are the same motion
            const Trajectory projected = simulateReduced(*projectedForces(model, U), U, e);
            EXPECT_LT((projected.observed - reduced.observed).norm(), 1e-6 * reduced.observed.norm());
        }
    }
    BasisOptions all = options(e.fixedVertices, 230);
    all.orthogonalisation = Orthogonalisation::GramSchmidt;
    const MatrixX U = makeBasis(model, all).U;
    const Trajectory reduced = simulateReduced(*projectedForces(model, U), U, e);
    const TrajectoryComparison c = compareTrajectories(full, reduced, e, push);
    printRow(230, c, reduced.seconds);
    distances.push_back(c.distance);
    for (std::size_t i = 1; i < distances.size(); ++i) EXPECT_LT(distances[i], distances[i - 1]);
    EXPECT_LT(distances.back(), 0.6 * distances.front());
}

TEST(ProgressiveDimension, FreeHeartPinched) {
    // Two opposite pushes of a free body: the reduced one has the mean-axis frame, the full one flies and is brought
    // back by its best fitting rotation.
    const VolumeMesh mesh = test::heartMesh();
    const FullModel model(mesh);
    ImpulseExperiment e;
    e.observedVertex = test::nearestVertex(mesh, Vector3(0.0, 0.03, 0.06));
    e.steps = 110;
    e.forceSteps = 20;
    e.tolerance = 1e-6;
    setTimeStep(model, 40, e);
    const Vector3 push(8.0, 0.0, 0.0);
    e.force = spread(mesh, -1.0, 0.021, push) + spread(mesh, 0.079, 1.0, -push);
    const Trajectory full = simulateFull(model, e);
    printHeader("Heart", mesh, full);
    std::vector<double> distances;
    for (const int r : {15, 30, 60}) {
        const MatrixX U = makeBasis(model, options({}, r)).U;
        const Trajectory reduced = simulateReduced(*polynomialForces(reducePolynomial(mesh, U)), U, e);
        const TrajectoryComparison c = compareTrajectories(full, reduced, e, push);
        printRow(r, c, reduced.seconds);
        distances.push_back(c.distance);
    }
    for (std::size_t i = 1; i < distances.size(); ++i) EXPECT_LT(distances[i], distances[i - 1]);
}

}  // namespace
}  // namespace pliant
