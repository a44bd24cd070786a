// SPDX-License-Identifier: Zlib
// What a substep found: contacts, penetrations and energies.
#include <algorithm>
#include <cmath>

#include "btPliant/body/Convert.h"
#include "btPliant/narrowphase/PairPrefetch.h"
#include "btPliant/step/SystemData.h"

using btPliantInternal::ContactPair;
using btPliantInternal::toEigen;
using pliant::Matrix3;
using pliant::Vector3;

void btPliantSystem::Data::collectContactStats() {
    for (const btPliantBody* body : bodies) {
        if (!isInWorld(*body)) continue;
        ++substepStats.m_bodies;
        substepStats.m_awakeBodies += body->isActive();
        substepStats.m_restoredBodies += body->getStatus() == pliant::BodyStatus::RestoredLastState;
        substepStats.m_limitedBodies += body->getStatus() == pliant::BodyStatus::EnergyLimited;
    }
    collectPenetrations();
    if (penetrations.empty()) return;
    // Contacts that do not penetrate count as zeros: they stand before all others, and are left out of the rank.
    const auto apart = static_cast<std::size_t>(std::count(penetrations.begin(), penetrations.end(), 0.0));
    const std::size_t deep = penetrations.size() - apart;
    if (deep == 0) return;
    const std::size_t rank = apart + std::min((deep * 99) / 100, deep - 1);
    const auto nth = penetrations.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(penetrations.begin(), nth, penetrations.end());
    substepStats.m_penetration99 = *nth;
    substepStats.m_largestPenetration = *std::max_element(nth, penetrations.end());
}

void btPliantSystem::Data::collectPenetrations() {
    int count = 0;
    substepStats.m_manifolds = 0;
    for (ContactPair* pair : pairs) {
        pair->firstPenetration = count;
        count += static_cast<int>(pair->contacts.size());
        substepStats.m_manifolds += static_cast<int>(pair->manifolds.size());
    }
    substepStats.m_contacts = count;
    penetrations.resize(static_cast<std::size_t>(count));
    workers->forBlocks(static_cast<int>(pairs.size()), 64, [this](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            const ContactPair& pair = *pairs[static_cast<std::size_t>(i)];
            btPliantInternal::prefetchContacts(pairs, i);
            double* depth = penetrations.data() + pair.firstPenetration;
            for (const pliant::SkeletonContact& contact : pair.contacts) {
                const double radius =
                    contact.segmentB >= 0 ? std::min(contact.radiusA, contact.radiusB) : contact.radiusA;
                *depth++ = contact.distance < 0 ? -contact.distance / radius : 0.0;
            }
        }
    });
}

namespace {

/// Gravity's potential of one of ours, J; D_j q_j moves the centre of mass of anchored bodies.
double potential(const btPliantBody& body, const Vector3& gravity) {
    const pliant::InertiaIntegrals& inertia = body.getModel().inertia;
    const pliant::RigidTransform frame = toEigen(body.getWorldTransform());
    Vector3 moment = inertia.mass * frame.translation;
    if (inertia.translation.cols() > 0) moment += frame.rotation * (inertia.translation * body.getReducedCoordinates());
    return -gravity.dot(moment);
}

}  // namespace

bool btPliantBody::Data::strainEnergyIsKnown() const {
    const auto q = batch().q(slot);
    return strainCoordinates.size() == q.size() && strainCoordinates == q;
}

void btPliantSystem::Data::collectStrainEnergies() {
    for (const auto& group : groups) group->strainedSlots.clear();
    for (btPliantBody* body : work) {
        btPliantBody::Data& data = body->data();
        if (data.strainEnergyIsKnown()) continue;
        data.strainIndex = static_cast<int>(data.group->strainedSlots.size());
        data.group->strainedSlots.push_back(data.slot);
    }
    for (const auto& group : groups) {
        group->strainEnergies.resize(group->strainedSlots.size());
        group->batch->strainEnergies(group->strainedSlots, group->strainEnergies.data(), *workers);
    }
    for (btPliantBody* body : work) {
        btPliantBody::Data& data = body->data();
        if (data.strainIndex < 0) continue;
        data.strainEnergy = data.group->strainEnergies[static_cast<std::size_t>(data.strainIndex)];
        data.strainCoordinates = data.batch().q(data.slot);
        data.strainIndex = -1;
    }
}

void btPliantSystem::Data::collectEnergies() {
    if (energiesAreMeasured) return;
    energiesAreMeasured = true;
    const Vector3 gravity = toEigen(world->getGravity());
    work.clear();
    for (btPliantBody* body : bodies)
        if (isInWorld(*body)) work.push_back(body);
    collectStrainEnergies();
    energies.assign(work.size(), 0.0);  // summed in order
    workers->forBlocks(static_cast<int>(work.size()), 4, [this](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            const auto index = static_cast<std::size_t>(i);
            energies[index] = work[index]->getKineticEnergy();
        }
    });
    stats.m_kineticEnergy = stats.m_elasticEnergy = stats.m_potentialEnergy = 0;
    for (std::size_t i = 0; i < work.size(); ++i) {
        stats.m_kineticEnergy += energies[i];
        stats.m_elasticEnergy += work[i]->data().strainEnergy;
        stats.m_potentialEnergy += potential(*work[i], gravity);
    }
    const auto& others = world->getNonStaticRigidBodies();
    for (int i = 0; i < others.size(); ++i) {
        const btRigidBody& body = *others[i];
        if (body.getInvMass() == btScalar(0) || btPliantBody::upcast(&body)) continue;
        const double mass = 1.0 / static_cast<double>(body.getInvMass());
        const btMatrix3x3& basis = body.getWorldTransform().getBasis();
        const Vector3 W = toEigen(btVector3(body.getAngularVelocity() * basis));
        const Vector3 inverse = toEigen(body.getInvInertiaDiagLocal());
        for (int k = 0; k < 3; ++k)
            if (inverse[k] > 0) stats.m_kineticEnergy += 0.5 * W[k] * W[k] / inverse[k];
        stats.m_kineticEnergy += 0.5 * mass * static_cast<double>(body.getLinearVelocity().length2());
        stats.m_potentialEnergy -= mass * gravity.dot(toEigen(body.getCenterOfMassPosition()));
    }
}
