// SPDX-License-Identifier: Zlib
// The free step: implicit Newmark [BJ05 app. C] of a block of bodies, 16 side by side.
//
//     q''_1 + D q'_1 + R(q_1) = f,   D = alpha + beta_damping K,   S = Y^-1 = 1 + gamma h D + beta h^2 K
//
// in Newton steps S dq = -beta h^2 (residual), starting from q_1 = q_0; with a reacting frame S - H'I^-1 H stands for S
// (InertialForces.cpp).
#include "pliant/runtime/integrators/NewmarkStep.h"

#include <algorithm>

#include "pliant/runtime/energy/EnergyGuard.h"
#include "pliant/runtime/integrators/BlockStep.h"
#include "pliant/runtime/integrators/BodyStep.h"
#include "pliant/runtime/integrators/IntegratorTable.h"
#include "pliant/runtime/integrators/MovedStrain.h"
#include "pliant/runtime/integrators/OneBodyStep.h"
#include "pliant/runtime/integrators/ReusedTangent.h"
#include "pliant/runtime/response/BatchResponse.h"

namespace pliant {

using kernels::lanes;

namespace {

/// All but the end of the step of bodies with BodyRecord::Move::mayHaveGained.
void stepBlock(BatchStorage& batch, double h, const int* bodies, int count, bool reused) {
    BlockScratch& block = acquireScratch(batch);
    const BlockStep step{
        batch, block, h, batch.settings.newmark.gamma, batch.settings.newmark.beta(), (count + lanes - 1) / lanes};
    gatherPositions(step, bodies, count);
    if (!reused) evaluatePolynomial(step);
    for (int g = 0; g < step.groups; ++g) {
        GroupScratch& group = block.groups[static_cast<std::size_t>(g)];
        if (reused)
            recallForce(step, group);
        else if (batch.settings.energyGuard || mayReuseTangents(batch))
            guardEnergy(step, group, g);
        for (int lane = 0; lane < group.count; ++lane) prepareBody(batch, group.bodies[lane], h, block);
        gather(step, group);
    }
    if (reused)
        for (int g = 0; g < step.groups; ++g) recallStep(step, block.groups[static_cast<std::size_t>(g)]);
    else
        iterate(step);
    for (int g = 0; g < step.groups; ++g) {
        GroupScratch& group = block.groups[static_cast<std::size_t>(g)];
        updateRates(step, group);
        scatter(step, group);
    }
    for (int i = 0; i < count; ++i)
        if (!noteMove(batch, bodies[i], block)) finishBody(batch, bodies[i], h, block);
    releaseScratch(block);
}

/// The end of the step of those bodies.
void finishMoved(BatchStorage& batch, double h, const int* bodies, int count, const Workers& workers) {
    batch.moved.clear();
    for (int i = 0; i < count; ++i)
        if (batch.record(bodies[i]).move.mayHaveGained) batch.moved.push_back(bodies[i]);
    if (batch.moved.empty()) return;
    evaluateMoves(batch, batch.moved, workers);
    struct Job {
        BatchStorage* batch;
        double h;
    } job{&batch, h};
    workers.forBlocks(static_cast<int>(batch.moved.size()), 4, [&job](int begin, int end) {
        BlockScratch& block = acquireScratch(*job.batch);
        for (int i = begin; i < end; ++i)
            finishBody(*job.batch, job.batch->moved[static_cast<std::size_t>(i)], job.h, block);
        releaseScratch(block);
    });
}

void stepBlocks(BatchStorage& batch, double h, const int* bodies, int count, const Workers& workers) {
    struct Job {
        BatchStorage* batch;
        double h;
        const int* bodies;
        int blockSize, evaluatingBlocks;
    } job{&batch, h, bodies, batch.groupsPerBlock() * lanes, 0};
    prepareRestTangent(batch, h);
    batch.evaluating.clear();
    batch.reusing.clear();
    batch.reuses.assign(static_cast<std::size_t>(count), 0);
    if (mayReuseTangents(batch))
        workers.forBlocks(count, 64, [&job](int begin, int end) {
            for (int i = begin; i < end; ++i)
                job.batch->reuses[static_cast<std::size_t>(i)] =
                    reusesTangent(*job.batch, job.bodies[i], job.h) ? 1 : 0;
        });
    for (int i = 0; i < count; ++i)
        (batch.reuses[static_cast<std::size_t>(i)] != 0 ? batch.reusing : batch.evaluating).push_back(bodies[i]);
    batch.evaluated = static_cast<int>(batch.evaluating.size());
    const auto blocks = [&job](const std::vector<int>& list) {
        return (static_cast<int>(list.size()) + job.blockSize - 1) / job.blockSize;
    };
    job.evaluatingBlocks = blocks(batch.evaluating);
    workers.forBlocks(job.evaluatingBlocks + blocks(batch.reusing), 1, [&job](int block, int) {
        const bool reused = block >= job.evaluatingBlocks;
        const std::vector<int>& list = reused ? job.batch->reusing : job.batch->evaluating;
        const int first = (reused ? block - job.evaluatingBlocks : block) * job.blockSize;
        const int size = std::min(job.blockSize, static_cast<int>(list.size()) - first);
        stepBlock(*job.batch, job.h, list.data() + first, size, reused);
    });
    finishMoved(batch, h, bodies, count, workers);
}

bool stepsAlone(const BatchStorage& batch, int count) {
    const BatchSettings& settings = batch.settings;
    return settings.blockSize == 1 || (count <= settings.aloneUpTo && !mayReuseTangents(batch));
}

void stepNewmark(BatchStorage& batch, double h, const int* bodies, int count, const Workers& workers) {
    if (!stepsAlone(batch, count)) {
        stepBlocks(batch, h, bodies, count, workers);
        return;
    }
    struct Job {
        BatchStorage* batch;
        const int* bodies;
        double h;
    } job{&batch, bodies, h};
    workers.forBlocks(count, 1, [&job](int begin, int) { stepAlone(*job.batch, job.h, job.bodies[begin]); });
}

}  // namespace

void strainEnergiesOfBlock(BatchStorage& batch, const int* bodies, int count, double* energies) {
    BlockScratch& block = acquireScratch(batch);
    const BlockStep step{
        batch, block, 0.0, batch.settings.newmark.gamma, batch.settings.newmark.beta(), (count + lanes - 1) / lanes};
    gatherPositions(step, bodies, count);
    evaluatePolynomial(step);
    for (int g = 0; g < step.groups; ++g) {
        const GroupScratch& group = block.groups[static_cast<std::size_t>(g)];
        const std::array<double, lanes> energy = strainEnergies(step, group, g);
        std::copy_n(energy.begin(), group.count, energies + g * lanes);
    }
    releaseScratch(block);
}

// gamma > 1/2 keeps a share of the identity in Y_c; what moves q is the rest (BodyBatch.h).
const IntegrationScheme newmarkScheme = {
    {Integrator::Newmark, "newmark", /*feelsRotation*/ true, /*hasInertia*/ true, /*holdsForceOverStep*/ false,
     /*expectsImpulses*/ false, /*joinsLimbs*/ true},
    [](double h, double gamma, double beta) { return 0.5 * h / (1.0 - identityShare(gamma, beta)); },
    [](BatchStorage& batch, int body, BlockScratch& block) { balanceAcceleration(batch, body, block); },
    stepNewmark,
    searchStep,
    predictByFactor};

}  // namespace pliant
