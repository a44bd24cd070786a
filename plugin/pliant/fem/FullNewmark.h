// SPDX-License-Identifier: Zlib
// Implicit Newmark [BJ05 app. C] on the full model, Newton to convergence: the measure that reduced runs are held to.
//
//     M u'' + (alpha M + betaK K(u)) u' + f(u) = F
#pragma once

#include <memory>

#include "pliant/fem/FullModel.h"
#include "pliant/fem/Restriction.h"

namespace pliant {

struct FullNewmarkOptions {
    double timeStep = 0.005;  ///< Time step h, s.
    /// Newmark's beta; (beta, gamma) = (1/4, 1/2) is of second order, without algorithmic damping.
    double beta = 0.25;
    double gamma = 0.5;
    double massDamping = 0.0;       ///< Mass damping alpha, 1/s.
    double stiffnessDamping = 0.0;  ///< Stiffness damping betaK, s, on the current stiffness K(u).
    int iterations = 60;            ///< Most Newton iterations per step.
    double tolerance = 1e-11;       ///< Residual relative to the first one of the step.
};

class FullNewmark {
public:
    /// Starts at rest. Keeps a reference to `model`. @param free the coordinates that move
    FullNewmark(const FullModel& model, const Restriction& free, const FullNewmarkOptions& options);
    ~FullNewmark();

    /// One step under the external force (3n, N) at the end of the step. Newton's method with a line search on the
    /// incremental potential (with stiffness damping: on the residual); a step that does not converge is taken in 2, 4,
    /// ... equal parts under the same force. @throws Error, naming the time, where 1,024 parts do not converge either.
    void step(const VectorX& force);

    double time() const;  ///< Time since the start, s.

    VectorX displacement() const;  ///< Displacement u, 3n, m.
    VectorX velocity() const;      ///< Velocity u', 3n, m/s.
    double strainEnergy() const;   ///< Strain energy, J.
    double kineticEnergy() const;  ///< Kinetic energy, J.

    struct State;  ///< State of the integrator, private to the implementation.

private:
    std::unique_ptr<State> m_state;
};

}  // namespace pliant
