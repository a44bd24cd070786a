// SPDX-License-Identifier: Zlib
#include "validate/Validation.h"

#include <fmt/format.h>

#include <algorithm>
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

/// Shares, n of sum 1, of a push on the vertices about one of them: a force on a single vertex would fold the elements
/// that meet there, which no reduced model is meant to follow. @param radius of the body, m
VectorX pushShares(const VolumeMesh& mesh, const std::vector<int>& held, int centre, double radius) {
    constexpr Eigen::Index fewest = 8;
    VectorX shares(mesh.vertexCount());
    for (double reach = 0.2 * radius; reach < 4.0 * radius; reach *= 1.25) {
        for (int v = 0; v < mesh.vertexCount(); ++v) {
            const double part = (mesh.positions.col(v) - mesh.positions.col(centre)).squaredNorm() / (reach * reach);
            shares[v] = part < 1.0 ? (1.0 - part) * (1.0 - part) : 0.0;
        }
        if ((shares.array() > 0.0).count() >= fewest) break;
    }
    for (const int v : held)
        if (v != centre) shares[v] = 0.0;
    return shares / shares.sum();
}

/// The direction of a push that the user has chosen, or along which its vertex moves first, and how it is spread.
void pushAboutVertex(const ReducedModel& model, const VolumeMesh& mesh, const Vector3& push, Validation& v) {
    if (!(push.norm() > 0.0)) throw Error("", "the force is zero", "give --force FX FY FZ in newtons");
    ImpulseExperiment& e = v.experiment;
    const VectorX shares = pushShares(mesh, model.fixedVertices, e.observedVertex, v.radius);
    for (Eigen::Index i = 0; i < shares.size(); ++i) e.force.segment<3>(3 * i) = shares[i] * push;
    v.push =
        fmt::format("about vertex {}, spread over {} vertices", e.observedVertex + 1, (shares.array() > 0.0).count());
    v.direction = push.normalized();
}

/// N, all vertices together.
double totalForce(const VectorX& force) {
    return Eigen::Map<const Points>(force.data(), 3, force.size() / 3).colwise().norm().sum();
}

/// Where, how strongly and for how long.
void choosePush(const ReducedModel& model, const FullModel& full, const MatrixX& U, const ValidationOptions& options,
                Validation& v) {
    ImpulseExperiment& e = v.experiment;
    const VectorX firstMode = U * model.restEigenvectors.col(0);
    e.observedVertex = options.vertex >= 0 ? options.vertex : mostMovedVertex(firstMode);
    if (e.observedVertex >= model.simulationVertexCount())
        throw Error("", fmt::format("vertex {} does not exist, the mesh has {}", e.observedVertex + 1,
                                    model.simulationVertexCount()));
    const Vector3 moved = firstMode.segment<3>(3 * static_cast<Eigen::Index>(e.observedVertex)).normalized();
    const double period = 1.0 / v.firstFrequency;
    e.timeStep = period / options.stepsPerPeriod;
    e.steps = static_cast<int>(std::lround(options.periods * options.stepsPerPeriod));
    e.pushShape = PushShape::SineSquared;
    e.forceSteps = std::max(3, options.stepsPerPeriod / 3);
    e.stiffnessDamping = options.damping * period;
    e.fixedVertices = model.fixedVertices;
    e.force = VectorX::Zero(U.rows());
    if (options.force || options.vertex >= 0) {
        pushAboutVertex(model, full.mesh(), options.force.value_or(moved), v);
    } else {
        e.force = full.massMatrix() * firstMode;
        v.push = "along the first mode";
        v.direction = moved;
    }
    if (!options.force) {
        const Trajectory unit = simulateReduced(*linearForces(model.energy.linearStiffness), U, e);
        const double answer = measureOscillation(unit.observed.transpose() * v.direction, e.timeStep).amplitude;
        e.force *= options.amplitude * v.radius / answer;
    }
    v.force = totalForce(e.force);
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

/// Of the full simulation, told by its first two steps. Later ones bend more and need some iterations more.
double estimatedSeconds(const FullModel& full, ImpulseExperiment experiment) {
    const int steps = experiment.steps;
    experiment.steps = std::min(2, steps);
    return simulateFull(full, experiment).seconds * steps / experiment.steps;
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

std::string percentText(double share) {
    return std::isfinite(share) ? fmt::format("{:+.1f} %", 100.0 * share) : "not measured";
}

std::string verdict(const Validation& v) {
    constexpr double goodAmplitude = 0.05, goodFrequency = 0.02, goodDrift = 0.01;
    const std::string measure =
        fmt::format("within {:g} % in amplitude and {:g} % in frequency", 100.0 * goodAmplitude, 100.0 * goodFrequency);
    const ReducedRun& whole = v.whole();
    if (!whole.problem.empty()) return "The model cannot follow this push: give it more modes or a larger r.";
    const TrajectoryComparison& c = whole.comparison;
    if (c.fullEnergyDrift > goodDrift && v.experiment.stiffnessDamping == 0.0)
        return fmt::format(
            "The full model's own energy drifts by {:.1f} %, so these numbers say little: take more steps "
            "(--steps-per-period) or a smaller push (--amplitude).",
            100.0 * c.fullEnergyDrift);
    if (!std::isfinite(c.frequencyError))
        return fmt::format(
            "A good model is {}; too few swings were seen to measure frequencies: simulate longer "
            "(--periods).",
            measure);
    const bool isGood = std::abs(c.amplitudeError) <= goodAmplitude && std::abs(c.frequencyError) <= goodFrequency;
    return isGood ? fmt::format("Good: {} of the full model.", measure)
                  : fmt::format(
                        "A good model is {} of the full one; this one is not: reduce with more modes (--modes) or "
                        "a larger r (--dim).",
                        measure);
}

Validation validate(const ReducedModel& model, const ValidationOptions& options, const ProgressCallback& progress) {
    const VolumeMesh mesh = fullMesh(model, options);
    const FullModel full(mesh, saysLumpedMass(model.provenance.options) ? MassKind::Lumped : MassKind::Consistent);
    const MatrixX U = meshBasis(model);
    Validation v;
    v.vertices = mesh.vertexCount();
    v.elements = mesh.elementCount();
    v.radius = 0.5 * (mesh.positions.rowwise().maxCoeff() - mesh.positions.rowwise().minCoeff()).norm();
    v.firstFrequency = std::sqrt(model.restEigenvalues[0]) / (2.0 * M_PI);
    choosePush(model, full, U, options, v);
    if (options.tellEstimate) options.tellEstimate(estimatedSeconds(full, v.experiment));
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
