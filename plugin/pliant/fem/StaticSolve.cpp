// SPDX-License-Identifier: Zlib
#include "pliant/fem/StaticSolve.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "pliant/fem/SymmetricSolver.h"
#include "pliant/math/Error.h"

namespace pliant {
namespace {

class Equilibrium {
public:
    Equilibrium(const FullModel& model, const StaticSupport& support, const StaticOptions& options)
        : m_model(model),
          m_free(support.free),
          m_options(options),
          m_rigid(support.rigid),
          m_inertia(model.massMatrix() * support.rigid),
          m_solver(SymmetricSolver::Kind::Indefinite) {}

    /// Newton from u (free coordinates) to f(u) = load; false, with u as it was, where it does not get there.
    bool solve(const VectorX& load, VectorX& u) {
        VectorX x = u;
        VectorX residual = residualOf(load, x);
        double energy = potential(x, load);
        for (int i = 0; i < m_options.iterations; ++i) {
            m_model.stiffness(m_free.expand(x), m_K);
            const SparseMatrix K = m_free.reduced(m_K);
            if (residual.norm() <= std::max(m_options.tolerance * load.norm(), forceRounding(K, x))) {
                u = x;
                return true;
            }
            VectorX step;
            if (!newtonStep(K, residual, step)) return false;
            if (!lineSearch(load, residual.dot(step), step, x, energy)) return false;
            residual = residualOf(load, x);
        }
        return false;
    }

    /// The part of a load (free coordinates) that a free body's own inertia does not balance.
    VectorX balanced(const VectorX& load) const {
        if (m_rigid.cols() == 0) return load;
        return load - m_inertia * (m_rigid.transpose() * load);
    }

private:
    VectorX residualOf(const VectorX& load, const VectorX& x) const {
        return balanced(load - m_free.reduced(m_model.internalForce(m_free.expand(x))));
    }

    double potential(const VectorX& x, const VectorX& load) const {
        return m_model.energy(m_free.expand(x)) - load.dot(x);
    }

    /// False beyond a limit point, where the stiffness is not positive definite on the motions that are allowed.
    bool newtonStep(const SparseMatrix& K, const VectorX& residual, VectorX& step) {
        const Eigen::Index m = K.cols(), held = m_rigid.cols();
        m_solver.factor(held == 0 ? K : bordered(K));
        // The saddle point of a definite stiffness has one negative eigenvalue for each condition.
        if (m_solver.negativePivots() > static_cast<int>(held)) return false;
        VectorX right = VectorX::Zero(m + held);
        right.head(m) = residual;
        step = m_solver.solve(right).head(m);
        return true;
    }

    /// [K C; C' 0] with C = s M Rg: Newton steps stay M-orthogonal to the rigid modes. s brings C to the size of K.
    SparseMatrix bordered(const SparseMatrix& K) const {
        const Eigen::Index m = K.cols(), held = m_rigid.cols();
        const double scale = K.diagonal().mean() / m_inertia.cwiseAbs().maxCoeff();
        Eigen::VectorXi sizes(m + held);
        for (Eigen::Index j = 0; j < m; ++j)
            sizes[j] = K.outerIndexPtr()[j + 1] - K.outerIndexPtr()[j] + static_cast<int>(held);
        sizes.tail(held).setConstant(static_cast<int>(m) + 1);
        SparseMatrix A(m + held, m + held);
        A.reserve(sizes);
        for (Eigen::Index j = 0; j < m; ++j) {
            for (SparseMatrix::InnerIterator it(K, j); it; ++it) A.insert(it.row(), j) = it.value();
            for (Eigen::Index c = 0; c < held; ++c) A.insert(m + c, j) = scale * m_inertia(j, c);
        }
        for (Eigen::Index c = 0; c < held; ++c) {
            for (Eigen::Index j = 0; j < m; ++j) A.insert(j, m + c) = scale * m_inertia(j, c);
            A.insert(m + c, m + c) = 0.0;
        }
        A.makeCompressed();
        return A;
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
    const MatrixX& m_rigid;
    MatrixX m_inertia;  // M Rg
    SymmetricSolver m_solver;
    SparseMatrix m_K;
};

Error noEquilibrium(double reached) {
    char percent[32];
    std::snprintf(percent, sizeof percent, "%.4g %%", 100.0 * reached);
    return Error("static solve", std::string("no equilibrium found beyond ") + percent + " of the load",
                 "hold more vertices or use a smaller load");
}

}  // namespace

std::vector<VectorX> staticPath(const FullModel& model, const StaticSupport& support, const VectorX& load,
                                const StaticOptions& options, const ProgressCallback& progress) {
    Equilibrium equilibrium(model, support, options);
    const VectorX whole = equilibrium.balanced(support.free.reduced(load));
    VectorX u = VectorX::Zero(support.free.freeSize());
    std::vector<VectorX> path;
    const double fullStep = 1.0 / options.loadSteps;
    double reached = 0.0;
    double step = fullStep;
    while (static_cast<int>(path.size()) < options.loadSteps) {
        reportProgress(progress, "static solve", reached);
        const double stop = static_cast<double>(path.size() + 1) / options.loadSteps;
        const double target = reached + step >= stop * (1.0 - 1e-12) ? stop : reached + step;
        if (whole.norm() == 0.0 || equilibrium.solve(target * whole, u)) {
            reached = target;
            step = std::min(fullStep, 2.0 * step);
            if (reached == stop) path.push_back(support.free.expand(u));
            continue;
        }
        step = 0.5 * (target - reached);
        if (step < fullStep * std::pow(0.5, options.maximumHalvings)) throw noEquilibrium(reached);
    }
    reportProgress(progress, "static solve", 1.0);
    return path;
}

VectorX solveStatic(const FullModel& model, const Restriction& free, const VectorX& load, const StaticOptions& options,
                    const ProgressCallback& progress) {
    return staticPath(model, {free, MatrixX(model.degreesOfFreedom(), 0)}, load, options, progress).back();
}

VectorX solveLinearStatic(const FullModel& model, const Restriction& free, const VectorX& load) {
    SymmetricSolver solver(SymmetricSolver::Kind::PositiveDefinite);
    solver.factor(free.reduced(model.restStiffness()));
    return free.expand(solver.solve(free.reduced(load)));
}

}  // namespace pliant
