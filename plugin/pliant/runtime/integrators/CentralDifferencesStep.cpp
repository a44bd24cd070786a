// SPDX-License-Identifier: Zlib
// Integrator::CentralDifferences, explicit [BJ05 app. C, beta = 0 and gamma = 1/2]: q'' and q' are differences of
// positions,
//
//     (q_2 - 2 q_1 + q_0) / h^2 + D (q_2 - q_0) / 2h + R(q_1) = f,
//
// written with the velocity between two positions, v = (q_1 - q_0) / h, which is how Bullet moves its frames:
//
//     S v_1 = (1 - h/2 D) v_0 + h (f - R(q_1)),   q_2 = q_1 + h v_1,   S = 1 + h/2 D.
//
// Stable for omega h < 2, whatever the damping; there the step says StepTooLong. A mode turns by 2 asin(omega h / 2) a
// step instead of omega h. From a given state (q, q') the first velocity is reached by half a step, so that the
// positions are of second order; q' stands half a step behind q from then on. Steps of another length than the last one
// take the mean of the two for the velocity.
//
// Contacts. An impulse P changes q' by Y P, Y = S^-1, and q by h Y P, as it does with a frame. A linear undamped body
// keeps E = |v_1|^2 / 2 + q_1.K q_2 / 2, which is positive for omega h < 2, and with u_0 = n.U v_0, u_1 = n.U v_1
//
//     E_1 - E_0 = P (u_0 + u_1) / 2:
//
// the rule of BodyBatch.h holds as it stands, with the velocity at the start of the step.
#include <algorithm>
#include <cmath>

#include "pliant/runtime/BodyTerms.h"
#include "pliant/runtime/SymmetricSystem.h"
#include "pliant/runtime/integrators/BodyStep.h"
#include "pliant/runtime/integrators/IntegratorTable.h"

namespace pliant {
namespace {

/// Factors S = 1 + k/2 D of the q that was evaluated last, k in s; without the stiffness damping where S is not
/// positive.
/// @param strainRate packed D(q), or null
void factorDamping(BatchStorage& batch, int body, double k, const double* strainRate, BlockScratch& block) {
    const DampingSettings& damping = batch.settings.damping;
    const ModelCoefficients& model = batch.coefficients;
    const bool current = damping.form == DampingForm::CurrentStiffness;
    const int r = batch.r, n = model.systemRows;
    double* const factor = batch.factor(body);
    const auto assemble = [&](double stiffness) {
        double* entry = factor;
        for (int a = 0, pair = 0; a < n; ++a)
            for (int b = a; b < n; ++b, ++entry) {
                *entry = a == b ? 1.0 + 0.5 * k * damping.mass : 0.0;
                if (b >= r) continue;
                double K = model.restStiffness.data()[pair];
                if (current)
                    K += model.doublePrecision ? block.doubleTangent.data()[pair]
                                               : static_cast<double>(block.singleTangent.data()[pair]);
                *entry += 0.5 * k * (stiffness * K + (strainRate ? strainRate[pair] : 0.0));
                ++pair;
            }
    };
    assemble(damping.stiffness);
    if (factorPositive(n, factor)) return;
    batch.record(body).status = BodyStatus::NegativeStiffness;
    assemble(0.0);
    factorPositive(n, factor);
}

/// v_1 of the recurrence above, into `next`. @param k time between v_0 and v_1, s @return whether it is finite
bool nextVelocity(BatchStorage& batch, int body, double h, double k, BlockScratch& block, double* next) {
    const DampingSettings& damping = batch.settings.damping;
    const int r = batch.r, rows = kernels::roundUp(batch.coefficients.systemRows, kernels::panelRows);
    double *force = block.vectors.data() + rows, *dampingProduct = force + rows, *rate = dampingProduct + rows;
    elasticForce(batch, body, block, force, dampingProduct);
    std::fill(rate, rate + rows, 0.0);
    const double* strainRate = nullptr;
    if (batch.dampsStrainRate())
        strainRate = addStrainRate(batch, batch.vector(batch.q, body), batch.vector(batch.v, body), block, rate);
    factorDamping(batch, body, k, strainRate, block);
    const ConstVectorView v(batch.vector(batch.v, body), r), f(batch.vector(batch.f, body), r),
        contact(batch.vector(batch.contactForce, body), r);
    std::fill(next, next + rows, 0.0);
    VectorView result(next, r);
    // Impulses of contacts, which are part of f, are of the whole step, however long the velocity's is.
    result =
        v -
        0.5 * k *
            (damping.mass * v + damping.stiffness * ConstVectorView(dampingProduct, r) + ConstVectorView(rate, r)) +
        k * (f - contact - ConstVectorView(force, r)) + h * contact;
    solveFactored(batch.coefficients.systemRows, batch.factor(body), next);
    return result.allFinite();
}

void stepBody(BatchStorage& batch, double h, int body) {
    BlockScratch& block = acquireScratch(batch);
    BodyRecord& state = batch.record(body);
    state.ledger.known = false;
    // `history` counts the steps since q and q' were last given.
    const double k = state.history == 0 ? 0.5 * h : 0.5 * (h + state.stepSize);
    prepareBody(batch, body, h, block);
    state.gamma = 0.5;
    state.beta = 0.25;
    state.inverted = false;
    if (h * batch.modes.frequencies.maxCoeff() >= 2.0) state.status = BodyStatus::StepTooLong;
    const int r = batch.r;
    double* next = block.vectors.data();
    const bool finite = nextVelocity(batch, body, h, k, block, next);
    VectorView q(batch.vector(batch.q, body), r), v(batch.vector(batch.v, body), r), a(batch.vector(batch.a, body), r);
    if (finite && (q + h * ConstVectorView(next, r)).allFinite()) {
        a = (ConstVectorView(next, r) - v) / k;
        v = ConstVectorView(next, r);
        q += h * v;
        state.history = 1;
    } else {
        restoreAtRest(batch, body);
    }
    finishBody(batch, body, h, block);
    releaseScratch(block);
}

void stepBodies(BatchStorage& batch, double h, const int* bodies, int count, const Workers& workers) {
    struct Job {
        BatchStorage* batch;
        const int* bodies;
        double h;
    } job{&batch, bodies, h};
    workers.forBlocks(count, 4, [&job](int begin, int end) {
        for (int i = begin; i < end; ++i) stepBody(*job.batch, job.h, job.bodies[i]);
    });
}

}  // namespace

const IntegrationScheme centralDifferencesScheme = {
    {Integrator::CentralDifferences, "central_differences", /*feelsRotation*/ false, /*hasInertia*/ true,
     /*holdsForceOverStep*/ false, /*expectsImpulses*/ false, /*joinsLimbs*/ false},
    [](double h, double, double) { return h; },
    [](BatchStorage& batch, int body, BlockScratch& block) { balanceAcceleration(batch, body, block); },
    stepBodies,
    nullptr,
    [](BatchStorage& batch, int body, double h, double* predicted, BlockScratch&) {
        VectorView(predicted, batch.r) = ConstVectorView(batch.vector(batch.q, body), batch.r) +
                                         h * ConstVectorView(batch.vector(batch.v, body), batch.r);
    }};

}  // namespace pliant
