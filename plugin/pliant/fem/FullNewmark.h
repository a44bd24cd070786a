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
    double timeStep = 0.005;  ///< h, s
    double beta = 0.25;       ///< (1/4, 1/2): second order, no algorithmic damping
    double gamma = 0.5;
    double massDamping = 0.0;       ///< alpha, 1/s
    double stiffnessDamping = 0.0;  ///< betaK, s, on the current stiffness K(u)
    int iterations = 60;            ///< Newton iterations per step at most
    double tolerance = 1e-11;       ///< residual relative to the first one of the step
};

class FullNewmark {
public:
    /// Starts at rest. Keeps references to `model`; @param free the coordinates that move
    FullNewmark(const FullModel& model, const Restriction& free, const FullNewmarkOptions& options);
    ~FullNewmark();

    /// One step under the external force (3n, N) at the end of the step. Newton's method with a line search on the
    /// incremental potential (with stiffness damping: on the residual); a step that does not converge is taken in 2, 4,
    /// ... equal parts under the same force. @throws Error, naming the time, where 1,024 parts do not converge either.
    void step(const VectorX& force);

    double time() const;  ///< s since the start

    VectorX displacement() const;  ///< u, 3n, m
    VectorX velocity() const;      ///< u', 3n, m/s
    double strainEnergy() const;   ///< J
    double kineticEnergy() const;  ///< J

    struct State;  ///< private to the implementation

private:
    std::unique_ptr<State> m_state;
};

}  // namespace pliant
