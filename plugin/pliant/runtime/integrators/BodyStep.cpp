// SPDX-License-Identifier: Zlib
// What the step of a body begins and ends with, alone or in a group: forces, gyroscopic halves, history, a bad end.
#include <algorithm>
#include <cmath>

#include "pliant/runtime/BatchStorage.h"

namespace pliant {

bool BatchStorage::invertSystem(int body, BlockScratch& block) {
    BodyRecord& record = this->record(body);
    record.inverted = true;
    record.tangent.known = false;
    record.status = BodyStatus::NegativeStiffness;
    const double mass = 1.0 + settings.newmark.gamma * record.stepSize * settings.damping.mass;
    return block.definite.compute(mass, system(body), factor(body));
}

void BatchStorage::prepareBody(int body, double h, BlockScratch& block) {
    BodyRecord& state = record(body);
    const bool turning = feelsRotation();
    if (turning) rotateHalf(state.frame.angularVelocity, h, vector(v, body), block);
    addInertialForces(body, h, block);
    const ConstVectorView contact(vector(contactForce, body), r);
    VectorView(vector(f, body), r) += contact;
    VectorView(vector(a, body), r) += contact;
    if (reacts()) keepHistory(body);
    std::copy_n(vector(v, body), r, vector(startVelocity, body));
    std::copy_n(vector(q, body), r, vector(rowPosition, body));
    state.status = state.limited ? BodyStatus::EnergyLimited : BodyStatus::Ok;
    state.limited = false;
    state.stepSize = h;
    state.gamma = settings.newmark.gamma;
    state.beta = settings.newmark.beta();
    state.angularResponseValid = false;
}

void BatchStorage::keepHistory(int body) {
    BodyRecord& state = record(body);
    for (int back = 2; back > 0; --back) {
        std::copy_n(vector(pastQ[back - 1], body), stride, vector(pastQ[back], body));
        std::copy_n(rigidVector(pastProducts[back - 1], body), rigidStride, rigidVector(pastProducts[back], body));
    }
    std::copy_n(vector(q, body), stride, vector(pastQ[0], body));
    std::copy_n(rigidVector(rigidProducts, body), rigidStride, rigidVector(pastProducts[0], body));
    state.history = std::min(3, state.history + 1);
}

void BatchStorage::finishBody(int body, double h, BlockScratch& block) {
    BodyRecord& state = record(body);
    limitFreeStep(body, h, block);
    if (state.limited && state.status != BodyStatus::RestoredLastState) state.status = BodyStatus::EnergyLimited;
    state.limited = false;
    if (feelsRotation()) rotateHalf(state.endAngularVelocity, h, vector(v, body), block);
    state.previousAngularVelocity = state.frame.angularVelocity;
    state.rigidValid = false;
    VectorView(vector(a, body), r) -= ConstVectorView(vector(contactForce, body), r);
    std::fill_n(vector(contactForce, body), r, 0.0);
    std::fill_n(vector(f, body), r, 0.0);
}

void BatchStorage::balanceAcceleration(int body, BlockScratch& block) {
    const int rows = kernels::roundUp(coefficients.systemRows, kernels::panelRows);
    double* force = block.vectors.data();
    double* damping = force + rows;
    elasticForce(body, block, force, damping);
    if (dampsStrainRate()) addStrainRate(vector(q, body), vector(v, body), block, force);
    VectorView(vector(a, body), r) = -ConstVectorView(force, r) -
                                     settings.damping.mass * VectorView(vector(v, body), r) -
                                     settings.damping.stiffness * ConstVectorView(damping, r);
}

/// The q of before the step at rest (0 where even that is not finite).
void BatchStorage::restoreAtRest(int body) {
    double* position = vector(q, body);
    for (int j = 0; j < r; ++j)
        if (!std::isfinite(position[j])) position[j] = 0.0;
    std::fill_n(vector(v, body), r, 0.0);
    std::fill_n(vector(a, body), r, 0.0);
    std::fill_n(vector(contactForce, body), r, 0.0);
    forgetSteps(body);
    record(body).status = BodyStatus::RestoredLastState;
}

/// No past, and the identity for a factor: contact rows get finite answers.
void BatchStorage::forgetSteps(int body) {
    BodyRecord& state = record(body);
    state.inverted = state.rigidValid = state.angularResponseValid = state.tangent.known = false;
    state.history = 0;
    state.ledger = EnergyLedger();
    state.endAngularVelocity.setZero();
    state.endInertia = model->inertia.principalInertia.asDiagonal();
    std::fill_n(factor(body), factorStride, 0.0);
    for (int j = 0; j < coefficients.systemRows; ++j) {
        const int diagonal = kernels::packedIndex(coefficients.systemRows, j, j);
        factor(body)[diagonal] = system(body)[diagonal] = 1.0;
    }
    std::fill_n(threeColumns(couplingColumns, body), 3 * stride, 0.0);
    std::fill_n(vector(startVelocity, body), r, 0.0);
    std::copy_n(vector(q, body), r, vector(rowPosition, body));
    std::fill_n(vector(lastForce, body), r, 0.0);
    for (int back = 0; back < 3; ++back) {  // weights of 0 do not silence a NaN
        std::fill_n(vector(pastQ[back], body), stride, 0.0);
        std::fill_n(rigidVector(pastProducts[back], body), rigidStride, 0.0);
    }
}

}  // namespace pliant
