// SPDX-License-Identifier: Zlib
#include "pliant/fem/FullNewmark.h"

#include "pliant/fem/SymmetricSolver.h"
#include "pliant/math/Error.h"

namespace pliant {

struct FullNewmark::State {
    const FullModel& model;
    Restriction free;
    FullNewmarkOptions options;
    SparseMatrix M;      // m x m, free coordinates
    VectorX u, v, a;     // m
    SparseMatrix fullK;  // 3n x 3n, pattern kept
    SymmetricSolver solver{SymmetricSolver::Kind::Indefinite};
    int steps = 0;

    State(const FullModel& fullModel, Restriction restriction, const FullNewmarkOptions& newmark)
        : model(fullModel), free(std::move(restriction)), options(newmark), M(free.reduced(model.massMatrix())) {
        u = v = a = VectorX::Zero(free.freeSize());
    }

    SparseMatrix stiffness(const VectorX& x) {
        model.stiffness(free.expand(x), fullK);
        return free.reduced(fullK);
    }
};

FullNewmark::FullNewmark(const FullModel& model, const Restriction& free, const FullNewmarkOptions& options)
    : m_state(std::make_unique<State>(model, free, options)) {}
FullNewmark::~FullNewmark() = default;

void FullNewmark::step(const VectorX& force) {
    State& s = *m_state;
    const FullNewmarkOptions& o = s.options;
    const double h = o.timeStep;
    const double inertia = 1.0 / (o.beta * h * h);  // du''/du
    const double drag = o.gamma / (o.beta * h);     // du'/du
    const VectorX F = s.free.reduced(force);
    const VectorX start = s.u, v0 = s.v, a0 = s.a;
    VectorX x = start;
    double firstResidual = 0.0;
    double change = 0.0;  // of x by the last iteration
    for (int i = 0; i < o.iterations; ++i) {
        const VectorX d = x - start;
        s.a = inertia * (d - h * v0) - (0.5 / o.beta - 1.0) * a0;
        s.v = v0 + h * ((1.0 - o.gamma) * a0 + o.gamma * s.a);
        const SparseMatrix K = s.stiffness(x);
        const VectorX residual = F - s.M * s.a - o.massDamping * (s.M * s.v) - o.stiffnessDamping * (K * s.v) -
                                 s.free.reduced(s.model.internalForce(s.free.expand(x)));
        const double size = residual.norm();
        if (i == 0) firstResidual = size;
        const bool atRounding = i > 0 && change <= 1e-11 * x.norm();
        if (size <= o.tolerance * firstResidual || atRounding) {
            s.u = x;
            ++s.steps;
            return;
        }
        SparseMatrix system = (inertia + o.massDamping * drag) * s.M + (1.0 + o.stiffnessDamping * drag) * K;
        if (o.stiffnessDamping > 0.0) {
            // The change of K(u) u' with u at fixed u', symmetric as a third derivative of the energy. K is quadratic
            // in u, so this central difference is exact.
            const SparseMatrix ahead = s.stiffness(x + h * s.v), behind = s.stiffness(x - h * s.v);
            system += (0.5 * o.stiffnessDamping / h) * (ahead - behind);
        }
        s.solver.factor(system);
        const VectorX correction = s.solver.solve(residual);
        change = correction.norm();
        x += correction;
    }
    throw Error("full Newmark step", "Newton's method did not converge at " + std::to_string(time() + h) + " s",
                "use a time step below " + std::to_string(h) + " s or smaller forces");
}

double FullNewmark::time() const {
    return m_state->steps * m_state->options.timeStep;
}

VectorX FullNewmark::displacement() const {
    return m_state->free.expand(m_state->u);
}

VectorX FullNewmark::velocity() const {
    return m_state->free.expand(m_state->v);
}

double FullNewmark::strainEnergy() const {
    return m_state->model.energy(displacement());
}

double FullNewmark::kineticEnergy() const {
    return 0.5 * m_state->v.dot(m_state->M * m_state->v);
}

}  // namespace pliant
