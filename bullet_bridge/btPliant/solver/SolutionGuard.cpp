// SPDX-License-Identifier: Zlib
// A guard over the solution that the iterations have found, before it is written back.
//
// Projected Gauss-Seidel lowers D = d'W d / 2 - d'c in every step, d being the change of the impulses, and c the
// velocities that the rows were asked to add to what moves as they begin: at its end d'W d / 2 <= d'c. The kinetic
// energy of the change alone is no more than d'W d / 2 (the system matrix of a body is not less than its mass; of
// whitened rows x'x / 2 is all of it), so where it exceeds the sum of |d c| by a wide margin the iterations have
// diverged: rows that respond to each other unsymmetrically, masses whose sign a negative softness has changed, numbers
// that are not finite. Modes begin with the impulses P_0 of the last step, which their free step has had, so theirs is
// d = P - P_0: where a load goes, P is 0 and d is not. Frames begin without, so theirs is d = P. The larger one counts.
// (c of frames is that before P_0; what moves already is therefore allowed for.) Springs by area give what they hold
// besides: of a stiff one that has stopped a body c is nearly nothing. Nothing is saved of such a solution:
// bodies that took more than their share of it are put back to where the step began, at rest, and say so; Bullet's own
// bodies go on as if nothing had touched them in this step.
#include "btPliant/solver/SolutionGuard.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "btPliant/data/ManifoldPoint.h"
#include "btPliant/data/Sound.h"
#include "btPliant/solver/RagdollRows.h"
#include "btPliant/solver/WarmStart.h"

namespace btPliantInternal {

namespace {

constexpr double kMargin = 4.0;

/// |d c| of a row, J. @param start impulse that the row has started with
double work(btScalar impulse, btScalar rhs, btScalar start = 0) {
    const btScalar change = btMax(btFabs(impulse), btFabs(impulse - start));
    const double product = static_cast<double>(change) * std::abs(static_cast<double>(rhs));
    return std::isfinite(product) ? product : 0.0;
}

/// J, that a spring holds as the step begins: none of the bodies moves by it yet.
double storedEnergy(const PenaltySpring& spring) {
    const double energy = spring.energy(spring.start);
    return std::isfinite(energy) ? energy : 0.0;
}

/// Of a frame with its inertia at rest, J.
double kinetic(const btRigidBody& body, const btVector3& linear, const btVector3& angular) {
    double energy = 0.0;
    if (body.getInvMass() > 0) energy += static_cast<double>(linear.length2()) / static_cast<double>(body.getInvMass());
    const btVector3 W = angular * body.getWorldTransform().getBasis();
    for (int k = 0; k < 3; ++k) {
        const btScalar inverse = body.getInvInertiaDiagLocal()[k];
        if (inverse > 0) energy += static_cast<double>(W[k] * W[k]) / static_cast<double>(inverse);
    }
    return 0.5 * energy;
}

/// Takes back what the solver did, and velocities that are not finite.
void stopBody(btSolverBody& body) {
    for (btVector3* velocity :
         {&body.m_deltaLinearVelocity, &body.m_deltaAngularVelocity, &body.m_pushVelocity, &body.m_turnVelocity})
        velocity->setZero();
    for (btVector3* velocity :
         {&body.m_linearVelocity, &body.m_angularVelocity, &body.m_externalForceImpulse, &body.m_externalTorqueImpulse})
        if (!isFinite(*velocity)) velocity->setZero();
}

/// Writes the energy that every body's change has. @return J, kinetic, of the group before the impulses
double measureEnergyGains(const SolverBodies& bodies, const pliant::Workers& workers, ContactConstraints& all) {
    std::vector<double>&energyGains = all.divergence.energyGains, &partialSums = all.scratch.partialSums;
    const auto frames = static_cast<std::size_t>(bodies.size());
    energyGains.assign(frames, 0.0);
    partialSums.assign(frames + all.reducedBodies.size(), 0.0);  // of the energy before
    const auto measureFrames = [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            const btSolverBody& body = bodies[i];
            if (!body.m_originalBody) continue;
            const double before = kinetic(*body.m_originalBody, body.m_linearVelocity + body.m_externalForceImpulse,
                                          body.m_angularVelocity + body.m_externalTorqueImpulse);
            const bool sound = std::isfinite(before) && isFinite(body.m_pushVelocity) && isFinite(body.m_turnVelocity);
            partialSums[static_cast<std::size_t>(i)] = sound ? before : 0.0;
            energyGains[static_cast<std::size_t>(i)] =
                sound ? kinetic(*body.m_originalBody, body.m_deltaLinearVelocity, body.m_deltaAngularVelocity)
                      : std::nan("");
        }
    };
    workers.forBlocks(bodies.size(), 64, std::cref(measureFrames));
    const auto measureModes = [&](int begin, int end) {
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
            ReducedBody& s = all.reducedBodies[i];
            const BodyData& data = dataOf(*s.body);
            const btScalar* found = all.modalVelocities.data() + s.velocityOffset;
            s.energyGain = 0.0;
            for (int j = 0; j < s.stride; ++j)
                s.energyGain += 0.5 * static_cast<double>(found[j]) * static_cast<double>(found[j]);
            partialSums[frames + i] = 0.5 * data.batch().velocity(data.slot).squaredNorm();
            if (const RagdollData* d = data.ragdoll()) {
                static thread_local std::vector<double> both;  // grows, and stays
                both.assign(found, found + solvedDimension(data));
                const Eigen::Index r = data.model().dimension();
                const Eigen::Map<const pliant::VectorX> q1(both.data(), r), V(both.data() + r, d->size());
                s.energyGain = d->system.kineticEnergy(V, q1);
                partialSums[frames + i] = d->system.kineticEnergy(d->V, data.batch().velocity(data.slot));
            }
        }
    };
    workers.forBlocks(static_cast<int>(all.reducedBodies.size()), 64, std::cref(measureModes));
    return std::accumulate(partialSums.begin(), partialSums.end(), 0.0);
}

/// J, the sum of |d c| over all rows, and what springs hold. @param workOfJoints the same of those
double workOfConstraints(double workOfJoints, const btContactSolverInfo& info, const pliant::Workers& workers,
                         ContactConstraints& all) {
    std::vector<double>& partialSums = all.scratch.partialSums;
    constexpr int size = 64;
    partialSums.assign(static_cast<std::size_t>((all.contacts.size() + size - 1) / size), 0.0);
    const auto sumBlock = [&](int begin, int end) {
        double sum = 0.0;
        for (int c = begin; c < end; ++c) {
            const ContactConstraint& contact = all.contacts[c];
            const bool hasVelocity = !contact.isPenalty || contact.isSpring;
            const btScalar asked = hasVelocity ? btFabs(contact.rows[0].rhs) : btScalar(0);
            const bool hasGap = !contact.isSpring && !hasRagdoll(contact, all.reducedBodies);
            const btScalar gap = hasGap ? btFabs(contact.gapRhs) : btScalar(0);
            btScalar start[3];
            startingImpulses(contact, info, all.reducedBodies, start);
            sum += work(contact.rows[0].impulse, btMax(asked, gap), start[0]);
            for (int k = 1; k < 3; ++k) sum += work(contact.rows[k].impulse, contact.rows[k].rhs, start[k]);
            if (contact.isSpring) sum += storedEnergy(all.springs[static_cast<std::size_t>(c)]);
        }
        partialSums[static_cast<std::size_t>(begin / size)] = sum;
    };
    workers.forBlocks(all.contacts.size(), size, std::cref(sumBlock));
    double sum = std::accumulate(partialSums.begin(), partialSums.end(), workOfJoints);
    for (int t = 0; t < all.torsions.size(); ++t) sum += work(all.torsions[t].impulse, all.torsions[t].rhs);
    for (const RagdollLimit& limit : all.limits) sum += work(limit.impulse, limit.rhs);
    return sum;
}

}  // namespace

// First those whose numbers are not finite, then, where the others have more energy than there can be, those above the
// average.
void rejectDivergedBodies(double workOfJoints, double workOfOthers, const btContactSolverInfo& info,
                          const pliant::Workers& workers, SolverBodies& bodies, ContactConstraints& all) {
    const double kineticEnergyBefore = measureEnergyGains(bodies, workers, all);
    std::vector<double>& energyGains = all.divergence.energyGains;
    const double most =
        kMargin * (workOfConstraints(workOfJoints, info, workers, all) + workOfOthers + kineticEnergyBefore);
    double sum = 0.0;
    for (const double energy : energyGains) sum += std::isfinite(energy) ? energy : 0.0;
    for (const ReducedBody& s : all.reducedBodies) sum += std::isfinite(s.energyGain) ? s.energyGain : 0.0;
    const double share = sum <= most ? sum : most / static_cast<double>(energyGains.size());
    all.divergence.any = false;
    for (ReducedBody& s : all.reducedBodies) {
        const int frame = dataOf(*s.body).frameIsFree ? s.body->getCompanionId() : -1;
        const bool frameIsSound = frame < 0 || energyGains[static_cast<std::size_t>(frame)] <= share;
        s.hasDiverged = !(s.energyGain <= share && frameIsSound);
        if (!s.hasDiverged) continue;
        all.divergence.any = true;
        if (frame >= 0) energyGains[static_cast<std::size_t>(frame)] = std::nan("");
    }
    for (int i = 0; i < bodies.size(); ++i) {
        if (energyGains[static_cast<std::size_t>(i)] <= share) continue;
        all.divergence.any = true;
        stopBody(bodies[i]);
    }
}

bool hasDiverged(const ContactConstraints& all, int reduced, int solverBody) {
    const ReducedBody* s = reducedBody(all.reducedBodies, reduced);
    return (s && s->hasDiverged) || !std::isfinite(all.divergence.energyGains[static_cast<std::size_t>(solverBody)]);
}

void restoreDivergedBodies(const ContactConstraints& all, SolverBodies& bodies) {
    if (!all.divergence.any) return;
    for (int c = 0; c < all.contacts.size(); ++c) {
        const ContactConstraint& contact = all.contacts[c];
        if (!hasDiverged(all, contact.reducedA, contact.bodyA) && !hasDiverged(all, contact.reducedB, contact.bodyB))
            continue;
        btManifoldPoint& point = *contact.point;
        point.m_appliedImpulse = point.m_appliedImpulseLateral1 = point.m_appliedImpulseLateral2 = 0;
        point.m_contactMotion1 = point.m_contactMotion2 = point.m_frictionCFM = splitImpulseOf(point) = 0;
    }
    for (const ReducedBody& s : all.reducedBodies) {
        if (!s.hasDiverged) continue;
        BodyData& data = dataOf(*s.body);
        data.batch().putBack(data.slot, data.previousQ.data());
        if (RagdollData* d = data.ragdoll()) d->V.setZero();
        data.angularMomentum.setZero();
        if (!data.frameIsFree) continue;
        btSolverBody& frame = bodies[s.body->getCompanionId()];
        for (btVector3* each : {&frame.m_linearVelocity, &frame.m_angularVelocity, &frame.m_externalForceImpulse,
                                &frame.m_externalTorqueImpulse})
            each->setZero();
    }
}

}  // namespace btPliantInternal
