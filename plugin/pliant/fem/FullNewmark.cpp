// SPDX-License-Identifier: Zlib
#include "pliant/fem/FullNewmark.h"

#include <cmath>

#include "pliant/fem/SymmetricSolver.h"
#include "pliant/math/Error.h"

namespace pliant {

namespace {

constexpr int mostHalvings = 10;        ///< of a step that does not converge
constexpr double leastShare = 1e-4;     ///< of a Newton step, in the line search
constexpr double leastProgress = 1e-4;  ///< of what the slope promises (Armijo)

}  // namespace

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

    bool advance(double h, const VectorX& F);
};

namespace {

/// One step of size h as an equation for x, the displacement at its end. With u'' and u' linear in x it says
///     r(x) = F - M u'' - (alpha M + betaK K(x)) u' - f(x) = 0.
/// Without stiffness damping r is minus the slope of the incremental potential
///     E(x) - F.x + c/2 d'M d + d'M p,  d = x - u0, c = (1 + alpha gamma h) / (beta h^2), p = the part of u'' + alpha
///     u'
/// that does not depend on x; Newton's step is cut until it falls. With stiffness damping, which has no potential, |r|
/// is.
class StepEquation {
public:
    StepEquation(FullNewmark::State& state, double h, const VectorX& F)
        : m_state(state),
          m_options(state.options),
          m_h(h),
          m_inertia(1.0 / (m_options.beta * h * h)),
          m_drag(m_options.gamma / (m_options.beta * h)),
          m_F(F) {
        const FullNewmarkOptions& o = m_options;
        const VectorX a0 = -m_inertia * h * state.v - (0.5 / o.beta - 1.0) * state.a;
        const VectorX v0 = state.v + h * ((1.0 - o.gamma) * state.a + o.gamma * a0);
        m_constant = state.M * (a0 + o.massDamping * v0);
    }

    VectorX acceleration(const VectorX& x) const {
        return m_inertia * (x - m_state.u - m_h * m_state.v) - (0.5 / m_options.beta - 1.0) * m_state.a;
    }
    VectorX velocity(const VectorX& a) const {
        return m_state.v + m_h * ((1.0 - m_options.gamma) * m_state.a + m_options.gamma * a);
    }

    /// Newton's method from the present state. @return false where it does not get there
    bool solve(VectorX& x) {
        x = m_state.u;
        double first = 0.0;
        bool atRounding = false;
        VectorX residual = residualAt(x);
        for (int i = 0; i < m_options.iterations; ++i) {
            const double size = residual.norm();
            if (i == 0) first = size;
            if (size <= m_options.tolerance * first || atRounding) return true;
            if (!std::isfinite(size)) return false;
            const VectorX correction = newtonStep(x, residual);
            const double share = lineSearch(x, residual, correction);
            if (share == 0.0) return false;
            atRounding = share == 1.0 && correction.norm() <= 1e-11 * x.norm();
        }
        return false;
    }

private:
    bool hasPotential() const { return m_options.stiffnessDamping == 0.0; }

    VectorX residualAt(const VectorX& x) {
        const VectorX a = acceleration(x), v = velocity(a);
        VectorX r = m_F - m_state.M * a - m_options.massDamping * (m_state.M * v) -
                    m_state.free.reduced(m_state.model.internalForce(m_state.free.expand(x)));
        if (hasPotential()) return r;
        m_K = m_state.stiffness(x);
        return r - m_options.stiffnessDamping * (m_K * v);
    }

    /// @param residual the last one that was computed, at x
    VectorX newtonStep(const VectorX& x, const VectorX& residual) {
        const double betaK = m_options.stiffnessDamping;
        if (hasPotential()) m_K = m_state.stiffness(x);
        SparseMatrix system = (m_inertia + m_options.massDamping * m_drag) * m_state.M + (1.0 + betaK * m_drag) * m_K;
        if (!hasPotential()) {
            // The change of K(u) u' with u at fixed u', symmetric as a third derivative of the energy. K is quadratic
            // in u, so this central difference is exact.
            const VectorX v = velocity(acceleration(x));
            const SparseMatrix ahead = m_state.stiffness(x + m_h * v), behind = m_state.stiffness(x - m_h * v);
            system += (0.5 * betaK / m_h) * (ahead - behind);
        }
        m_state.solver.factor(system);
        // Where compression makes the system indefinite, Newton's step may climb: more inertia turns it downhill.
        double more = m_inertia;
        for (int i = 0; hasPotential() && i < 8 && m_state.solver.negativePivots() > 0; ++i, more *= 4.0) {
            system += more * m_state.M;
            m_state.solver.factor(system);
        }
        return m_state.solver.solve(residual);
    }

    /// Incremental potential and the size of its terms, which bounds its rounding.
    double potential(const VectorX& x, double& scale) const {
        const VectorX d = x - m_state.u;
        const double c = m_inertia + m_options.massDamping * m_drag;
        const double terms[4] = {m_state.model.energy(m_state.free.expand(x)), -m_F.dot(x),
                                 0.5 * c * d.dot(m_state.M * d), d.dot(m_constant)};
        double sum = 0.0;
        scale = 0.0;
        for (const double term : terms) {
            sum += term;
            scale += std::abs(term);
        }
        return sum;
    }

    /// Goes from x along the Newton step, and takes the residual along.
    /// @return the share of the step that was taken, 1 where that helps, 0 where nothing does
    double lineSearch(VectorX& x, VectorX& residual, const VectorX& step) {
        const double slope = residual.dot(step), size = residual.norm();
        double scale = 0.0;
        const double start = hasPotential() ? potential(x, scale) : size;
        for (double share = 1.0; share > leastShare; share *= 0.5) {
            const VectorX trial = x + share * step;
            // Not "greater": a trial whose forces are not finite is refused, too.
            if (hasPotential() && !(potential(trial, scale) <= start - leastProgress * share * slope + 1e-12 * scale))
                continue;
            VectorX left = residualAt(trial);
            if (!hasPotential() && !(left.norm() <= (1.0 - leastProgress * share) * size + rounding(trial))) continue;
            x = trial;
            residual = std::move(left);
            return share;
        }
        return 0.0;
    }

    /// What rounding leaves of forces that balance.
    double rounding(const VectorX& x) const {
        return 1e-12 * (m_F.norm() + m_inertia * (m_state.M * (x - m_state.u)).norm() + m_constant.norm());
    }

    FullNewmark::State& m_state;
    const FullNewmarkOptions& m_options;
    double m_h;
    double m_inertia;  // du''/du
    double m_drag;     // du'/du
    const VectorX& m_F;
    VectorX m_constant;  // M p
    SparseMatrix m_K;    // m x m, K where the last residual (with stiffness damping) or Newton step was computed
};

}  // namespace

bool FullNewmark::State::advance(double h, const VectorX& F) {
    StepEquation equation(*this, h, F);
    VectorX x;
    if (!equation.solve(x)) return false;
    const VectorX nextA = equation.acceleration(x);
    v = equation.velocity(nextA);
    a = nextA;
    u = x;
    return true;
}

FullNewmark::FullNewmark(const FullModel& model, const Restriction& free, const FullNewmarkOptions& options)
    : m_state(std::make_unique<State>(model, free, options)) {}
FullNewmark::~FullNewmark() = default;

void FullNewmark::step(const VectorX& force) {
    State& s = *m_state;
    const double h = s.options.timeStep;
    const VectorX F = s.free.reduced(force), u = s.u, v = s.v, a = s.a;
    // A step that does not converge is cut in halves: the whole of it, so that all its parts are of one size.
    for (int halvings = 0; halvings <= mostHalvings; ++halvings) {
        const int parts = 1 << halvings;
        int done = 0;
        while (done < parts && s.advance(h / parts, F)) ++done;
        if (done == parts) {
            ++s.steps;
            return;
        }
        s.u = u;
        s.v = v;
        s.a = a;
    }
    throw Error("full Newmark step",
                "Newton's method did not converge at " + std::to_string(time() + h) + " s, even in " +
                    std::to_string(1 << mostHalvings) + " parts of a step",
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
