// SPDX-License-Identifier: Zlib
#include "pliant/fem/StaticSolve.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pliant/fem/SymmetricSolver.h"
#include "pliant/math/Error.h"

namespace pliant {
namespace {

class Equilibrium {
public:
    Equilibrium(const FullModel& model, const Restriction& free, const StaticOptions& options)
        : m_model(model), m_free(free), m_options(options), m_solver(SymmetricSolver::Kind::Indefinite) {}

    /// Newton from u (free coordinates) to f(u) = load; false, with u as it was, where it does not get there.
    bool solve(const VectorX& load, VectorX& u) {
        VectorX x = u;
        VectorX residual = load - m_free.reduced(m_model.internalForce(m_free.expand(x)));
        double energy = potential(x, load);
        for (int i = 0; i < m_options.iterations; ++i) {
            m_model.stiffness(m_free.expand(x), m_K);
            const SparseMatrix K = m_free.reduced(m_K);
            if (residual.norm() <= std::max(m_options.tolerance * load.norm(), forceRounding(K, x))) {
                u = x;
                return true;
            }
            m_solver.factor(K);
            if (m_solver.negativePivots() > 0) return false;  // beyond a limit point
            const VectorX step = m_solver.solve(residual);
            if (!lineSearch(load, residual.dot(step), step, x, energy)) return false;
            residual = load - m_free.reduced(m_model.internalForce(m_free.expand(x)));
        }
        return false;
    }

private:
    double potential(const VectorX& x, const VectorX& load) const {
        return m_model.energy(m_free.expand(x)) - load.dot(x);
    }

    /// What rounding leaves of internal forces that balance exactly.
    static double forceRounding(const SparseMatrix& K, const VectorX& x) {
        return 4.0 * std::numeric_limits<double>::epsilon() * (K.cwiseAbs() * x.cwiseAbs()).norm();
    }

    /// Halves the step until the total energy falls by a share of what the slope promises (Armijo).
    bool lineSearch(const VectorX& load, double slope, const VectorX& step, VectorX& x, double& energy) const {
        for (double share = 1.0; share > 1e-6; share *= 0.5) {
            const VectorX trial = x + share * step;
            const double trialEnergy = potential(trial, load);
            const double rounding =
                1e-12 * std::abs(load.dot(trial));  // near the solution energies cannot be told apart
            if (std::isfinite(trialEnergy) && trialEnergy <= energy - 1e-4 * share * slope + rounding) {
                x = trial;
                energy = trialEnergy;
                return true;
            }
        }
        return false;
    }

    const FullModel& m_model;
    const Restriction& m_free;
    const StaticOptions& m_options;
    SymmetricSolver m_solver;
    SparseMatrix m_K;
};

}  // namespace

VectorX solveStatic(const FullModel& model, const Restriction& free, const VectorX& load,
                    const StaticOptions& options) {
    const VectorX reducedLoad = free.reduced(load);
    VectorX u = VectorX::Zero(free.freeSize());
    if (reducedLoad.norm() == 0.0) return free.expand(u);
    Equilibrium equilibrium(model, free, options);
    const double fullStep = 1.0 / options.loadSteps;
    double reached = 0.0;
    double step = fullStep;
    while (reached < 1.0) {
        const double target = std::min(1.0, reached + step * (1.0 + 1e-12));
        if (equilibrium.solve(target * reducedLoad, u)) {
            reached = target;
            continue;
        }
        step *= 0.5;
        if (step < fullStep * std::pow(0.5, options.maximumHalvings))
            throw Error("static solve", "no equilibrium found beyond " + std::to_string(reached) + " of the load",
                        "hold more vertices or use a smaller load");
    }
    return free.expand(u);
}

VectorX solveLinearStatic(const FullModel& model, const Restriction& free, const VectorX& load) {
    SymmetricSolver solver(SymmetricSolver::Kind::PositiveDefinite);
    solver.factor(free.reduced(model.restStiffness()));
    return free.expand(solver.solve(free.reduced(load)));
}

}  // namespace pliant
