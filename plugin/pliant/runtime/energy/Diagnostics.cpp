// SPDX-License-Identifier: Zlib
// What can be read of a body: energies, momenta, the energy of every mode.
#include <Eigen/Geometry>
#include <algorithm>

#include "pliant/runtime/BodyTerms.h"

namespace pliant {

double BodyBatch::strainEnergy(int body) const {
    BlockScratch& block = acquireScratch(*m_data);
    const int rows = kernels::roundUp(m_data->coefficients.systemRows, kernels::panelRows);
    const double energy = elasticForce(*m_data, body, block, block.vectors.data(), block.vectors.data() + rows);
    releaseScratch(block);
    return energy;
}

double BodyBatch::startStrainEnergy(int body) const {
    const BodyRecord& state = m_data->record(body);
    return state.ledger.known ? state.startStrain : strainEnergy(body);
}

double BodyBatch::kineticEnergy(int body, const Vector3& linearVelocity, const Vector3& W) const {
    // int rho |v + W x x + U q'|^2 / 2; D couples q' with the frame's velocity, D q with its rotation.
    const InertiaIntegrals& integrals = model().inertia;
    const ConstVectorView x = q(body), velocity = this->velocity(body);
    const Vector3 drift = integrals.translation * velocity, offset = integrals.translation * x;
    const double frame = 0.5 * integrals.mass * linearVelocity.squaredNorm() + 0.5 * W.dot(inertia(body) * W);
    if (!m_data->scheme->hasInertia) return frame + linearVelocity.dot(W.cross(offset));
    return frame + 0.5 * velocity.squaredNorm() + W.dot(modalAngularMomentum(body)) +
           linearVelocity.dot(drift + W.cross(offset));
}

Vector3 BodyBatch::linearMomentum(int body, const Vector3& linearVelocity, const Vector3& W) const {
    const InertiaIntegrals& integrals = model().inertia;
    const Vector3 offset = integrals.translation * q(body);
    Vector3 momentum = integrals.mass * linearVelocity + W.cross(offset);
    if (m_data->scheme->hasInertia) momentum += integrals.translation * velocity(body);
    return momentum;
}

void BodyBatch::modalEnergies(int body, double* energies) const {
    const RestModes& modes = m_data->modes;
    const bool moves = m_data->scheme->hasInertia;
    for (int i = 0; i < m_data->r; ++i) {
        const double x = modes.vectors.col(i).dot(q(body)),
                     rate = moves ? modes.vectors.col(i).dot(velocity(body)) : 0.0;
        energies[i] = 0.5 * (rate * rate + modes.squares[i] * x * x);
    }
}

const VectorX& BodyBatch::modalFrequencies() const {
    return m_data->modes.frequencies;
}

}  // namespace pliant
