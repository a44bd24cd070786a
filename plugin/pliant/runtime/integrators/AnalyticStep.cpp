// SPDX-License-Identifier: Zlib
// Integrator::Analytic: the step by the exact motion of the linear model (RestModes.cpp).
//
// Contacts. An impulse acts as Newmark's rows have it (BodyBatch.h): dq' = Y P, dq = (h / 2) Y P, Y = (1 + h^2 K0 /
// 4)^-1. Added to the end (q*, q'*) of the exact step this changes the energy by
//
//     P n.U [2 Y (q'* + h K0 q* / 2) + Y P] / 2 = P (u_0 + u_1) / 2,   u_0 = n.U v_0,   v_0 = 2 Y (q'* + h K0 q* / 2) -
//     q'*,
//
// so with v_0 as the start velocity the rule of BodyBatch.h holds as it stands: rows never gain energy, at any omega h.
// v_0 and q_0 = q* - h (v_0 + q'*) / 2 are the state from which a trapezoid step without forces ends at (q*, q'*).
#include <algorithm>

#include "pliant/runtime/integrators/BodyStep.h"
#include "pliant/runtime/integrators/IntegratorTable.h"
#include "pliant/runtime/response/BatchResponse.h"

namespace pliant {
namespace {

void stepAnalytic(BatchStorage& batch, double h, int body) {
    BlockScratch& block = acquireScratch(batch);
    BodyRecord& state = batch.record(body);
    state.ledger.known = false;
    prepareBody(batch, body, h, block);
    state.gamma = 0.5;
    state.beta = 0.25;
    state.inverted = false;
    const int n = batch.coefficients.systemRows, rows = kernels::roundUp(n, kernels::panelRows);
    std::copy_n(batch.modes.factor.data(), kernels::packedSize(n), batch.factor(body));

    double* memory = block.vectors.data();
    VectorView x(memory, batch.r), rate(memory + rows, batch.r), force(memory + 2 * rows, batch.r),
        end(memory + 3 * rows, batch.r), endRate(memory + 4 * rows, batch.r), rowRate(memory + 5 * rows, batch.r);
    VectorView position(batch.vector(batch.q, body), batch.r), velocity(batch.vector(batch.v, body), batch.r),
        acceleration(batch.vector(batch.a, body), batch.r);
    x.noalias() = batch.modes.vectors.transpose() * position;
    rate.noalias() = batch.modes.vectors.transpose() * velocity;
    force.noalias() = batch.modes.vectors.transpose() * VectorView(batch.vector(batch.f, body), batch.r);
    end = batch.modes.A.cwiseProduct(x) + batch.modes.B.cwiseProduct(rate) + batch.modes.P.cwiseProduct(force);
    endRate = batch.modes.B.cwiseProduct(force - batch.modes.squares.cwiseProduct(x)) +
              (batch.modes.A - batch.modes.decay.cwiseProduct(batch.modes.B)).cwiseProduct(rate);
    if (end.allFinite() && endRate.allFinite()) {
        position.noalias() = batch.modes.vectors * end;
        velocity.noalias() = batch.modes.vectors * endRate;
        force -= batch.modes.decay.cwiseProduct(endRate) + batch.modes.squares.cwiseProduct(end);
        acceleration.noalias() = batch.modes.vectors * force;
        rowRate = 2.0 * batch.modes.response.cwiseProduct(endRate + 0.5 * h * batch.modes.squares.cwiseProduct(end)) -
                  endRate;
        VectorView(batch.vector(batch.startVelocity, body), batch.r).noalias() = batch.modes.vectors * rowRate;
        rate = end - 0.5 * h * (rowRate + endRate);
        VectorView(batch.vector(batch.rowPosition, body), batch.r).noalias() = batch.modes.vectors * rate;
    } else {
        restoreAtRest(batch, body);
    }
    finishBody(batch, body, h, block);
    releaseScratch(block);
}

void stepAnalyticBodies(BatchStorage& batch, double h, const int* bodies, int count, const Workers& workers) {
    batch.modes.prepare(h, batch.settings.damping, batch.coefficients.restStiffness.data(),
                        batch.coefficients.systemRows);
    struct Job {
        BatchStorage* batch;
        const int* bodies;
        double h;
    } job{&batch, bodies, h};
    workers.forBlocks(count, 16, [&job](int begin, int end) {
        for (int i = begin; i < end; ++i) stepAnalytic(*job.batch, job.h, job.bodies[i]);
    });
}

}  // namespace

const IntegrationScheme analyticScheme = {
    {Integrator::Analytic, "analytic", /*feelsRotation*/ false, /*hasInertia*/ true, /*holdsForceOverStep*/ true,
     /*joinsLimbs*/ false},
    [](double h, double, double) { return 0.5 * h; },
    [](BatchStorage& batch, int body, BlockScratch& block) { balanceAcceleration(batch, body, block); },
    stepAnalyticBodies,
    nullptr,
    predictByFactor};

}  // namespace pliant
