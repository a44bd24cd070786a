// SPDX-License-Identifier: Zlib
#include "pliant/reduce/ImpulseExperiment.h"

#include <chrono>
#include <cmath>

#include "pliant/basis/RigidModes.h"
#include "pliant/basis/Snapshots.h"
#include "pliant/fem/FullNewmark.h"
#include "pliant/reduce/ReducedNewmark.h"

namespace pliant {
namespace {

using Clock = std::chrono::steady_clock;

Trajectory emptyTrajectory(const ImpulseExperiment& experiment) {
    Trajectory trajectory;
    trajectory.timeStep = experiment.timeStep;
    trajectory.observed = Points::Zero(3, experiment.steps + 1);
    trajectory.strainEnergy = trajectory.kineticEnergy = VectorX::Zero(experiment.steps + 1);
    return trajectory;
}

/// Share of the push at the end of step i.
double pushAt(int i, const ImpulseExperiment& e) {
    if (i < 1 || i > e.forceSteps) return 0.0;
    if (e.pushShape == PushShape::Constant) return 1.0;
    const double s = std::sin(M_PI * i / (e.forceSteps + 1));
    return s * s;
}

/// Share of the push that acts over step i: the mean of its start and end, by which Newmark's (1/4, 1/2) counts work.
double meanPush(int i, const ImpulseExperiment& e) {
    return 0.5 * pushAt(i - 1, e) + 0.5 * pushAt(i, e);
}

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

Trajectory simulateFull(const FullModel& model, const ImpulseExperiment& e, const ProgressCallback& progress) {
    const Clock::time_point start = Clock::now();
    FullNewmarkOptions options;
    options.timeStep = e.timeStep;
    options.beta = e.newmarkBeta;
    options.gamma = e.newmarkGamma;
    options.massDamping = e.massDamping;
    options.stiffnessDamping = e.stiffnessDamping;
    options.tolerance = e.tolerance;
    FullNewmark motion(model, Restriction::ofVertices(model.mesh(), e.fixedVertices), options);
    const bool isFree = e.fixedVertices.empty();
    const MatrixX rigid = isFree ? rigidModes(model) : MatrixX(model.degreesOfFreedom(), 0);
    Trajectory trajectory = emptyTrajectory(e);
    VectorX before = VectorX::Zero(e.force.size());
    for (int i = 1; i <= e.steps; ++i) {
        reportProgress(progress, "full simulation", static_cast<double>(i - 1) / e.steps);
        motion.step(pushAt(i, e) * e.force);
        const VectorX u = motion.displacement();
        trajectory.work += meanPush(i, e) * e.force.dot(u - before);
        before = u;
        const VectorX seen = isFree ? withoutLargeRigidMotion(model, rigid, u) : u;
        trajectory.observed.col(i) = seen.segment<3>(3 * static_cast<Eigen::Index>(e.observedVertex));
        trajectory.strainEnergy[i] = motion.strainEnergy();
        trajectory.kineticEnergy[i] = motion.kineticEnergy();
    }
    reportProgress(progress, "full simulation", 1.0);
    trajectory.seconds = secondsSince(start);
    return trajectory;
}

Trajectory simulateReduced(const ReducedForces& forces, const MatrixX& U, const ImpulseExperiment& e,
                           const ProgressCallback& progress) {
    const Clock::time_point start = Clock::now();
    ReducedNewmark motion(forces, e);
    const VectorX push = U.transpose() * e.force;
    const MatrixX rows = U.middleRows<3>(3 * static_cast<Eigen::Index>(e.observedVertex));
    Trajectory trajectory = emptyTrajectory(e);
    VectorX before = VectorX::Zero(U.cols());
    for (int i = 1; i <= e.steps; ++i) {
        reportProgress(progress, "reduced simulation", static_cast<double>(i - 1) / e.steps);
        motion.step(pushAt(i, e) * push);
        const VectorX& q = motion.coordinates();
        trajectory.work += meanPush(i, e) * push.dot(q - before);
        before = q;
        trajectory.observed.col(i) = rows * q;
        trajectory.strainEnergy[i] = forces.energy(q);
        trajectory.kineticEnergy[i] = 0.5 * motion.velocities().squaredNorm();
    }
    reportProgress(progress, "reduced simulation", 1.0);
    trajectory.seconds = secondsSince(start);
    return trajectory;
}

}  // namespace pliant
