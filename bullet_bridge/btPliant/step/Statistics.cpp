// SPDX-License-Identifier: Zlib
// What a substep found: contacts, penetrations and energies.
#include "btPliant/step/Statistics.h"

#include <algorithm>
#include <cmath>

#include "btPliant/data/ContactPair.h"
#include "btPliant/data/Convert.h"
#include "btPliant/data/SystemData.h"

namespace btPliantInternal {

using pliant::Matrix3;
using pliant::Vector3;

namespace {

void collectPenetrations(SystemData& system) {
    int count = 0;
    system.substepStats.m_manifolds = 0;
    for (ContactPair* pair : system.pairs) {
        pair->firstPenetration = count;
        count += static_cast<int>(pair->contacts.size());
        system.substepStats.m_manifolds += static_cast<int>(pair->manifolds.size());
    }
    system.substepStats.m_contacts = count;
    system.penetrations.resize(static_cast<std::size_t>(count));
    system.workers->forBlocks(static_cast<int>(system.pairs.size()), 64, [&system](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            const ContactPair& pair = *system.pairs[static_cast<std::size_t>(i)];
            double* depth = system.penetrations.data() + pair.firstPenetration;
            for (const pliant::SkeletonContact& contact : pair.contacts) {
                const double radius =
                    contact.segmentB >= 0 ? std::min(contact.radiusA, contact.radiusB) : contact.radiusA;
                *depth++ = contact.distance < 0 ? -contact.distance / radius : 0.0;
            }
        }
    });
}

double largestDepth(const SystemData& system) {
    double largest = 0.0;
    for (const ContactPair* pair : system.pairs)
        for (const pliant::SkeletonContact& contact : pair->contacts) largest = std::max(largest, -contact.distance);
    return largest;
}

}  // namespace

void collectContactStats(SystemData& system) {
    for (const btPliantBody* body : system.bodies) {
        if (!system.isInWorld(*body)) continue;
        ++system.substepStats.m_bodies;
        system.substepStats.m_awakeBodies += body->isActive();
        system.substepStats.m_restoredBodies += body->getStatus() == pliant::BodyStatus::RestoredLastState;
        system.substepStats.m_limitedBodies += body->getStatus() == pliant::BodyStatus::EnergyLimited;
    }
    collectPenetrations(system);
    system.substepStats.m_largestDepth = largestDepth(system);
    if (system.penetrations.empty()) return;
    // Contacts that do not penetrate count as zeros: they stand before all others, and are left out of the rank.
    const auto apart =
        static_cast<std::size_t>(std::count(system.penetrations.begin(), system.penetrations.end(), 0.0));
    const std::size_t deep = system.penetrations.size() - apart;
    if (deep == 0) return;
    const std::size_t rank = apart + std::min((deep * 99) / 100, deep - 1);
    const auto nth = system.penetrations.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(system.penetrations.begin(), nth, system.penetrations.end());
    system.substepStats.m_penetration99 = *nth;
    system.substepStats.m_largestPenetration = *std::max_element(nth, system.penetrations.end());
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

/// Whether `strainEnergy` belongs to the present q, which it goes on doing for what sleeps.
bool strainEnergyIsKnown(const BodyData& data) {
    const auto q = data.batch().q(data.slot);
    return data.strainCoordinates.size() == q.size() && data.strainCoordinates == q;
}

void collectStrainEnergies(SystemData& system) {
    for (const auto& group : system.groups) group->strainedSlots.clear();
    for (btPliantBody* body : system.work) {
        BodyData& data = dataOf(*body);
        if (strainEnergyIsKnown(data)) continue;
        data.strainIndex = static_cast<int>(data.group->strainedSlots.size());
        data.group->strainedSlots.push_back(data.slot);
    }
    for (const auto& group : system.groups) {
        group->strainEnergies.resize(group->strainedSlots.size());
        group->batch->strainEnergies(group->strainedSlots, group->strainEnergies.data(), *system.workers);
    }
    for (btPliantBody* body : system.work) {
        BodyData& data = dataOf(*body);
        if (data.strainIndex < 0) continue;
        data.strainEnergy = data.group->strainEnergies[static_cast<std::size_t>(data.strainIndex)];
        data.strainCoordinates = data.batch().q(data.slot);
        data.strainIndex = -1;
    }
}

}  // namespace

void collectEnergies(SystemData& system) {
    if (system.energiesAreMeasured) return;
    system.energiesAreMeasured = true;
    const Vector3 gravity = toEigen(system.world->getGravity());
    system.work.clear();
    for (btPliantBody* body : system.bodies)
        if (system.isInWorld(*body)) system.work.push_back(body);
    collectStrainEnergies(system);
    system.energies.assign(system.work.size(), 0.0);  // summed in order
    system.workers->forBlocks(static_cast<int>(system.work.size()), 4, [&system](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            const auto index = static_cast<std::size_t>(i);
            system.energies[index] = system.work[index]->getKineticEnergy();
        }
    });
    system.stats.m_kineticEnergy = system.stats.m_elasticEnergy = system.stats.m_potentialEnergy = 0;
    for (std::size_t i = 0; i < system.work.size(); ++i) {
        system.stats.m_kineticEnergy += system.energies[i];
        system.stats.m_elasticEnergy += dataOf(*system.work[i]).strainEnergy;
        system.stats.m_potentialEnergy += potential(*system.work[i], gravity);
    }
    const auto& others = system.world->getNonStaticRigidBodies();
    for (int i = 0; i < others.size(); ++i) {
        const btRigidBody& body = *others[i];
        if (body.getInvMass() == btScalar(0) || btPliantBody::upcast(&body)) continue;
        const double mass = 1.0 / static_cast<double>(body.getInvMass());
        const btMatrix3x3& basis = body.getWorldTransform().getBasis();
        const Vector3 W = toEigen(btVector3(body.getAngularVelocity() * basis));
        const Vector3 inverse = toEigen(body.getInvInertiaDiagLocal());
        for (int k = 0; k < 3; ++k)
            if (inverse[k] > 0) system.stats.m_kineticEnergy += 0.5 * W[k] * W[k] / inverse[k];
        system.stats.m_kineticEnergy += 0.5 * mass * static_cast<double>(body.getLinearVelocity().length2());
        system.stats.m_potentialEnergy -= mass * gravity.dot(toEigen(body.getCenterOfMassPosition()));
    }
}

}  // namespace btPliantInternal
