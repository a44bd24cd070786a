// SPDX-License-Identifier: Zlib
// Integrator::Static: q is the equilibrium R(q) + sum_c w_c (s_c + sym(S)_c q) = f under the forces of the step (the
// second term is centrifugal, [S]; InertialForces.cpp). Newton's method; a step is halved until the potential energy
// falls, and where the stiffness is indefinite some of the identity is added to it.
//
// Contacts. A constant force P / h over the step moves the equilibrium by K^-1 P / h, which as a velocity is dq / h:
// the body answers with Y = (h^2 K)^-1, and q moves by h dq'. Every step starts at rest. A frame of mass m that meets a
// wall through such a spring with the impulse P, P - dP in the step before, comes from v* to v_1 = -dq / h and
//
//     E_1 - E_0 = P (v* - v_1) / 2 + dP v_1 / 2 <= 0,
//
// for P >= 0 pushes it away, v* <= v_1, and it grows while v_1 < 0.
#include <algorithm>
#include <cmath>

#include "pliant/runtime/BodyTerms.h"
#include "pliant/runtime/SymmetricSystem.h"
#include "pliant/runtime/integrators/BodyStep.h"
#include "pliant/runtime/integrators/IntegratorTable.h"
#include "pliant/runtime/response/BatchResponse.h"

namespace pliant {
namespace {

constexpr int mostIterations = 40;
constexpr int mostHalvings = 12;

/// The search for the equilibrium of one body.
struct EquilibriumSearch {
    EquilibriumSearch(BatchStorage& owner, BlockScratch& scratch, int number)
        : storage(owner),
          block(scratch),
          body(number),
          r(owner.r),
          n(owner.coefficients.systemRows),
          rows(kernels::roundUp(n, kernels::panelRows)),
          spins(owner.settings.coupling == Coupling::Full &&
                owner.record(number).frame.angularVelocity.squaredNorm() > 0.0) {
        double* memory = block.oneRows.data();
        for (double** array : {&gradient, &move, &best, &damping}) {
            *array = memory;
            memory += rows;
        }
        if (spins) weights = centrifugalWeights(owner.record(number).frame.angularVelocity);
    }

    BatchStorage& storage;
    BlockScratch& block;
    const int body, r, n, rows;
    const bool spins;
    std::array<double, 6> weights{};
    double *gradient, *move, *best, *damping;  ///< rows each
};

/// Potential energy at the present q, J, and its gradient.
double evaluate(EquilibriumSearch& search) {
    BatchStorage& batch = search.storage;
    const int r = search.r, body = search.body;
    const ConstVectorView x(batch.vector(batch.q, body), r), force(batch.vector(batch.f, body), r);
    double energy = elasticForce(batch, body, search.block, search.gradient, search.damping) - force.dot(x);
    VectorView g(search.gradient, r);
    g -= force;
    if (!search.spins) return energy;
    const double* entry = batch.rigidConstants.centrifugal.data();
    for (int i = 0; i < r; ++i)
        for (int j = i; j < r; ++j, entry += 6) {
            double k = 0.0;
            for (std::size_t c = 0; c < 6; ++c) k += search.weights[c] * entry[c];
            energy += (i == j ? 0.5 : 1.0) * k * x[i] * x[j];
            g[i] += k * x[j];
            if (i != j) g[j] += k * x[i];
        }
    for (int c = 0; c < 6; ++c) {
        const auto s = batch.rigidConstants.firstMoments.col(c);
        energy += search.weights[static_cast<std::size_t>(c)] * s.dot(x);
        g += search.weights[static_cast<std::size_t>(c)] * s;
    }
    return energy;
}

/// Its Hessian, packed n (the identity beyond r), after evaluate().
void stiffness(const EquilibriumSearch& search, double* packed) {
    BatchStorage& batch = search.storage;
    BlockScratch& block = search.block;
    const ModelCoefficients& model = batch.coefficients;
    const double *rest = model.restStiffness.data(), *entry = batch.rigidConstants.centrifugal.data();
    for (int a = 0, pair = 0; a < search.n; ++a)
        for (int b = a; b < search.n; ++b, ++packed) {
            *packed = a == b ? 1.0 : 0.0;
            if (b >= search.r) continue;
            *packed = rest[pair] + (model.doublePrecision ? block.doubleTangent.data()[pair]
                                                          : static_cast<double>(block.singleTangent.data()[pair]));
            for (std::size_t c = 0; search.spins && c < 6; ++c)
                *packed += search.weights[c] * entry[6 * pair + static_cast<int>(c)];
            ++pair;
        }
}

/// Factors the Hessian, with as much of the identity added as makes it positive definite (Levenberg). @return false
/// when it is not finite
bool factorise(EquilibriumSearch& search) {
    BatchStorage& batch = search.storage;
    const int r = search.r;
    double* packed = batch.factor(search.body);
    double size = 0.0;
    for (int a = 0; a < r; ++a)
        size += std::abs(batch.coefficients.restStiffness.data()[kernels::packedIndex(r, a, a)]);
    size /= r;
    for (double shift = 0.0; shift < 1e9; shift = std::max(1e-3, 4.0 * shift)) {
        stiffness(search, packed);
        for (int a = 0; a < r; ++a) packed[kernels::packedIndex(search.n, a, a)] += shift * size;
        if (factorPositive(search.n, packed)) return true;
        batch.record(search.body).status = BodyStatus::NegativeStiffness;
    }
    return false;
}

/// move <- -Hessian^-1 gradient, downhill. @return false when nothing can be made of it
bool direction(EquilibriumSearch& search) {
    if (!factorise(search)) return false;
    std::fill(search.move, search.move + search.rows, 0.0);
    VectorView(search.move, search.r) = -ConstVectorView(search.gradient, search.r);
    solveFactored(search.n, search.storage.factor(search.body), search.move);
    return true;
}

/// Goes along `move` as far as the energy falls enough (Armijo). @return the energy there, with its gradient
double lineSearch(EquilibriumSearch& search, double energy) {
    BatchStorage& batch = search.storage;
    const int r = search.r;
    VectorView x(batch.vector(batch.q, search.body), r);
    std::copy_n(x.data(), r, search.best);
    const double slope = ConstVectorView(search.gradient, r).dot(ConstVectorView(search.move, r));
    // Single precision knows the energy to this many digits only.
    const double noise = (batch.coefficients.doublePrecision ? 1e-14 : 1e-6) * std::abs(energy);
    double length = 1.0, reached = energy;
    for (int halving = 0; halving <= mostHalvings; ++halving, length *= 0.5) {
        x = ConstVectorView(search.best, r) + length * ConstVectorView(search.move, r);
        reached = evaluate(search);
        if (reached <= energy + 1e-4 * length * slope + noise) return reached;
    }
    x = ConstVectorView(search.best, r);
    return evaluate(search);
}

bool solve(EquilibriumSearch& search) {
    BatchStorage& batch = search.storage;
    const int r = search.r;
    double* gradient = search.gradient;
    std::fill(gradient, gradient + search.rows, 0.0);
    double energy = evaluate(search);
    // The forces that balance each other: what a residual is small against.
    const double scale = std::max(
        {ConstVectorView(batch.vector(batch.f, search.body), r).norm(),
         (ConstVectorView(gradient, r) + ConstVectorView(batch.vector(batch.f, search.body), r)).norm(), 1e-12});
    const double precise = batch.coefficients.doublePrecision ? 1e-12 : 1e-6;
    const double enough = std::max(batch.settings.newmark.tolerance, precise) * scale;
    for (int iteration = 0; iteration < mostIterations; ++iteration) {
        if (ConstVectorView(gradient, r).norm() <= enough) return true;
        if (!direction(search)) return false;
        const double before = ConstVectorView(gradient, r).norm();
        const double reached = lineSearch(search, energy);
        const double after = ConstVectorView(gradient, r).norm();
        if (!std::isfinite(reached)) return false;
        if (reached >= energy && after >= before) return after <= 1e3 * enough;  // as near as the digits allow
        energy = reached;
    }
    return ConstVectorView(gradient, r).norm() <= 1e3 * enough;
}

void stepStatic(BatchStorage& batch, double h, int body) {
    BlockScratch& block = acquireScratch(batch);
    BodyRecord& state = batch.record(body);
    state.ledger.known = false;
    std::fill_n(batch.vector(batch.v, body), batch.r, 0.0);
    std::fill_n(batch.vector(batch.a, body), batch.r, 0.0);
    prepareBody(batch, body, h, block);
    state.gamma = 0.5;
    state.beta = 0.25;
    EquilibriumSearch search(batch, block, body);
    const bool found = solve(search);
    VectorView position(batch.vector(batch.q, body), batch.r);
    if (position.allFinite() && ConstVectorView(search.gradient, batch.r).allFinite()) {
        if (!found) state.status = BodyStatus::NoEquilibrium;
        VectorView(batch.vector(batch.v, body), batch.r) =
            1.0 / h * (position - ConstVectorView(batch.vector(batch.rowPosition, body), batch.r));
        state.inverted = false;
        if (factorise(search)) {  // and with it Y: S = h^2 K = U'U, 1 / U_aa on the diagonal
            const int n = batch.coefficients.systemRows;
            double* U = batch.factor(body);
            for (int row = 0; row < n; ++row)
                for (int column = row; column < n; ++column) *U++ *= row == column ? 1.0 / h : h;
        } else {
            restoreAtRest(batch, body);
        }
    } else {
        std::copy_n(batch.vector(batch.rowPosition, body), batch.r, position.data());
        restoreAtRest(batch, body);
    }
    finishBody(batch, body, h, block);
    std::fill_n(batch.vector(batch.a, body), batch.r, 0.0);
    releaseScratch(block);
}

void stepStaticBodies(BatchStorage& batch, double h, const int* bodies, int count, const Workers& workers) {
    struct Job {
        BatchStorage* batch;
        const int* bodies;
        double h;
    } job{&batch, bodies, h};
    workers.forBlocks(count, 1, [&job](int begin, int) { stepStatic(*job.batch, job.h, job.bodies[begin]); });
}

}  // namespace

// Impulses move the equilibrium, and with it q by all of h q'.
const IntegrationScheme staticScheme = {
    {Integrator::Static, "static", /*feelsRotation*/ false, /*hasInertia*/ false, /*holdsForceOverStep*/ false,
     /*expectsImpulses*/ false, /*joinsLimbs*/ false},
    [](double h, double, double) { return h; },
    [](BatchStorage& batch, int body, BlockScratch&) { std::fill_n(batch.vector(batch.a, body), batch.r, 0.0); },
    stepStaticBodies,
    nullptr,
    predictByFactor};

}  // namespace pliant
