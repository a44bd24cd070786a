// SPDX-License-Identifier: Zlib
#include "validate/Validation.h"

#include <fmt/format.h>

#include <cmath>

#include "pliant/math/Error.h"
#include "pliant/math/PolynomialSums.h"
#include "pliant/mesh/ReadVolume.h"
#include "pliant/reduce/ReduceOptions.h"
#include "pliant/reduce/ReducedForces.h"

namespace pliant::program {
namespace {

VolumeMesh fullMesh(const ReducedModel& model, const ValidationOptions& options) {
    if (options.mesh.empty()) return model.mesh;
    VolumeMesh mesh = readVolume(options.mesh).mesh;
    if (mesh.vertexCount() != model.simulationVertexCount())
        throw Error(
            options.mesh,
            fmt::format("has {} vertices, the reduced model {}", mesh.vertexCount(), model.simulationVertexCount()),
            "give the mesh that the model was made of");
    return mesh;
}

/// U in the axes of the mesh, 3n x r.
MatrixX meshBasis(const ReducedModel& model) {
    MatrixX U(model.basis.rows(), model.basis.cols());
    for (Eigen::Index row = 0; row < U.rows(); row += 3)
        U.middleRows<3>(row) = model.meshFromBody.rotation * model.basis.middleRows<3>(row);
    return U;
}

int mostMovedVertex(const VectorX& field) {
    const Eigen::Map<const Eigen::Matrix3Xd> points(field.data(), 3, field.size() / 3);
    Eigen::Index vertex = 0;
    points.colwise().squaredNorm().maxCoeff(&vertex);
    return static_cast<int>(vertex);
}

/// Where, how strongly and for how long.
void choosePush(const ReducedModel& model, const MatrixX& U, const ValidationOptions& options, Validation& v) {
    ImpulseExperiment& e = v.experiment;
    const VectorX firstMode = U * model.restEigenvectors.col(0);
    e.observedVertex = options.vertex >= 0 ? options.vertex : mostMovedVertex(firstMode);
    if (e.observedVertex >= model.simulationVertexCount())
        throw Error("", fmt::format("vertex {} does not exist, the mesh has {}", e.observedVertex + 1,
                                    model.simulationVertexCount()));
    const Vector3 moved = firstMode.segment<3>(3 * static_cast<Eigen::Index>(e.observedVertex));
    const Vector3 push = options.force ? *options.force : Vector3(moved.normalized());
    if (!(push.norm() > 0.0)) throw Error("", "the force is zero", "give --force FX FY FZ in newtons");
    v.direction = push.normalized();
    v.force = push.norm();
    const double period = 1.0 / v.firstFrequency;
    e.timeStep = period / options.stepsPerPeriod;
    e.steps = static_cast<int>(std::lround(options.periods * options.stepsPerPeriod));
    e.forceSteps = std::max(1, options.stepsPerPeriod / 8);
    e.stiffnessDamping = options.damping * period;
    e.fixedVertices = model.fixedVertices;
    e.force = VectorX::Zero(U.rows());
    e.force.segment<3>(3 * static_cast<Eigen::Index>(e.observedVertex)) = push;
    if (options.force) return;
    const Trajectory unit = simulateReduced(*linearForces(model.energy.linearStiffness), U, e);
    const double answer = measureOscillation(unit.observed.transpose() * v.direction, e.timeStep).amplitude;
    v.force = options.amplitude * v.radius / answer;
    e.force *= v.force;
}

/// A basis that is too small may lock so hard that a step does not converge: an answer too.
ReducedRun compareWithFull(const std::string& name, const ReducedForces& forces, const MatrixX& basis,
                           const Validation& v, const ProgressCallback& progress) {
    ReducedRun run;
    run.name = name;
    run.dimension = static_cast<int>(basis.cols());
    try {
        run.trajectory = simulateReduced(forces, basis, v.experiment, progress);
        run.comparison = compareTrajectories(v.full, run.trajectory, v.experiment, v.direction);
    } catch (const Error& error) {
        run.problem = error.what();
    }
    return run;
}

std::vector<int> dimensions(int r) {
    std::vector<int> list;
    for (const int quarter : {1, 2, 3, 4}) {
        const int next = std::max(1, quarter * r / 4);
        if (list.empty() || next > list.back()) list.push_back(next);
    }
    return list;
}

}  // namespace

Validation validate(const ReducedModel& model, const ValidationOptions& options, const ProgressCallback& progress) {
    const VolumeMesh mesh = fullMesh(model, options);
    const FullModel full(mesh, saysLumpedMass(model.provenance.options) ? MassKind::Lumped : MassKind::Consistent);
    const MatrixX U = meshBasis(model);
    Validation v;
    v.vertices = mesh.vertexCount();
    v.elements = mesh.elementCount();
    v.radius = 0.5 * (mesh.positions.rowwise().maxCoeff() - mesh.positions.rowwise().minCoeff()).norm();
    v.firstFrequency = std::sqrt(model.restEigenvalues[0]) / (2.0 * M_PI);
    choosePush(model, U, options, v);
    v.full = simulateFull(full, v.experiment, progress);
    const int r = model.dimension();
    const auto run = [&](const std::string& name, const ReducedForces& forces, const MatrixX& basis) {
        return compareWithFull(name, forces, basis, v, progress);
    };
    v.linear = run(fmt::format("linear, r = {}", r), *linearForces(model.energy.linearStiffness), U);
    for (const int dimension : dimensions(r))
        v.runs.push_back(run(fmt::format("r = {}", dimension), *polynomialForces(truncated(model.energy, dimension)),
                             U.leftCols(dimension)));
    return v;
}

}  // namespace pliant::program
