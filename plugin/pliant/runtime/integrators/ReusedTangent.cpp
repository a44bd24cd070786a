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
#include <algorithm>
#include <cmath>

#include "pliant/math/Prefetch.h"
#include "pliant/runtime/SymmetricSystem.h"
#include "pliant/runtime/integrators/BlockStep.h"

namespace pliant {

using kernels::lanes;

TangentFactors BatchStorage::tangentFactors(double h) const {
    const DampingSettings& damping = settings.damping;
    TangentFactors made;
    made.stiffness = settings.newmark.beta() * h * h;
    made.damping = settings.newmark.gamma * h * damping.stiffness;
    made.diagonal = 1.0 + settings.newmark.gamma * h * damping.mass;
    made.restDamping = damping.form == DampingForm::RestStiffness;
    return made;
}

TangentFactors BlockStep::tangentFactors() const {
    return storage.tangentFactors(h);
}

bool BatchStorage::mayReuseTangents() const {
    return settings.tangentTolerance > 0.0 && settings.newmark.iterations == 1 && !dampsStrainRate() &&
           identityShare(settings.newmark.gamma, settings.newmark.beta()) == 0.0;
}

bool BatchStorage::reusesTangent(int body, double h) {
    const BodyRecord& state = record(body);
    const ReusedTangent& tangent = state.tangent;
    if (!tangent.known || state.inverted || !(tangent.factors == tangentFactors(h))) return false;
    const double tolerance = settings.tangentTolerance;
    // Centrifugal terms change K by no more than |W|^2: the modes are orthonormal in the mass.
    const double spin = feelsRotation() ? std::max(tangent.spin, state.frame.angularVelocity.squaredNorm()) : 0.0;
    if (spin > tolerance * stiffnessChange->lowestStiffness()) return false;
    return stiffnessChange->bound(vector(tangentQ, body), vector(q, body)) <= tolerance;
}

void BatchStorage::stepBlocks(double h, const int* bodies, int count, const Workers& workers) {
    struct Job {
        BatchStorage* batch;
        double h;
        const int* bodies;
        int blockSize, evaluatingBlocks;
    } job{this, h, bodies, groupsPerBlock() * lanes, 0};
    evaluating.clear();
    reusing.clear();
    reuses.assign(static_cast<std::size_t>(count), 0);
    if (mayReuseTangents())
        workers.forBlocks(count, 64, [&job](int begin, int end) {
            for (int i = begin; i < end; ++i)
                job.batch->reuses[static_cast<std::size_t>(i)] = job.batch->reusesTangent(job.bodies[i], job.h) ? 1 : 0;
        });
    for (int i = 0; i < count; ++i)
        (reuses[static_cast<std::size_t>(i)] != 0 ? reusing : evaluating).push_back(bodies[i]);
    evaluated = static_cast<int>(evaluating.size());
    const auto blocks = [&job](const std::vector<int>& list) {
        return (static_cast<int>(list.size()) + job.blockSize - 1) / job.blockSize;
    };
    job.evaluatingBlocks = blocks(evaluating);
    workers.forBlocks(job.evaluatingBlocks + blocks(reusing), 1, [&job](int block, int) {
        const bool reused = block >= job.evaluatingBlocks;
        const std::vector<int>& list = reused ? job.batch->reusing : job.batch->evaluating;
        const int first = (reused ? block - job.evaluatingBlocks : block) * job.blockSize;
        const int size = std::min(job.blockSize, static_cast<int>(list.size()) - first);
        job.batch->stepBlock(job.h, list.data() + first, size, reused);
    });
}

/// After the factor of the first iteration, which is that of q0.
void BlockStep::storeTangent(const GroupScratch& group, unsigned failed) const {
    if (!storage.mayReuseTangents()) return;
    for (int lane = 0; lane < group.count; ++lane) {
        const int body = group.bodies[lane];
        ReusedTangent& tangent = storage.record(body).tangent;
        tangent.known = (failed >> lane & 1u) == 0;
        if (!tangent.known) continue;
        tangent.factors = tangentFactors();
        tangent.spin = storage.record(body).endAngularVelocity.squaredNorm();
        double *p = storage.vector(storage.tangentQ, body), *force = storage.vector(storage.tangentForce, body);
        for (int j = 0; j < storage.r; ++j) {
            p[j] = group.q[j * lanes + lane];
            force[j] = group.force[j * lanes + lane];
        }
    }
}

/// y = K0 x, both [r][16]
void BlockStep::multiplyRestStiffness(const double* x, double* y) const {
    const double* entry = storage.coefficients.restStiffness.data();
    std::fill_n(y, rows(), 0.0);
    for (int a = 0; a < storage.r; ++a)
        for (int b = a; b < storage.r; ++b, ++entry) {
            const double *xa = x + a * lanes, *xb = x + b * lanes;
            double *ya = y + a * lanes, *yb = y + b * lanes;
            for (int lane = 0; lane < lanes; ++lane) ya[lane] += *entry * xb[lane];
            if (a == b) continue;
            for (int lane = 0; lane < lanes; ++lane) yb[lane] += *entry * xa[lane];
        }
}

/// R(q), and the strain energy to the account of every body.
void BlockStep::recallForce(GroupScratch& group) const {
    const TangentFactors factors = tangentFactors();
    const int n = storage.coefficients.systemRows, stride = kernels::roundUp(n, kernels::panelRows);
    double *d = block.vectors.data(), *Sd = d + stride, *work = Sd + stride;
    const std::size_t factorBytes = static_cast<std::size_t>(storage.factorStride) / 2 * sizeof(double);
    for (int lane = 0; lane < group.count; ++lane) {
        const double* p = storage.vector(storage.tangentQ, group.bodies[lane]);
        for (int j = 0; j < storage.r; ++j) group.rhs[j * lanes + lane] = group.q[j * lanes + lane] - p[j];
    }
    if (factors.restDamping) multiplyRestStiffness(group.rhs, group.dampingProduct);
    const double divisor = factors.restDamping ? factors.stiffness : factors.stiffness + factors.damping;
    for (int lane = 0; lane < group.count; ++lane) {
        const int body = group.bodies[lane];
        const double* force = storage.vector(storage.tangentForce, body);
        if (lane + 1 < group.count) prefetch(storage.factor(group.bodies[lane + 1]), factorBytes);
        std::fill(d, d + n, 0.0);
        for (int j = 0; j < storage.r; ++j) d[j] = group.rhs[j * lanes + lane];
        multiplyFactored(n, storage.factor(body), d, Sd, work);
        double energy = storage.record(body).tangent.energy;
        for (int j = 0; j < storage.r; ++j) {
            const double damped = factors.restDamping ? factors.damping * group.dampingProduct[j * lanes + lane] : 0.0;
            const double Kd = (Sd[j] - factors.diagonal * d[j] - damped) / divisor;
            group.force[j * lanes + lane] = force[j] + Kd;
            energy += d[j] * (force[j] + 0.5 * Kd);
        }
        if (storage.settings.energyGuard) storage.guardEnergy(body, energy);
    }
}

/// K_damping q'
void BlockStep::recallDamping(GroupScratch& group) const {
    const TangentFactors factors = tangentFactors();
    if (factors.restDamping) {
        multiplyRestStiffness(group.v, group.dampingProduct);
        return;
    }
    const int n = storage.coefficients.systemRows, stride = kernels::roundUp(n, kernels::panelRows);
    double *v = block.vectors.data(), *Sv = v + stride, *work = Sv + stride;
    for (int lane = 0; lane < group.count; ++lane) {
        std::fill(v, v + n, 0.0);
        for (int j = 0; j < storage.r; ++j) v[j] = group.v[j * lanes + lane];
        multiplyFactored(n, storage.factor(group.bodies[lane]), v, Sv, work);
        for (int j = 0; j < storage.r; ++j)
            group.dampingProduct[j * lanes + lane] =
                (Sv[j] - factors.diagonal * v[j]) / (factors.stiffness + factors.damping);
    }
}

void BlockStep::solveWithReusedTangent(GroupScratch& group) const {
    const int n = storage.coefficients.systemRows;
    double* columns = block.rightHandSides.data();
    std::fill_n(columns, n * lanes, 0.0);
    for (int lane = 0; lane < group.count; ++lane) {
        for (int j = 0; j < storage.r; ++j) columns[j * lanes] = group.rhs[j * lanes + lane];
        for (int c = 0; storage.reacts() && c < 3; ++c)
            for (int j = 0; j < storage.r; ++j) columns[j * lanes + 1 + c] = group.coupling[c][j * lanes + lane];
        for (int i = storage.r * lanes; i < n * lanes; ++i) columns[i] = 0.0;
        storage.table->solveMany(n, storage.factor(group.bodies[lane]), columns);
        for (int j = 0; j < storage.r; ++j) group.rhs[j * lanes + lane] = columns[j * lanes];
        for (int c = 0; storage.reacts() && c < 3; ++c)
            for (int j = 0; j < storage.r; ++j) group.frameResponse[c][j * lanes + lane] = columns[j * lanes + 1 + c];
    }
}

/// After recallForce() and gather().
void BlockStep::recallStep(GroupScratch& group) const {
    updateRates(group);
    recallDamping(group);
    measureResidual(group, true);
    solveWithReusedTangent(group);
    if (storage.reacts()) addFrameReaction(group);
    for (int i = 0; i < rows(); ++i) group.q[i] += group.rhs[i];
}

}  // namespace pliant
