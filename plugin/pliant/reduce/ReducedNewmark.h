// SPDX-License-Identifier: Zlib
// Implicit Newmark [BJ05 app. C] in reduced coordinates with Newton's method to convergence: the offline measure of a
// basis. (Bodies in a running world are stepped by pliant/runtime.)
#pragma once

#include "pliant/reduce/ImpulseExperiment.h"

namespace pliant {

class ReducedNewmark {
public:
    /// Starts at rest. Keeps references; takes step, Newmark's parameters, damping and tolerance of the experiment.
    ReducedNewmark(const ReducedForces& forces, const ImpulseExperiment& experiment);

    /// One step under the reduced force f (r). @throws Error where Newton's method does not converge
    void step(const VectorX& f);

    const VectorX& coordinates() const { return m_q; }  ///< Reduced coordinates q, r of them.
    const VectorX& velocities() const { return m_v; }   ///< Velocities q' of the r reduced coordinates.

private:
    const ReducedForces& m_forces;
    const ImpulseExperiment& m_options;
    VectorX m_q, m_v, m_a;
    int m_steps = 0;
};

}  // namespace pliant
