// SPDX-License-Identifier: Zlib
// What a block of bodies does in its Newton iterations, before and behind the linear systems (BlockSolve.cpp).
#include "pliant/runtime/integrators/BlockStep.h"

#include <algorithm>
#include <cmath>

#include "pliant/runtime/BodyTerms.h"
#include "pliant/runtime/energy/EnergyGuard.h"
#include "pliant/runtime/integrators/BodyStep.h"
#include "pliant/runtime/integrators/ReusedTangent.h"

namespace pliant {

using kernels::lanes;

namespace {

void gatherPositions(const BlockStep& step, GroupScratch& group) {
    BatchStorage& batch = step.storage;
    std::fill_n(group.rows.data(), group.rows.size(), 0.0);
    std::fill_n(group.weights.data(), group.weights.size(), 0.0);
    group.moving.fill(false);
    for (int lane = 0; lane < group.count; ++lane) {
        const double* q = batch.vector(batch.q, group.bodies[lane]);
        for (int j = 0; j < batch.r; ++j) group.q0[j * lanes + lane] = group.q[j * lanes + lane] = q[j];
    }
}

/// Centrifugal weights and the coupling block of one lane.
void gatherFrame(const BlockStep& step, GroupScratch& group, int lane) {
    BatchStorage& batch = step.storage;
    const int body = group.bodies[lane];
    const std::array<double, 6> weights = centrifugalWeights(batch.record(body).endAngularVelocity);
    for (std::size_t c = 0; c < 6; ++c) group.weights.data()[c * lanes + static_cast<std::size_t>(lane)] = weights[c];
    if (!batch.reacts()) return;  // the columns of driven frames are zero
    const double* columns = batch.threeColumns(batch.couplingColumns, body);
    for (int c = 0; c < 3; ++c)
        for (int j = 0; j < batch.r; ++j) group.coupling[c][j * lanes + lane] = columns[c * batch.stride + j];
}

/// D(q) q' to the force and gamma h D(q) to the system of every lane; D's own derivative is left out.
void addStrainRate(const BlockStep& step, GroupScratch& group) {
    BatchStorage& batch = step.storage;
    BlockScratch& block = step.block;
    const int r = batch.r, n = batch.coefficients.systemRows;
    double *q = block.strainRate.vectors.data() + r, *v = q + r, *force = block.vectors.data();
    for (int lane = 0; lane < group.count; ++lane) {
        for (int j = 0; j < r; ++j) {
            q[j] = group.q[j * lanes + lane];
            v[j] = group.v[j * lanes + lane];
            force[j] = 0.0;
        }
        const double* entry = addStrainRate(batch, q, v, block, force);
        for (int a = 0; a < r; ++a) {
            group.force[a * lanes + lane] += force[a];
            for (int b = a; b < r; ++b)
                group.system.data()[kernels::packedIndex(n, a, b) * lanes + lane] += step.gamma * step.h * *entry++;
        }
    }
}

}  // namespace

void gatherPositions(const BlockStep& step, const int* bodies, int count) {
    for (int g = 0; g < step.groups; ++g) {
        GroupScratch& group = step.block.groups[static_cast<std::size_t>(g)];
        group.bodies = bodies + g * lanes;
        group.count = std::min(lanes, count - g * lanes);
        gatherPositions(step, group);
    }
}

void gather(const BlockStep& step, GroupScratch& group) {
    BatchStorage& batch = step.storage;
    for (int lane = 0; lane < group.count; ++lane) {
        const int body = group.bodies[lane];
        const double* v = batch.vector(batch.v, body);
        const double *a = batch.vector(batch.a, body), *f = batch.vector(batch.f, body);
        for (int j = 0; j < batch.r; ++j) {
            const int at = j * lanes + lane;
            group.v0[at] = v[j];
            group.a0[at] = a[j];
            group.f[at] = f[j];
        }
        group.moving[static_cast<std::size_t>(lane)] = true;
        if (batch.feelsRotation()) gatherFrame(step, group, lane);
    }
}

/// K1 + K2 and K1 / 2 + K2 / 3 of every body of the block: one matrix product. Of a linear model they are the zeros
/// that the memory was made with.
void evaluatePolynomial(const BlockStep& step) {
    BatchStorage& batch = step.storage;
    BlockScratch& block = step.block;
    const ModelCoefficients& model = batch.coefficients;
    if (model.linear) return;
    const auto evaluate = [&](auto* monomials, auto* tangent, auto* secant, const auto& panels, auto formMonomials,
                              auto polynomial) {
        for (int g = 0; g < step.groups; ++g)
            formMonomials(batch.r, block.groups[static_cast<std::size_t>(g)].q, monomials + g * model.columns * lanes);
        polynomial(panels.values.data(), panels.rows, batch.r, panels.columns, step.groups, monomials, tangent, secant);
    };
    if (model.doublePrecision)
        evaluate(block.doubleMonomials.data(), block.doubleTangent.data(), block.doubleSecant.data(),
                 model.doublePanels, batch.table->monomialsDouble, batch.table->polynomialDouble);
    else
        evaluate(block.singleMonomials.data(), block.singleTangent.data(), block.singleSecant.data(),
                 model.singlePanels, batch.table->monomialsSingle, batch.table->polynomialSingle);
}

std::array<double, kernels::lanes> strainEnergies(const BlockStep& step, const GroupScratch& group, int index) {
    BatchStorage& batch = step.storage;
    BlockScratch& block = step.block;
    std::array<double, lanes> energy{};
    if (batch.coefficients.linear) {
        const double* rest = batch.coefficients.restStiffness.data();
        for (int i = 0; i < batch.r; ++i)
            for (int j = i; j < batch.r; ++j, ++rest) {
                const double *x = group.q + i * lanes, *y = group.q + j * lanes;
                const double weight = (i == j ? 1.0 : 2.0) * (0.5 * *rest);
                for (std::size_t lane = 0; lane < lanes; ++lane) energy[lane] += weight * x[lane] * y[lane];
            }
        return energy;
    }
    const auto sum = [&](const auto* tangent, const auto* secant) {
        const double* rest = batch.coefficients.restStiffness.data();
        for (int i = 0; i < batch.r; ++i)
            for (int j = i; j < batch.r; ++j, ++rest, tangent += lanes, secant += lanes) {
                const double *x = group.q + i * lanes, *y = group.q + j * lanes;
                const double share = i == j ? 1.0 : 2.0;
                for (std::size_t lane = 0; lane < lanes; ++lane) {
                    // tangent gives K1 + K2, secant K1 / 2 + K2 / 3.
                    const double k =
                        0.5 * (*rest + static_cast<double>(secant[lane])) - static_cast<double>(tangent[lane]) / 12.0;
                    energy[lane] += share * k * x[lane] * y[lane];
                }
            }
    };
    const int offset = index * lanes * batch.coefficients.rows;
    if (batch.coefficients.doublePrecision)
        sum(block.doubleTangent.data() + offset, block.doubleSecant.data() + offset);
    else
        sum(block.singleTangent.data() + offset, block.singleSecant.data() + offset);
    return energy;
}

void guardEnergy(const BlockStep& step, const GroupScratch& group, int index) {
    BatchStorage& batch = step.storage;
    const std::array<double, lanes> energy = strainEnergies(step, group, index);
    for (int lane = 0; lane < group.count; ++lane) {
        batch.record(group.bodies[lane]).tangent.energy = energy[static_cast<std::size_t>(lane)];
        guardEnergy(batch, group.bodies[lane], energy[static_cast<std::size_t>(lane)]);
    }
}

void updateRates(const BlockStep& step, GroupScratch& group) {
    const double h = step.h, gamma = step.gamma, beta = step.beta;
    const double accelerationMove = 1.0 / (beta * h * h), accelerationVelocity = 1.0 / (beta * h);
    const double accelerationOld = (1.0 - 2.0 * beta) / (2.0 * beta);
    const double velocityMove = gamma / (beta * h), velocityVelocity = 1.0 - gamma / beta;
    const double velocityOld = (1.0 - gamma / (2.0 * beta)) * h;
    for (int i = 0; i < step.rows(); ++i) {
        const double move = group.q[i] - group.q0[i];
        group.a[i] = accelerationMove * move - accelerationVelocity * group.v0[i] - accelerationOld * group.a0[i];
        group.v[i] = velocityMove * move + velocityVelocity * group.v0[i] + velocityOld * group.a0[i];
    }
}

void assemble(const BlockStep& step, GroupScratch& group, int index) {
    BatchStorage& batch = step.storage;
    BlockScratch& block = step.block;
    kernels::Assembly assembly;
    assembly.r = batch.r;
    assembly.restStiffness = batch.coefficients.restStiffness.data();
    assembly.q = group.q;
    assembly.v = group.v;
    assembly.force = group.force;
    assembly.dampingProduct = group.dampingProduct;
    assembly.system = group.system.data();
    const TangentFactors factors = tangentFactors(step.storage, step.h);
    assembly.stiffnessFactor = factors.stiffness;
    assembly.dampingFactor = factors.damping;
    assembly.diagonal = factors.diagonal;
    assembly.restDamping = factors.restDamping;
    if (batch.feelsRotation()) {
        assembly.centrifugal = batch.rigidConstants.centrifugal.data();
        assembly.weights = group.weights.data();
    }
    const int offset = index * lanes * batch.coefficients.rows;
    if (batch.coefficients.doublePrecision)
        batch.table->assembleDouble(assembly, block.doubleTangent.data() + offset, block.doubleSecant.data() + offset);
    else
        batch.table->assembleSingle(assembly, block.singleTangent.data() + offset, block.singleSecant.data() + offset);
    if (batch.dampsStrainRate()) addStrainRate(step, group);
}

void measureResidual(const BlockStep& step, GroupScratch& group, bool first) {
    BatchStorage& batch = step.storage;
    const DampingSettings& damping = batch.settings.damping;
    for (int i = 0; i < step.rows(); ++i)
        group.residual[i] = group.a[i] + damping.mass * group.v[i] + damping.stiffness * group.dampingProduct[i] +
                            group.force[i] - group.f[i];
    if (batch.reacts()) {
        LaneVectors reaction = frameProducts(step, group, group.a);
        for (std::size_t lane = 0; lane < static_cast<std::size_t>(group.count); ++lane) {
            const Matrix3& inverse = batch.record(group.bodies[lane]).endInertiaInverse;
            const Vector3 g = inverse * Vector3(reaction[0][lane], reaction[1][lane], reaction[2][lane]);
            for (std::size_t c = 0; c < 3; ++c) reaction[c][lane] = g[static_cast<int>(c)];
        }
        addColumns(step, group.coupling, reaction, -1.0, group.residual);
    }
    std::array<double, lanes> square{};
    for (int row = 0; row < batch.r; ++row)
        for (int lane = 0; lane < lanes; ++lane) {
            const int i = row * lanes + lane;
            group.rhs[i] = -step.beta * step.h * step.h * group.residual[i];
            square[static_cast<std::size_t>(lane)] += group.residual[i] * group.residual[i];
        }
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        const double residual = std::sqrt(square[lane]);
        if (first)
            group.firstResidual[lane] = residual;
        else if (residual <= batch.settings.newmark.tolerance * group.firstResidual[lane])
            group.moving[lane] = false;
    }
}

void iterate(const BlockStep& step) {
    for (int iteration = 0; iteration < std::max(1, step.storage.settings.newmark.iterations); ++iteration) {
        if (iteration > 0) evaluatePolynomial(step);
        bool moving = false;
        for (int g = 0; g < step.groups; ++g) {
            GroupScratch& group = step.block.groups[static_cast<std::size_t>(g)];
            if (!group.anyMoving()) continue;
            updateRates(step, group);
            const bool shared = sharesRestTangent(step, group);
            if (shared)
                multiplyAtRest(step, group);
            else
                assemble(step, group, g);
            measureResidual(step, group, iteration == 0);
            if (group.anyMoving() && shared) solveAtRest(step, group);
            if (group.anyMoving() && !shared) solveGroup(step, group, g);
            moving = moving || group.anyMoving();
        }
        if (!moving) break;
    }
}

void scatter(const BlockStep& step, const GroupScratch& group) {
    BatchStorage& batch = step.storage;
    for (int lane = 0; lane < group.count; ++lane) {
        const int body = group.bodies[lane];
        double *q = batch.vector(batch.q, body), *v = batch.vector(batch.v, body), *a = batch.vector(batch.a, body);
        bool finite = true;
        for (int j = 0; j < batch.r; ++j) {
            const int at = j * lanes + lane;
            finite = finite && std::isfinite(group.q[at]) && std::isfinite(group.v[at]) && std::isfinite(group.a[at]);
        }
        for (int j = 0; finite && j < batch.r; ++j) {
            const int at = j * lanes + lane;
            q[j] = group.q[at];
            v[j] = group.v[at];
            a[j] = group.a[at];
        }
        if (!finite) restoreAtRest(batch, body);
    }
}

}  // namespace pliant
