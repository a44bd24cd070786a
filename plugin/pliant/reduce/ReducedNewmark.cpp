// SPDX-License-Identifier: Zlib
#include "pliant/reduce/ReducedNewmark.h"

#include "pliant/basis/DenseSolvers.h"
#include "pliant/math/Error.h"

namespace pliant {
namespace {

constexpr int mostIterations = 60;

}  // namespace

ReducedNewmark::ReducedNewmark(const ReducedForces& forces, const ImpulseExperiment& experiment)
    : m_forces(forces), m_options(experiment) {
    m_q = m_v = m_a = VectorX::Zero(forces.dimension());
}

void ReducedNewmark::step(const VectorX& f) {
    const ImpulseExperiment& o = m_options;
    const double h = o.timeStep;
    const double inertia = 1.0 / (o.newmarkBeta * h * h);      // dq''/dq
    const double drag = o.newmarkGamma / (o.newmarkBeta * h);  // dq'/dq
    const VectorX start = m_q, v0 = m_v, a0 = m_a;
    VectorX q = start, R, unused;
    MatrixX K, ahead, behind;
    double firstResidual = 0.0, change = 0.0;
    for (int i = 0; i < mostIterations; ++i) {
        const VectorX d = q - start;
        m_a = inertia * (d - h * v0) - (0.5 / o.newmarkBeta - 1.0) * a0;
        m_v = v0 + h * ((1.0 - o.newmarkGamma) * a0 + o.newmarkGamma * m_a);
        m_forces.evaluate(q, R, K);
        const VectorX residual = f - m_a - o.massDamping * m_v - o.stiffnessDamping * (K * m_v) - R;
        const double size = residual.norm();
        if (i == 0) firstResidual = size;
        if (size <= o.tolerance * firstResidual || (i > 0 && change <= 1e-11 * q.norm())) {
            m_q = q;
            ++m_steps;
            return;
        }
        MatrixX system = (1.0 + o.stiffnessDamping * drag) * K;
        system.diagonal().array() += inertia + o.massDamping * drag;
        if (o.stiffnessDamping > 0.0) {
            // The change of K(q) q' with q: K is quadratic in q, so the central difference is exact.
            m_forces.evaluate(q + h * m_v, unused, ahead);
            m_forces.evaluate(q - h * m_v, unused, behind);
            system += (0.5 * o.stiffnessDamping / h) * (ahead - behind);
        }
        const VectorX correction = solveSymmetric(std::move(system), residual);
        change = correction.norm();
        q += correction;
    }
    throw Error("reduced Newmark step",
                "Newton's method did not converge at " + std::to_string((m_steps + 1) * h) + " s",
                "use a time step below " + std::to_string(h) + " s or smaller forces");
}

}  // namespace pliant
