// SPDX-License-Identifier: Zlib
// What the step of a body begins and ends with, alone or in a group: forces, gyroscopic halves, history, a bad end.
#include "pliant/runtime/integrators/BodyStep.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "pliant/runtime/BodyTerms.h"
#include "pliant/runtime/energy/EnergyGuard.h"
#include "pliant/runtime/integrators/InertialForces.h"

namespace pliant {

bool invertSystem(BatchStorage& batch, int body, BlockScratch& block) {
    BodyRecord& record = batch.record(body);
    record.inverted = true;
    record.tangent.known = record.tangent.isRest = false;
    record.status = BodyStatus::NegativeStiffness;
    const double mass = 1.0 + batch.settings.newmark.gamma * record.stepSize * batch.settings.damping.mass;
    return block.definite.compute(mass, batch.system(body), batch.factor(body));
}

bool frameIsDefinite(const Matrix3& schur, const Matrix3& inertia, const double* coupling, int stride, int r) {
    constexpr double share = 1.0 / (largestInversePivot * largestInversePivot);
    Matrix3 massAlone = inertia;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j <= i; ++j)
            massAlone(i, j) -= ConstVectorView(coupling + i * stride, r).dot(ConstVectorView(coupling + j * stride, r));
    // Where flesh carries nearly all of the inertia about an axis, both are rounding. (Eigen reads the lower triangle.)
    const Matrix3 room = 1e-12 * inertia.trace() * Matrix3::Identity();
    const Eigen::LLT<Matrix3> factor(schur - share * massAlone + room);
    return factor.info() == Eigen::Success;
}

namespace {

void keepHistory(BatchStorage& batch, int body) {
    BodyRecord& state = batch.record(body);
    for (int back = 2; back > 0; --back) {
        std::copy_n(batch.vector(batch.pastQ[back - 1], body), batch.stride, batch.vector(batch.pastQ[back], body));
        std::copy_n(batch.rigidVector(batch.pastProducts[back - 1], body), batch.rigidStride,
                    batch.rigidVector(batch.pastProducts[back], body));
    }
    std::copy_n(batch.vector(batch.q, body), batch.stride, batch.vector(batch.pastQ[0], body));
    std::copy_n(batch.rigidVector(batch.rigidProducts, body), batch.rigidStride,
                batch.rigidVector(batch.pastProducts[0], body));
    state.history = std::min(3, state.history + 1);
}

}  // namespace

void prepareBody(BatchStorage& batch, int body, double h, BlockScratch& block) {
    BodyRecord& state = batch.record(body);
    const bool turning = batch.feelsRotation();
    if (turning) rotateHalf(batch, state.frame.angularVelocity, h, batch.vector(batch.v, body), block);
    addInertialForces(batch, body, h, block);
    const ConstVectorView contact(batch.vector(batch.contactForce, body), batch.r);
    VectorView(batch.vector(batch.f, body), batch.r) += contact;
    VectorView(batch.vector(batch.a, body), batch.r) += contact;
    if (batch.reacts()) keepHistory(batch, body);
    std::copy_n(batch.vector(batch.v, body), batch.r, batch.vector(batch.startVelocity, body));
    std::copy_n(batch.vector(batch.q, body), batch.r, batch.vector(batch.rowPosition, body));
    state.status = state.limited ? BodyStatus::EnergyLimited : BodyStatus::Ok;
    state.limited = false;
    state.stepSize = h;
    state.gamma = batch.settings.newmark.gamma;
    state.beta = batch.settings.newmark.beta();
    state.angularResponseValid = false;
}

void finishBody(BatchStorage& batch, int body, double h, BlockScratch& block) {
    BodyRecord& state = batch.record(body);
    limitFreeStep(batch, body, h, block);
    if (state.limited && state.status != BodyStatus::RestoredLastState) state.status = BodyStatus::EnergyLimited;
    state.limited = state.expectsImpulses = false;
    if (batch.feelsRotation()) rotateHalf(batch, state.endAngularVelocity, h, batch.vector(batch.v, body), block);
    state.previousAngularVelocity = state.frame.angularVelocity;
    state.rigidValid = false;
    VectorView(batch.vector(batch.a, body), batch.r) -=
        ConstVectorView(batch.vector(batch.contactForce, body), batch.r);
    std::fill_n(batch.vector(batch.contactForce, body), batch.r, 0.0);
    std::fill_n(batch.vector(batch.f, body), batch.r, 0.0);
}

void balanceAcceleration(BatchStorage& batch, int body, BlockScratch& block) {
    const int rows = kernels::roundUp(batch.coefficients.systemRows, kernels::panelRows);
    double* force = block.vectors.data();
    double* damping = force + rows;
    elasticForce(batch, body, block, force, damping);
    if (batch.dampsStrainRate())
        addStrainRate(batch, batch.vector(batch.q, body), batch.vector(batch.v, body), block, force);
    VectorView(batch.vector(batch.a, body), batch.r) =
        -ConstVectorView(force, batch.r) -
        batch.settings.damping.mass * VectorView(batch.vector(batch.v, body), batch.r) -
        batch.settings.damping.stiffness * ConstVectorView(damping, batch.r);
}

void restoreAtRest(BatchStorage& batch, int body) {
    double* position = batch.vector(batch.q, body);
    for (int j = 0; j < batch.r; ++j)
        if (!std::isfinite(position[j])) position[j] = 0.0;
    std::fill_n(batch.vector(batch.v, body), batch.r, 0.0);
    std::fill_n(batch.vector(batch.a, body), batch.r, 0.0);
    std::fill_n(batch.vector(batch.contactForce, body), batch.r, 0.0);
    forgetSteps(batch, body);
    batch.record(body).status = BodyStatus::RestoredLastState;
}

void forgetSteps(BatchStorage& batch, int body) {
    BodyRecord& state = batch.record(body);
    state.inverted = state.rigidValid = state.angularResponseValid = state.expectsImpulses = false;
    state.tangent.known = state.tangent.isRest = false;
    state.history = 0;
    state.ledger = EnergyLedger();
    state.endAngularVelocity.setZero();
    state.endInertia = batch.model->inertia.principalInertia.asDiagonal();
    std::fill_n(batch.factor(body), batch.factorStride, 0.0);
    for (int j = 0; j < batch.coefficients.systemRows; ++j) {
        const int diagonal = kernels::packedIndex(batch.coefficients.systemRows, j, j);
        batch.factor(body)[diagonal] = batch.system(body)[diagonal] = 1.0;
    }
    std::fill_n(batch.threeColumns(batch.couplingColumns, body), 3 * batch.stride, 0.0);
    std::fill_n(batch.vector(batch.startVelocity, body), batch.r, 0.0);
    std::copy_n(batch.vector(batch.q, body), batch.r, batch.vector(batch.rowPosition, body));
    std::fill_n(batch.vector(batch.lastForce, body), batch.r, 0.0);
    for (int back = 0; back < 3; ++back) {  // weights of 0 do not silence a NaN
        std::fill_n(batch.vector(batch.pastQ[back], body), batch.stride, 0.0);
        std::fill_n(batch.rigidVector(batch.pastProducts[back], body), batch.rigidStride, 0.0);
    }
}

void clearBody(BatchStorage& batch, int body) {
    for (kernels::AlignedArray<double>* array :
         {&batch.q, &batch.v, &batch.a, &batch.f, &batch.startVelocity, &batch.rowPosition, &batch.startPosition,
          &batch.workForce, &batch.lastForce, &batch.contactForce, &batch.tangentQ, &batch.tangentForce,
          &batch.pastQ[0], &batch.pastQ[1], &batch.pastQ[2]})
        std::fill_n(batch.vector(*array, body), batch.stride, 0.0);
    batch.record(body) = BodyRecord();
    forgetSteps(batch, body);
}

}  // namespace pliant
