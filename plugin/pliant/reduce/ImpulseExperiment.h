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
    Constant,  ///< The whole force in each of its steps, as in the papers.
    /// Force as sin^2 from nothing to nothing: little of it goes into frequencies that its steps do not resolve.
    SineSquared
};

/// Both bodies start at rest and take implicit Newmark steps with Newton's method to convergence, so that nothing but
/// the basis tells them apart.
struct ImpulseExperiment {
    VectorX force;        ///< Loads on the vertices while the push lasts, 3n, N.
    int forceSteps = 10;  ///< Number of steps that the push lasts.
    PushShape pushShape = PushShape::Constant;
    int steps = 180;                ///< Number of steps of the whole experiment.
    double timeStep = 1.0 / 300.0;  ///< Length of a step, s.
    /// Newmark's beta; (beta, gamma) = (1/4, 1/2) is of second order, without algorithmic damping.
    double newmarkBeta = 0.25;
    double newmarkGamma = 0.5;
    double massDamping = 0.0;       ///< Mass damping alpha, 1/s.
    double stiffnessDamping = 0.0;  ///< Stiffness damping, s, on the current stiffness.
    /// Tolerance of Newton's method, for the residual relative to the first one of a step.
    double tolerance = 1e-8;
    int observedVertex = 0;          ///< Number of the observed vertex, 0-based.
    std::vector<int> fixedVertices;  ///< Numbers of the vertices that are held, 0-based; empty: a free body.
};

/// What was seen, at the start and after every step.
struct Trajectory {
    double timeStep = 0.0;  ///< Length of a step, s.
    Points observed;        ///< Displacement of the observed vertex, 3 x (steps + 1), m; of a free body the
                            ///< deformation alone (Snapshots.h).
    VectorX strainEnergy;   ///< Strain energy, J.
    VectorX kineticEnergy;  ///< Kinetic energy, J; of a free reduced body that of the deformation alone.
    double work = 0.0;      ///< Work done by the push, J.
    double seconds = 0.0;   ///< Time that the computation took, s.
};

/// @param progress stage "full simulation". @throws Error naming the time where a step does not converge; Cancelled
Trajectory simulateFull(const FullModel& model, const ImpulseExperiment& experiment,
                        const ProgressCallback& progress = {});

/// @param forces of the reduced coordinates  @param U 3n x r, U' M U = 1, in the axes of the experiment's force
/// @param progress stage "reduced simulation". @throws Error naming the time where a step does not converge; Cancelled
Trajectory simulateReduced(const ReducedForces& forces, const MatrixX& U, const ImpulseExperiment& experiment,
                           const ProgressCallback& progress = {});

}  // namespace pliant
