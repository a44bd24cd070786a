// SPDX-License-Identifier: Zlib
// The free step: implicit Newmark [BJ05 app. C] of a block of bodies, 16 side by side.
//
//     q''_1 + D q'_1 + R(q_1) = f,   D = alpha + beta_damping K,   S = Y^-1 = 1 + gamma h D + beta h^2 K
//
// in Newton steps S dq = -beta h^2 (residual), starting from q_1 = q_0. Forces of inertia act as part of f.
#include <cmath>

#include "pliant/runtime/BatchState.h"
#include "pliant/runtime/SymmetricSystem.h"

namespace pliant {
namespace {

using kernels::lanes;

/// A block of groups on its way through a step.
struct BlockStep {
    BatchState& state;
    BlockScratch& block;
    double h, gamma, beta;
    int groups;

    int rows() const { return state.r * lanes; }

    void gather(GroupScratch& group) const;
    void updateRates(GroupScratch& group) const;
    void evaluatePolynomial() const;
    void assemble(GroupScratch& group, int index) const;
    void measureResidual(GroupScratch& group, bool first) const;
    void solve(GroupScratch& group, int index) const;
    void keepSystem(const GroupScratch& group, unsigned chosen) const;
    void keepFactors(const GroupScratch& group, unsigned failed) const;
    void solvePivoted(GroupScratch& group, int lane) const;
    void scatter(const GroupScratch& group) const;
};

void BlockStep::gather(GroupScratch& group) const {
    std::fill_n(group.rows.data(), group.rows.size(), 0.0);
    group.moving.fill(false);
    for (int lane = 0; lane < group.count; ++lane) {
        const int body = group.bodies[lane];
        const double *q = state.vector(state.q, body), *v = state.vector(state.v, body);
        const double *a = state.vector(state.a, body), *f = state.vector(state.f, body);
        for (int j = 0; j < state.r; ++j) {
            const int at = j * lanes + lane;
            group.q0[at] = group.q[at] = q[j];
            group.v0[at] = v[j];
            group.a0[at] = a[j];
            group.f[at] = f[j];
        }
        group.moving[static_cast<std::size_t>(lane)] = true;
    }
}

/// q' and q'' that belong to the present q.
void BlockStep::updateRates(GroupScratch& group) const {
    const double accelerationMove = 1.0 / (beta * h * h), accelerationVelocity = 1.0 / (beta * h);
    const double accelerationOld = (1.0 - 2.0 * beta) / (2.0 * beta);
    const double velocityMove = gamma / (beta * h), velocityVelocity = 1.0 - gamma / beta;
    const double velocityOld = (1.0 - gamma / (2.0 * beta)) * h;
    for (int i = 0; i < rows(); ++i) {
        const double move = group.q[i] - group.q0[i];
        group.a[i] = accelerationMove * move - accelerationVelocity * group.v0[i] - accelerationOld * group.a0[i];
        group.v[i] = velocityMove * move + velocityVelocity * group.v0[i] + velocityOld * group.a0[i];
    }
}

/// K1 + K2 and K1 / 2 + K2 / 3 of every body of the block: one matrix product.
void BlockStep::evaluatePolynomial() const {
    const ModelCoefficients& model = state.coefficients;
    const auto evaluate = [&](auto* monomials, auto* tangent, auto* secant, const auto& panels, auto formMonomials,
                              auto polynomial) {
        for (int g = 0; g < groups; ++g)
            formMonomials(state.r, block.groups[static_cast<std::size_t>(g)].q, monomials + g * model.columns * lanes);
        polynomial(panels.values.data(), panels.rows, state.r, panels.columns, groups, monomials, tangent, secant);
    };
    if (model.doublePrecision)
        evaluate(block.doubleMonomials.data(), block.doubleTangent.data(), block.doubleSecant.data(),
                 model.doublePanels, state.table->monomialsDouble, state.table->polynomialDouble);
    else
        evaluate(block.singleMonomials.data(), block.singleTangent.data(), block.singleSecant.data(),
                 model.singlePanels, state.table->monomialsSingle, state.table->polynomialSingle);
}

void BlockStep::assemble(GroupScratch& group, int index) const {
    const DampingSettings& damping = state.settings.damping;
    kernels::Assembly assembly;
    assembly.r = state.r;
    assembly.restStiffness = state.coefficients.restStiffness.data();
    assembly.q = group.q;
    assembly.v = group.v;
    assembly.force = group.force;
    assembly.dampingProduct = group.dampingProduct;
    assembly.system = group.system.data();
    assembly.stiffnessFactor = beta * h * h;
    assembly.dampingFactor = gamma * h * damping.stiffness;
    assembly.diagonal = 1.0 + gamma * h * damping.mass;
    assembly.restDamping = damping.form == DampingForm::RestStiffness;
    const int offset = index * lanes * state.coefficients.rows;
    if (state.coefficients.doublePrecision)
        state.table->assembleDouble(assembly, block.doubleTangent.data() + offset, block.doubleSecant.data() + offset);
    else
        state.table->assembleSingle(assembly, block.singleTangent.data() + offset, block.singleSecant.data() + offset);
}

/// rhs = -beta h^2 (q'' + D q' + R - f); lanes whose residual has become small enough stop.
void BlockStep::measureResidual(GroupScratch& group, bool first) const {
    const DampingSettings& damping = state.settings.damping;
    std::array<double, lanes> square{};
    for (int row = 0; row < state.r; ++row)
        for (int lane = 0; lane < lanes; ++lane) {
            const int i = row * lanes + lane;
            const double residual = group.a[i] + damping.mass * group.v[i] +
                                    damping.stiffness * group.dampingProduct[i] + group.force[i] - group.f[i];
            group.rhs[i] = -beta * h * h * residual;
            square[static_cast<std::size_t>(lane)] += residual * residual;
        }
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        const double residual = std::sqrt(square[lane]);
        if (first)
            group.firstResidual[lane] = residual;
        else if (residual <= state.settings.newmark.tolerance * group.firstResidual[lane])
            group.moving[lane] = false;
    }
}

/// One Newton step of the moving lanes.
void BlockStep::solve(GroupScratch& group, int index) const {
    const int n = state.coefficients.systemRows;
    if (identityShare(gamma, beta) != 0.0) keepSystem(group, ~0u);
    const unsigned failed = state.table->factor(n, group.system.data());
    keepFactors(group, failed);
    state.table->solve(n, group.system.data(), group.rhs);
    unsigned fallback = 0;
    for (int lane = 0; lane < group.count; ++lane)
        if (group.moving[static_cast<std::size_t>(lane)]) fallback |= failed & (1u << lane);
    if (fallback) {
        // Factorisation and solution were in place: form the failed lanes' equations once more.
        assemble(group, index);
        keepSystem(group, fallback);
        for (int lane = 0; lane < group.count; ++lane)
            if (fallback >> lane & 1u) solvePivoted(group, lane);
    }
    for (int row = 0; row < state.r; ++row)
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const std::size_t i = static_cast<std::size_t>(row * lanes) + lane;
            if (group.moving[lane]) group.q[i] += group.rhs[i];
        }
}

/// Copies S of the chosen moving lanes to their bodies.
void BlockStep::keepSystem(const GroupScratch& group, unsigned chosen) const {
    const int size = kernels::packedSize(state.coefficients.systemRows);
    for (int lane = 0; lane < group.count; ++lane) {
        if (!group.moving[static_cast<std::size_t>(lane)] || !(chosen >> lane & 1u)) continue;
        double* target = state.system(group.bodies[lane]);
        for (int i = 0; i < size; ++i) target[i] = group.system.data()[i * lanes + lane];
    }
}

void BlockStep::keepFactors(const GroupScratch& group, unsigned failed) const {
    const int size = kernels::packedSize(state.coefficients.systemRows);
    for (int lane = 0; lane < group.count; ++lane) {
        if (!group.moving[static_cast<std::size_t>(lane)] || (failed >> lane & 1u)) continue;
        double* target = state.factor(group.bodies[lane]);
        for (int i = 0; i < size; ++i) target[i] = group.system.data()[i * lanes + lane];
        state.record(group.bodies[lane]).pivoted = false;
    }
}

/// The Newton step of one lane whose system is indefinite; keeps the inverse for the response.
void BlockStep::solvePivoted(GroupScratch& group, int lane) const {
    const int n = state.coefficients.systemRows, body = group.bodies[lane];
    const DampingSettings& damping = state.settings.damping;
    double* move = block.vectors.data();
    double* rhs = move + kernels::roundUp(n, kernels::panelRows);
    for (int j = 0; j < n; ++j) {
        const int i = j * lanes + lane;
        rhs[j] = -beta * h * h *
                 (group.a[i] + damping.mass * group.v[i] + damping.stiffness * group.dampingProduct[i] +
                  group.force[i] - group.f[i]);
    }
    for (int j = state.r; j < n; ++j) rhs[j] = 0.0;
    const bool regular = invertIndefinite(n, state.system(body), state.factor(body), block.dense.data());
    if (regular) multiplySymmetric(n, state.factor(body), rhs, move);
    // A singular system has no answer; the finite check at the end of the step puts the body back.
    for (int j = 0; j < state.r; ++j) group.rhs[j * lanes + lane] = regular ? move[j] : std::nan("");
    state.record(body).pivoted = true;
    state.record(body).status = BodyStatus::PivotedFactorisation;
}

/// Writes the new state, or the old one at rest where the new one is not finite.
void BlockStep::scatter(const GroupScratch& group) const {
    for (int lane = 0; lane < group.count; ++lane) {
        const int body = group.bodies[lane];
        double *q = state.vector(state.q, body), *v = state.vector(state.v, body), *a = state.vector(state.a, body);
        bool finite = true;
        for (int j = 0; j < state.r; ++j) {
            const int at = j * lanes + lane;
            finite = finite && std::isfinite(group.q[at]) && std::isfinite(group.v[at]) && std::isfinite(group.a[at]);
        }
        for (int j = 0; j < state.r; ++j) {
            const int at = j * lanes + lane;
            const double last = std::isfinite(group.q0[at]) ? group.q0[at] : 0.0;
            q[j] = finite ? group.q[at] : last;
            v[j] = finite ? group.v[at] : 0.0;
            a[j] = finite ? group.a[at] : 0.0;
        }
        if (!finite) state.restoreAtRest(body);
    }
}

}  // namespace

void BatchState::prepareBody(int body, double h, BlockScratch& block) {
    BodyRecord& state = record(body);
    const bool turning = feelsRotation();
    if (turning) rotateHalf(state.frame.angularVelocity, h, vector(v, body), block);
    std::copy_n(vector(v, body), r, vector(startVelocity, body));
    addInertialForces(body, h);
    state.status = BodyStatus::Ok;
    state.stepSize = h;
    state.gamma = settings.newmark.gamma;
    state.beta = settings.newmark.beta();
    state.angularResponseValid = false;
}

void BatchState::finishBody(int body, double h, BlockScratch& block) {
    BodyRecord& state = record(body);
    if (feelsRotation()) rotateHalf(state.frame.angularVelocity, h, vector(v, body), block);
    state.previousAngularVelocity = state.frame.angularVelocity;
    state.rigidValid = false;
    std::fill_n(vector(f, body), r, 0.0);
}

/// At rest with the identity for a factor, so that contact rows stay finite too.
void BatchState::restoreAtRest(int body) {
    BodyRecord& state = record(body);
    state.status = BodyStatus::RestoredLastState;
    state.pivoted = false;
    const int n = coefficients.systemRows;
    std::fill_n(factor(body), factorStride, 0.0);
    for (int j = 0; j < n; ++j)
        factor(body)[kernels::packedIndex(n, j, j)] = system(body)[kernels::packedIndex(n, j, j)] = 1.0;
    std::fill_n(vector(startVelocity, body), r, 0.0);
}

void BatchState::stepBlock(double h, const int* bodies, int count) {
    BlockScratch& block = takeScratch();
    for (int i = 0; i < count; ++i) prepareBody(bodies[i], h, block);
    const BlockStep step{*this, block, h, settings.newmark.gamma, settings.newmark.beta(), (count + lanes - 1) / lanes};
    for (int g = 0; g < step.groups; ++g) {
        GroupScratch& group = block.groups[static_cast<std::size_t>(g)];
        group.bodies = bodies + g * lanes;
        group.count = std::min(lanes, count - g * lanes);
        step.gather(group);
    }
    for (int iteration = 0; iteration < std::max(1, settings.newmark.iterations); ++iteration) {
        step.evaluatePolynomial();
        bool moving = false;
        for (int g = 0; g < step.groups; ++g) {
            GroupScratch& group = block.groups[static_cast<std::size_t>(g)];
            if (!group.anyMoving()) continue;
            step.updateRates(group);
            step.assemble(group, g);
            step.measureResidual(group, iteration == 0);
            if (group.anyMoving()) step.solve(group, g);
            moving = moving || group.anyMoving();
        }
        if (!moving) break;
    }
    for (int g = 0; g < step.groups; ++g) {
        GroupScratch& group = block.groups[static_cast<std::size_t>(g)];
        step.updateRates(group);
        step.scatter(group);
    }
    for (int i = 0; i < count; ++i) finishBody(bodies[i], h, block);
    giveScratch(block);
}

}  // namespace pliant
