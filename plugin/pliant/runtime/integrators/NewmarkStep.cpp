// SPDX-License-Identifier: Zlib
// The free step: implicit Newmark [BJ05 app. C] of a block of bodies, 16 side by side.
//
//     q''_1 + D q'_1 + R(q_1) = f,   D = alpha + beta_damping K,   S = Y^-1 = 1 + gamma h D + beta h^2 K
//
// in Newton steps S dq = -beta h^2 (residual), starting from q_1 = q_0; with a reacting frame S - H'I^-1 H stands for S
// (InertialForces.cpp).
#include <algorithm>
#include <cmath>

#include "pliant/runtime/integrators/BlockStep.h"

namespace pliant {

using kernels::lanes;

void BlockStep::gatherPositions(const int* bodies, int count) const {
    for (int g = 0; g < groups; ++g) {
        GroupScratch& group = block.groups[static_cast<std::size_t>(g)];
        group.bodies = bodies + g * lanes;
        group.count = std::min(lanes, count - g * lanes);
        gatherPositions(group);
    }
}

void BlockStep::gatherPositions(GroupScratch& group) const {
    std::fill_n(group.rows.data(), group.rows.size(), 0.0);
    std::fill_n(group.weights.data(), group.weights.size(), 0.0);
    group.moving.fill(false);
    for (int lane = 0; lane < group.count; ++lane) {
        const double* q = storage.vector(storage.q, group.bodies[lane]);
        for (int j = 0; j < storage.r; ++j) group.q0[j * lanes + lane] = group.q[j * lanes + lane] = q[j];
    }
}

/// Strain energy of every lane from the products of the present q, q'K1 q / 6 + q'K2 q / 12 + q'K0 q / 2.
std::array<double, kernels::lanes> BlockStep::strainEnergies(const GroupScratch& group, int index) const {
    std::array<double, lanes> energy{};
    const auto sum = [&](const auto* tangent, const auto* secant) {
        const double* rest = storage.coefficients.restStiffness.data();
        for (int i = 0; i < storage.r; ++i)
            for (int j = i; j < storage.r; ++j, ++rest, tangent += lanes, secant += lanes) {
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
    const int offset = index * lanes * storage.coefficients.rows;
    if (storage.coefficients.doublePrecision)
        sum(block.doubleTangent.data() + offset, block.doubleSecant.data() + offset);
    else
        sum(block.singleTangent.data() + offset, block.singleSecant.data() + offset);
    return energy;
}

/// Strain energy of every lane to the account of its body.
void BlockStep::guardEnergy(const GroupScratch& group, int index) const {
    const std::array<double, lanes> energy = strainEnergies(group, index);
    for (int lane = 0; lane < group.count; ++lane) {
        storage.record(group.bodies[lane]).tangent.energy = energy[static_cast<std::size_t>(lane)];
        storage.guardEnergy(group.bodies[lane], energy[static_cast<std::size_t>(lane)]);
    }
}

void BlockStep::gather(GroupScratch& group) const {
    for (int lane = 0; lane < group.count; ++lane) {
        const int body = group.bodies[lane];
        const double* v = storage.vector(storage.v, body);
        const double *a = storage.vector(storage.a, body), *f = storage.vector(storage.f, body);
        for (int j = 0; j < storage.r; ++j) {
            const int at = j * lanes + lane;
            group.v0[at] = v[j];
            group.a0[at] = a[j];
            group.f[at] = f[j];
        }
        group.moving[static_cast<std::size_t>(lane)] = true;
        if (storage.feelsRotation()) gatherFrame(group, lane);
    }
}

/// Centrifugal weights and the coupling block of one lane.
void BlockStep::gatherFrame(GroupScratch& group, int lane) const {
    const int body = group.bodies[lane];
    const std::array<double, 6> weights = centrifugalWeights(storage.record(body).endAngularVelocity);
    for (std::size_t c = 0; c < 6; ++c) group.weights.data()[c * lanes + static_cast<std::size_t>(lane)] = weights[c];
    if (!storage.reacts()) return;  // the columns of driven frames are zero
    const double* columns = storage.threeColumns(storage.couplingColumns, body);
    for (int c = 0; c < 3; ++c)
        for (int j = 0; j < storage.r; ++j) group.coupling[c][j * lanes + lane] = columns[c * storage.stride + j];
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

/// K1 + K2 and K1 / 2 + K2 / 3 of every body of the block: one matrix product. Of a linear model they are the zeros
/// that the memory was made with.
void BlockStep::evaluatePolynomial() const {
    const ModelCoefficients& model = storage.coefficients;
    if (model.linear) return;
    const auto evaluate = [&](auto* monomials, auto* tangent, auto* secant, const auto& panels, auto formMonomials,
                              auto polynomial) {
        for (int g = 0; g < groups; ++g)
            formMonomials(storage.r, block.groups[static_cast<std::size_t>(g)].q,
                          monomials + g * model.columns * lanes);
        polynomial(panels.values.data(), panels.rows, storage.r, panels.columns, groups, monomials, tangent, secant);
    };
    if (model.doublePrecision)
        evaluate(block.doubleMonomials.data(), block.doubleTangent.data(), block.doubleSecant.data(),
                 model.doublePanels, storage.table->monomialsDouble, storage.table->polynomialDouble);
    else
        evaluate(block.singleMonomials.data(), block.singleTangent.data(), block.singleSecant.data(),
                 model.singlePanels, storage.table->monomialsSingle, storage.table->polynomialSingle);
}

void BlockStep::assemble(GroupScratch& group, int index) const {
    kernels::Assembly assembly;
    assembly.r = storage.r;
    assembly.restStiffness = storage.coefficients.restStiffness.data();
    assembly.q = group.q;
    assembly.v = group.v;
    assembly.force = group.force;
    assembly.dampingProduct = group.dampingProduct;
    assembly.system = group.system.data();
    const TangentFactors factors = tangentFactors();
    assembly.stiffnessFactor = factors.stiffness;
    assembly.dampingFactor = factors.damping;
    assembly.diagonal = factors.diagonal;
    assembly.restDamping = factors.restDamping;
    if (storage.feelsRotation()) {
        assembly.centrifugal = storage.rigidConstants.centrifugal.data();
        assembly.weights = group.weights.data();
    }
    const int offset = index * lanes * storage.coefficients.rows;
    if (storage.coefficients.doublePrecision)
        storage.table->assembleDouble(assembly, block.doubleTangent.data() + offset,
                                      block.doubleSecant.data() + offset);
    else
        storage.table->assembleSingle(assembly, block.singleTangent.data() + offset,
                                      block.singleSecant.data() + offset);
    if (storage.dampsStrainRate()) addStrainRate(group);
}

/// D(q) q' to the force and gamma h D(q) to the system of every lane; D's own derivative is left out.
void BlockStep::addStrainRate(GroupScratch& group) const {
    const int r = storage.r, n = storage.coefficients.systemRows;
    double *q = block.strainRate.vectors.data() + r, *v = q + r, *force = block.vectors.data();
    for (int lane = 0; lane < group.count; ++lane) {
        for (int j = 0; j < r; ++j) {
            q[j] = group.q[j * lanes + lane];
            v[j] = group.v[j * lanes + lane];
            force[j] = 0.0;
        }
        const double* entry = storage.addStrainRate(q, v, block, force);
        for (int a = 0; a < r; ++a) {
            group.force[a * lanes + lane] += force[a];
            for (int b = a; b < r; ++b)
                group.system.data()[kernels::packedIndex(n, a, b) * lanes + lane] += gamma * h * *entry++;
        }
    }
}

/// Residual q'' - H'I^-1 H q'' + D q' + R - f; lanes whose residual has become small enough stop.
void BlockStep::measureResidual(GroupScratch& group, bool first) const {
    const DampingSettings& damping = storage.settings.damping;
    for (int i = 0; i < rows(); ++i)
        group.residual[i] = group.a[i] + damping.mass * group.v[i] + damping.stiffness * group.dampingProduct[i] +
                            group.force[i] - group.f[i];
    if (storage.reacts()) {
        LaneVectors reaction = frameProducts(group, group.a);
        for (std::size_t lane = 0; lane < static_cast<std::size_t>(group.count); ++lane) {
            const Matrix3& inverse = storage.record(group.bodies[lane]).endInertiaInverse;
            const Vector3 g = inverse * Vector3(reaction[0][lane], reaction[1][lane], reaction[2][lane]);
            for (std::size_t c = 0; c < 3; ++c) reaction[c][lane] = g[static_cast<int>(c)];
        }
        addColumns(group.coupling, reaction, -1.0, group.residual);
    }
    std::array<double, lanes> square{};
    for (int row = 0; row < storage.r; ++row)
        for (int lane = 0; lane < lanes; ++lane) {
            const int i = row * lanes + lane;
            group.rhs[i] = -beta * h * h * group.residual[i];
            square[static_cast<std::size_t>(lane)] += group.residual[i] * group.residual[i];
        }
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        const double residual = std::sqrt(square[lane]);
        if (first)
            group.firstResidual[lane] = residual;
        else if (residual <= storage.settings.newmark.tolerance * group.firstResidual[lane])
            group.moving[lane] = false;
    }
}

/// Writes the new state, or the old one at rest where the new one is not finite.
void BlockStep::scatter(const GroupScratch& group) const {
    for (int lane = 0; lane < group.count; ++lane) {
        const int body = group.bodies[lane];
        double *q = storage.vector(storage.q, body), *v = storage.vector(storage.v, body),
               *a = storage.vector(storage.a, body);
        bool finite = true;
        for (int j = 0; j < storage.r; ++j) {
            const int at = j * lanes + lane;
            finite = finite && std::isfinite(group.q[at]) && std::isfinite(group.v[at]) && std::isfinite(group.a[at]);
        }
        for (int j = 0; finite && j < storage.r; ++j) {
            const int at = j * lanes + lane;
            q[j] = group.q[at];
            v[j] = group.v[at];
            a[j] = group.a[at];
        }
        if (!finite) storage.restoreAtRest(body);
    }
}

/// Newton iterations from the present q.
void BlockStep::iterate() const {
    for (int iteration = 0; iteration < std::max(1, storage.settings.newmark.iterations); ++iteration) {
        if (iteration > 0) evaluatePolynomial();
        bool moving = false;
        for (int g = 0; g < groups; ++g) {
            GroupScratch& group = block.groups[static_cast<std::size_t>(g)];
            if (!group.anyMoving()) continue;
            updateRates(group);
            assemble(group, g);
            measureResidual(group, iteration == 0);
            if (group.anyMoving()) solve(group, g);
            moving = moving || group.anyMoving();
        }
        if (!moving) break;
    }
}

void BatchStorage::stepBlock(double h, const int* bodies, int count, bool reused) {
    BlockScratch& block = acquireScratch();
    const BlockStep step{*this, block, h, settings.newmark.gamma, settings.newmark.beta(), (count + lanes - 1) / lanes};
    step.gatherPositions(bodies, count);
    if (!reused) step.evaluatePolynomial();
    for (int g = 0; g < step.groups; ++g) {
        GroupScratch& group = block.groups[static_cast<std::size_t>(g)];
        if (reused)
            step.recallForce(group);
        else if (settings.energyGuard || mayReuseTangents())
            step.guardEnergy(group, g);
        for (int lane = 0; lane < group.count; ++lane) prepareBody(group.bodies[lane], h, block);
        step.gather(group);
    }
    if (reused)
        for (int g = 0; g < step.groups; ++g) step.recallStep(block.groups[static_cast<std::size_t>(g)]);
    else
        step.iterate();
    for (int g = 0; g < step.groups; ++g) {
        GroupScratch& group = block.groups[static_cast<std::size_t>(g)];
        step.updateRates(group);
        step.scatter(group);
    }
    for (int i = 0; i < count; ++i) finishBody(bodies[i], h, block);
    releaseScratch(block);
}

void BatchStorage::strainEnergies(const int* bodies, int count, double* energies) {
    BlockScratch& block = acquireScratch();
    const BlockStep step{
        *this, block, 0.0, settings.newmark.gamma, settings.newmark.beta(), (count + lanes - 1) / lanes};
    step.gatherPositions(bodies, count);
    step.evaluatePolynomial();
    for (int g = 0; g < step.groups; ++g) {
        const GroupScratch& group = block.groups[static_cast<std::size_t>(g)];
        const std::array<double, lanes> energy = step.strainEnergies(group, g);
        std::copy_n(energy.begin(), group.count, energies + g * lanes);
    }
    releaseScratch(block);
}

void BatchStorage::stepNewmark(double h, const int* bodies, int count, const Workers& workers) {
    if (!stepsAlone(count)) {
        stepBlocks(h, bodies, count, workers);
        return;
    }
    struct Job {
        BatchStorage* batch;
        const int* bodies;
        double h;
    } job{this, bodies, h};
    workers.forBlocks(count, 1, [&job](int begin, int) { job.batch->stepAlone(job.h, job.bodies[begin]); });
}

// gamma > 1/2 keeps a share of the identity in Y_c; what moves q is the rest (BodyBatch.h).
const IntegrationScheme newmarkScheme = {
    Integrator::Newmark,
    "newmark",
    true,
    true,
    true,
    [](double h, double gamma, double beta) { return 0.5 * h / (1.0 - identityShare(gamma, beta)); },
    [](BatchStorage& batch, int body, BlockScratch& block) { batch.balanceAcceleration(body, block); },
    [](BatchStorage& batch, double h, const int* bodies, int count, const Workers& workers) {
        batch.stepNewmark(h, bodies, count, workers);
    },
    predictByFactor};

}  // namespace pliant
