// SPDX-License-Identifier: Zlib
// Steps with the tangent stiffness of an earlier one (modified Newton), for bodies that have hardly moved since.
//
// Of a step that evaluated K at p, its factor U'U = S = diagonal + stiffness K + damping K_damping, R(p) and the strain
// energy V(p) are kept. From them, with d = q - p,
//
//     R(q) = R(p) + K d,   V(q) = V(p) + R(p).d + d'K d / 2,   K d = (U'U d - diagonal d - damping K_damping d) /
//     stiffness,
//
// off by terms of second and third order in d. BatchSettings::tangentTolerance bounds d by what it changes K by.
#include "pliant/runtime/integrators/ReusedTangent.h"

#include <algorithm>
#include <cmath>

#include "pliant/runtime/SymmetricSystem.h"
#include "pliant/runtime/energy/EnergyGuard.h"
#include "pliant/runtime/integrators/BlockStep.h"

namespace pliant {

using kernels::lanes;

TangentFactors tangentFactors(const BatchStorage& batch, double h) {
    const DampingSettings& damping = batch.settings.damping;
    TangentFactors made;
    made.stiffness = batch.settings.newmark.beta() * h * h;
    made.damping = batch.settings.newmark.gamma * h * damping.stiffness;
    made.diagonal = 1.0 + batch.settings.newmark.gamma * h * damping.mass;
    made.restDamping = damping.form == DampingForm::RestStiffness;
    return made;
}

bool mayReuseTangents(const BatchStorage& batch) {
    return batch.settings.tangentTolerance > 0.0 && batch.settings.newmark.iterations == 1 &&
           !batch.dampsStrainRate() &&
           identityShare(batch.settings.newmark.gamma, batch.settings.newmark.beta()) == 0.0;
}

bool reusesTangent(const BatchStorage& batch, int body, double h) {
    const BodyRecord& state = batch.record(body);
    const ReusedTangent& tangent = state.tangent;
    if (!tangent.known || state.inverted || !(tangent.factors == tangentFactors(batch, h))) return false;
    const double tolerance = batch.settings.tangentTolerance;
    // Centrifugal terms change K by no more than |W|^2: the modes are orthonormal in the mass.
    const double spin = batch.feelsRotation() ? std::max(tangent.spin, state.frame.angularVelocity.squaredNorm()) : 0.0;
    if (spin > tolerance * batch.stiffnessChange->lowestStiffness()) return false;
    return batch.stiffnessChange->bound(batch.vector(batch.tangentQ, body), batch.vector(batch.q, body)) <= tolerance;
}

/// After the factor of the first iteration, which is that of q0.
void storeTangent(const BlockStep& step, const GroupScratch& group, unsigned failed) {
    BatchStorage& batch = step.storage;
    if (!mayReuseTangents(batch)) return;
    for (int lane = 0; lane < group.count; ++lane) {
        const int body = group.bodies[lane];
        ReusedTangent& tangent = batch.record(body).tangent;
        tangent.known = (failed >> lane & 1u) == 0;
        if (!tangent.known) continue;
        tangent.factors = tangentFactors(step.storage, step.h);
        tangent.spin = batch.record(body).endAngularVelocity.squaredNorm();
        double *p = batch.vector(batch.tangentQ, body), *force = batch.vector(batch.tangentForce, body);
        for (int j = 0; j < batch.r; ++j) {
            p[j] = group.q[j * lanes + lane];
            force[j] = group.force[j * lanes + lane];
        }
    }
}

namespace {

/// y = K0 x, both [r][16]
void multiplyRestStiffness(const BlockStep& step, const double* x, double* y) {
    BatchStorage& batch = step.storage;
    const double* entry = batch.coefficients.restStiffness.data();
    std::fill_n(y, step.rows(), 0.0);
    for (int a = 0; a < batch.r; ++a)
        for (int b = a; b < batch.r; ++b, ++entry) {
            const double *xa = x + a * lanes, *xb = x + b * lanes;
            double *ya = y + a * lanes, *yb = y + b * lanes;
            for (int lane = 0; lane < lanes; ++lane) ya[lane] += *entry * xb[lane];
            if (a == b) continue;
            for (int lane = 0; lane < lanes; ++lane) yb[lane] += *entry * xa[lane];
        }
}

/// K_damping q'
void recallDamping(const BlockStep& step, GroupScratch& group) {
    BatchStorage& batch = step.storage;
    const TangentFactors factors = tangentFactors(step.storage, step.h);
    if (factors.restDamping) {
        multiplyRestStiffness(step, group.v, group.dampingProduct);
        return;
    }
    const int n = batch.coefficients.systemRows, stride = kernels::roundUp(n, kernels::panelRows);
    double *v = step.block.vectors.data(), *Sv = v + stride, *work = Sv + stride;
    for (int lane = 0; lane < group.count; ++lane) {
        std::fill(v, v + n, 0.0);
        for (int j = 0; j < batch.r; ++j) v[j] = group.v[j * lanes + lane];
        multiplyFactored(n, batch.factor(group.bodies[lane]), v, Sv, work);
        for (int j = 0; j < batch.r; ++j)
            group.dampingProduct[j * lanes + lane] =
                (Sv[j] - factors.diagonal * v[j]) / (factors.stiffness + factors.damping);
    }
}

void solveWithReusedTangent(const BlockStep& step, GroupScratch& group) {
    BatchStorage& batch = step.storage;
    const int n = batch.coefficients.systemRows;
    double* columns = step.block.rightHandSides.data();
    std::fill_n(columns, n * lanes, 0.0);
    for (int lane = 0; lane < group.count; ++lane) {
        for (int j = 0; j < batch.r; ++j) columns[j * lanes] = group.rhs[j * lanes + lane];
        for (int c = 0; batch.reacts() && c < 3; ++c)
            for (int j = 0; j < batch.r; ++j) columns[j * lanes + 1 + c] = group.coupling[c][j * lanes + lane];
        for (int i = batch.r * lanes; i < n * lanes; ++i) columns[i] = 0.0;
        batch.table->solveMany(n, batch.factor(group.bodies[lane]), columns);
        for (int j = 0; j < batch.r; ++j) group.rhs[j * lanes + lane] = columns[j * lanes];
        for (int c = 0; batch.reacts() && c < 3; ++c)
            for (int j = 0; j < batch.r; ++j) group.frameResponse[c][j * lanes + lane] = columns[j * lanes + 1 + c];
    }
}

}  // namespace

void recallForce(const BlockStep& step, GroupScratch& group) {
    BatchStorage& batch = step.storage;
    const TangentFactors factors = tangentFactors(step.storage, step.h);
    const int n = batch.coefficients.systemRows, stride = kernels::roundUp(n, kernels::panelRows);
    double *d = step.block.vectors.data(), *Sd = d + stride, *work = Sd + stride;
    for (int lane = 0; lane < group.count; ++lane) {
        const double* p = batch.vector(batch.tangentQ, group.bodies[lane]);
        for (int j = 0; j < batch.r; ++j) group.rhs[j * lanes + lane] = group.q[j * lanes + lane] - p[j];
    }
    if (factors.restDamping) multiplyRestStiffness(step, group.rhs, group.dampingProduct);
    const double divisor = factors.restDamping ? factors.stiffness : factors.stiffness + factors.damping;
    for (int lane = 0; lane < group.count; ++lane) {
        const int body = group.bodies[lane];
        const double* force = batch.vector(batch.tangentForce, body);
        std::fill(d, d + n, 0.0);
        for (int j = 0; j < batch.r; ++j) d[j] = group.rhs[j * lanes + lane];
        multiplyFactored(n, batch.factor(body), d, Sd, work);
        double energy = batch.record(body).tangent.energy;
        for (int j = 0; j < batch.r; ++j) {
            const double damped = factors.restDamping ? factors.damping * group.dampingProduct[j * lanes + lane] : 0.0;
            const double Kd = (Sd[j] - factors.diagonal * d[j] - damped) / divisor;
            group.force[j * lanes + lane] = force[j] + Kd;
            energy += d[j] * (force[j] + 0.5 * Kd);
        }
        if (batch.settings.energyGuard) guardEnergy(batch, body, energy);
    }
}

void recallStep(const BlockStep& step, GroupScratch& group) {
    updateRates(step, group);
    recallDamping(step, group);
    measureResidual(step, group, true);
    solveWithReusedTangent(step, group);
    if (step.storage.reacts()) addFrameReaction(step, group);
    for (int i = 0; i < step.rows(); ++i) group.q[i] += group.rhs[i];
}

// Linear flesh that does not turn: S = diagonal + stiffness K0 + damping K0 is one matrix for all bodies.

void prepareRestTangent(BatchStorage& batch, double h) {
    RestTangent& rest = batch.restTangent;
    const TangentFactors factors = tangentFactors(batch, h);
    const bool shared = batch.coefficients.linear && !mayReuseTangents(batch) && !batch.dampsStrainRate() &&
                        !batch.reacts() &&
                        identityShare(batch.settings.newmark.gamma, batch.settings.newmark.beta()) == 0.0;
    if (shared && rest.known && rest.factors == factors) return;
    rest.known = shared;
    if (!shared) return;
    const int n = batch.coefficients.systemRows, size = kernels::packedSize(n);
    if (rest.stiffness.columns == 0) {
        MatrixX stiffness(batch.r, batch.r);
        const double* entry = batch.coefficients.restStiffness.data();
        for (int a = 0; a < batch.r; ++a)
            for (int b = a; b < batch.r; ++b) stiffness(a, b) = stiffness(b, a) = *entry++;
        rest.stiffness = kernels::CoefficientPanels<double>(stiffness);
        rest.factor.resize(static_cast<std::size_t>(size));
    }
    // Factored as a group's systems are, whose bits it has.
    BlockScratch& block = acquireScratch(batch);
    GroupScratch& group = block.groups.front();
    std::fill_n(group.rows.data(), group.rows.size(), 0.0);
    std::fill_n(group.weights.data(), group.weights.size(), 0.0);
    assemble({batch, block, h, batch.settings.newmark.gamma, batch.settings.newmark.beta(), 1}, group, 0);
    rest.factors = factors;
    rest.definite = (batch.table->factor(n, group.system.data()) & 1u) == 0;
    for (int i = 0; i < size; ++i) rest.factor.data()[i] = group.system.data()[i * lanes];
    for (int row = 0; row < batch.r; ++row)
        rest.definite = rest.definite && rest.factor.data()[kernels::packedIndex(n, row, row)] <= largestInversePivot;
    releaseScratch(block);
}

bool sharesRestTangent(const BlockStep& step, const GroupScratch& group) {
    const BatchStorage& batch = step.storage;
    const RestTangent& rest = batch.restTangent;
    if (!rest.known || !rest.definite || !(rest.factors == tangentFactors(batch, step.h))) return false;
    if (!batch.feelsRotation()) return true;
    return std::all_of(group.bodies, group.bodies + group.count,
                       [&](int body) { return batch.record(body).endAngularVelocity.isZero(0.0); });
}

void multiplyAtRest(const BlockStep& step, GroupScratch& group) {
    const BatchStorage& batch = step.storage;
    const kernels::CoefficientPanels<double>& K = batch.restTangent.stiffness;
    double *product = step.block.rightHandSides.data(), *unused = product + K.rows * lanes;
    const auto multiply = [&](const double* x, double* y) {
        batch.table->polynomialDouble(K.values.data(), K.rows, K.columns, K.columns, 1, x, product, unused);
        std::copy_n(product, step.rows(), y);
    };
    multiply(group.q, group.force);
    multiply(group.v, group.dampingProduct);
}

void solveAtRest(const BlockStep& step, GroupScratch& group) {
    BatchStorage& batch = step.storage;
    const RestTangent& rest = batch.restTangent;
    for (int lane = 0; lane < group.count; ++lane) {
        if (!group.moving[static_cast<std::size_t>(lane)]) continue;
        BodyRecord& record = batch.record(group.bodies[lane]);
        record.inverted = false;
        if (record.tangent.isRest && record.tangent.restFactors == rest.factors) continue;
        std::copy_n(rest.factor.data(), rest.factor.size(), batch.factor(group.bodies[lane]));
        record.tangent.isRest = true;
        record.tangent.restFactors = rest.factors;
    }
    batch.table->solveMany(batch.coefficients.systemRows, rest.factor.data(), group.rhs);
    for (int row = 0; row < batch.r; ++row)
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const std::size_t i = static_cast<std::size_t>(row * lanes) + lane;
            if (group.moving[lane]) group.q[i] += group.rhs[i];
        }
}

}  // namespace pliant
