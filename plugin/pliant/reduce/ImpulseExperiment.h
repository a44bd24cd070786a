// SPDX-License-Identifier: Zlib
// The papers' experiment: the same push on the full and on the reduced body, and what one point of it does.
#pragma once

#include <vector>

#include "pliant/fem/FullModel.h"
#include "pliant/math/Progress.h"
#include "pliant/reduce/ReducedForces.h"

namespace pliant {

/// How a push grows and fades.
enum class PushShape {
    Constant,    ///< The whole force in each of its steps, as in the papers.
    SineSquared  ///< sin^2 from nothing to nothing: little of it goes into frequencies that its steps do not resolve.
};

/// Both bodies start at rest and take implicit Newmark steps with Newton's method to convergence, so that nothing but
/// the basis tells them apart.
struct ImpulseExperiment {
    VectorX force;        ///< 3n, N, loads on the vertices while the push lasts
    int forceSteps = 10;  ///< steps that the push lasts
    PushShape pushShape = PushShape::Constant;
    int steps = 180;                ///< of the whole experiment
    double timeStep = 1.0 / 300.0;  ///< s
    double newmarkBeta = 0.25;      ///< (1/4, 1/2): second order, no algorithmic damping
    double newmarkGamma = 0.5;
    double massDamping = 0.0;        ///< alpha, 1/s
    double stiffnessDamping = 0.0;   ///< s, on the current stiffness
    double tolerance = 1e-8;         ///< of Newton's method, residual relative to the first one of a step
    int observedVertex = 0;          ///< 0-based
    std::vector<int> fixedVertices;  ///< 0-based; empty = free body
};

/// What was seen, at the start and after every step.
struct Trajectory {
    double timeStep = 0.0;  ///< s
    Points observed;        ///< 3 x (steps + 1), displacement of the observed vertex, m; of a free body the
                            ///< deformation alone (Snapshots.h)
    VectorX strainEnergy;   ///< J
    VectorX kineticEnergy;  ///< J; of a free reduced body that of the deformation alone
    double work = 0.0;      ///< J, done by the push
    double seconds = 0.0;   ///< that the computation took
};

/// @param progress stage "full simulation". @throws Error naming the time where a step does not converge; Cancelled
Trajectory simulateFull(const FullModel& model, const ImpulseExperiment& experiment,
                        const ProgressCallback& progress = {});

/// @param forces of the reduced coordinates  @param U 3n x r, U' M U = 1, in the axes of the experiment's force
/// @param progress stage "reduced simulation". @throws Error naming the time where a step does not converge; Cancelled
Trajectory simulateReduced(const ReducedForces& forces, const MatrixX& U, const ImpulseExperiment& experiment,
                           const ProgressCallback& progress = {});

}  // namespace pliant
