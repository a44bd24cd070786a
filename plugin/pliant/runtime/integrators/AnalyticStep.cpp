// SPDX-License-Identifier: Zlib
// Integrator::Analytic: the step by the exact motion of the linear model (RestModes.cpp), and by the trapezoid rule
// where impulses are expected.
//
// Why not exactly there. An impulse acts as Newmark's rows have it (BodyBatch.h): dq' = Y P, dq = (h / 2) Y P, Y = (1 +
// h^2 K0 / 4)^-1. Added to the end (q*, q'*) of the exact step this changes the energy by
//
//     P n.U [2 Y (q'* + h K0 q* / 2) + Y P] / 2 = P (u_0 + u_1) / 2,   u_0 = n.U v_0,   v_0 = 2 Y (q'* + h K0 q* / 2) -
//     q'*,
//
// where v_0 and q_0 = q* - h (v_0 + q'*) / 2 are the state from which a trapezoid step without forces ends at (q*,
// q'*). With them as the start limits on the velocity never gain energy. But the body was not there: a stiff mode that
// a load has bent by q* would have come from -q*, at 4 q* / h. Gaps are measured where it was, so that joints sagged by
// twice what their body gives way, supports were sunk into, and a spring was paid for a way from q_0 that it had not
// taken: heaps on penalties flew apart. By the trapezoid rule, with the damping in Y, the start is where the body has
// been.
#include <algorithm>

#include "pliant/runtime/integrators/BodyStep.h"
#include "pliant/runtime/integrators/IntegratorTable.h"
#include "pliant/runtime/response/BatchResponse.h"

namespace pliant {
namespace {

/// Memory of r numbers each: coordinates of the modes.
struct ModeScratch {
    VectorView x, rate, force, end, endRate, spare;

    ModeScratch(double* memory, int rows, int r)
        : x(memory, r),
          rate(memory + rows, r),
          force(memory + 2 * rows, r),
          end(memory + 3 * rows, r),
          endRate(memory + 4 * rows, r),
          spare(memory + 5 * rows, r) {}
};

/// The exact motion, and what of it is not that of a trapezoid step: its start.
void moveExactly(BatchStorage& batch, double h, int body, ModeScratch& m) {
    const RestModes& modes = batch.modes;
    m.end = modes.A.cwiseProduct(m.x) + modes.B.cwiseProduct(m.rate) + modes.P.cwiseProduct(m.force);
    m.endRate = modes.B.cwiseProduct(m.force - modes.squares.cwiseProduct(m.x)) +
                (modes.A - modes.decay.cwiseProduct(modes.B)).cwiseProduct(m.rate);
    if (!m.end.allFinite() || !m.endRate.allFinite()) return;
    m.spare = 2.0 * modes.response.cwiseProduct(m.endRate + 0.5 * h * modes.squares.cwiseProduct(m.end)) - m.endRate;
    VectorView(batch.vector(batch.startVelocity, body), batch.r).noalias() = modes.vectors * m.spare;
    m.x = m.end - 0.5 * h * (m.spare + m.endRate);
    VectorView(batch.vector(batch.rowPosition, body), batch.r).noalias() = modes.vectors * m.x;
}

/// The trapezoid rule: q' goes through its mean, q by it.
void moveByMean(const RestModes& modes, double h, ModeScratch& m) {
    m.spare = modes.mean.cwiseProduct(m.rate + 0.5 * h * (m.force - modes.squares.cwiseProduct(m.x)));
    m.end = m.x + h * m.spare;
    m.endRate = 2.0 * m.spare - m.rate;
}

void stepAnalytic(BatchStorage& batch, double h, int body) {
    BlockScratch& block = acquireScratch(batch);
    BodyRecord& state = batch.record(body);
    state.ledger.known = false;
    prepareBody(batch, body, h, block);
    state.gamma = 0.5;
    state.beta = 0.25;
    state.inverted = false;
    const RestModes& modes = batch.modes;
    const int n = batch.coefficients.systemRows;
    std::copy_n((state.expectsImpulses ? modes.meanFactor : modes.factor).data(), kernels::packedSize(n),
                batch.factor(body));

    ModeScratch m(block.vectors.data(), kernels::roundUp(n, kernels::panelRows), batch.r);
    VectorView position(batch.vector(batch.q, body), batch.r), velocity(batch.vector(batch.v, body), batch.r);
    m.x.noalias() = modes.vectors.transpose() * position;
    m.rate.noalias() = modes.vectors.transpose() * velocity;
    m.force.noalias() = modes.vectors.transpose() * VectorView(batch.vector(batch.f, body), batch.r);
    if (state.expectsImpulses)
        moveByMean(modes, h, m);
    else
        moveExactly(batch, h, body, m);
    if (m.end.allFinite() && m.endRate.allFinite()) {
        position.noalias() = modes.vectors * m.end;
        velocity.noalias() = modes.vectors * m.endRate;
        m.force -= modes.decay.cwiseProduct(m.endRate) + modes.squares.cwiseProduct(m.end);
        VectorView(batch.vector(batch.a, body), batch.r).noalias() = modes.vectors * m.force;
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
     /*expectsImpulses*/ true, /*joinsLimbs*/ false},
    [](double h, double, double) { return 0.5 * h; },
    [](BatchStorage& batch, int body, BlockScratch& block) { balanceAcceleration(batch, body, block); },
    stepAnalyticBodies,
    nullptr,
    predictByFactor};

}  // namespace pliant
