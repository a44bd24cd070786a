// SPDX-License-Identifier: Zlib
#include "btPliant/solver/SolidWork.h"

#include <algorithm>
#include <functional>

#include "btPliant/solver/ContactAccount.h"

namespace btPliantInternal {

namespace {

constexpr double kTolerated = 0.02;  ///< share of a body's energy that its contacts may bring in by a step

/// Calls `each` with the contacts of a body's account that carry impulses, and their number; those with itself once.
template <class Each>
void forContacts(const ReducedBody& s, ContactConstraints& all, const Each& each) {
    for (int i = s.firstSide; i < s.firstSide + s.sideCount; ++i) {
        const ConstraintSide side = all.sides[static_cast<std::size_t>(i)];
        ContactConstraint& contact = all.contacts[side.contact];
        if (contact.isPenalty || hasRagdoll(contact, all.reducedBodies)) continue;
        const ConstraintRow* rows = contact.rows;
        const bool carries = rows[0].impulse != 0 || rows[1].impulse != 0 || rows[2].impulse != 0;
        if (carries && (side.first || !contact.isSelf())) each(contact, static_cast<std::size_t>(side.contact));
    }
}

/// Whether a kinematic body presses one, which is where energy comes from that nobody has to have.
bool isPressed(const ReducedBody& s, const SolverBodies& bodies, ContactConstraints& all) {
    bool found = false;
    forContacts(s, all, [&](const ContactConstraint& contact, std::size_t) {
        for (const int index : {contact.bodyA, contact.bodyB}) {
            const btRigidBody* body = bodies[index].m_originalBody;
            found = found || (body && body->isKinematicObject());
        }
    });
    return found;
}

/// sum_k P_k w_k, J, of the contacts of a body, by the velocities of now.
double work(const ReducedBody& s, const SolverBodies& bodies, ContactConstraints& all) {
    double sum = 0.0;
    forContacts(s, all, [&](const ContactConstraint& contact, std::size_t c) {
        for (int k = 0; k < 3; ++k)
            sum += static_cast<double>(contact.rows[k].impulse) *
                   (all.meanVelocities[c].along[k] + 0.5 * addedVelocity(contact, k, bodies, all));
    });
    return sum;
}

/// The same, of contacts with another solid that has an account half of it, J.
double workOfOneSide(const ReducedBody& s, const SolverBodies& bodies, ContactConstraints& all) {
    double sum = 0.0;
    forContacts(s, all, [&](const ContactConstraint& contact, std::size_t c) {
        double work = 0.0;
        for (int k = 0; k < 3; ++k)
            work += static_cast<double>(contact.rows[k].impulse) *
                    (all.meanVelocities[c].along[k] + 0.5 * addedVelocity(contact, k, bodies, all));
        const ReducedBody *a = reducedBody(all.reducedBodies, contact.reducedA),
                          *b = reducedBody(all.reducedBodies, contact.reducedB);
        sum += a && b && hasWorkAccount(*a) && hasWorkAccount(*b) ? 0.5 * work : work;
    });
    return sum;
}

/// Whether a body is no faster than what gravity gives it in two steps: what trembles by what its contacts bring in is
/// not. Vibration of what slides or falls is left alone, or it would come to lie deeper in what it slides over.
bool isSlow(const ReducedBody& s, double h) {
    const auto speed = static_cast<double>(s.body->getLinearVelocity().length());
    return speed < 2.0 * h * static_cast<double>(s.body->getGravity().length());
}

/// Takes energy from the motion of a body's modes, at most half of their velocities. The body's momenta stay: its
/// frame turns by what is left of the angular momentum that is carried. @param energy J
void slowModes(const ReducedBody& s, double energy) {
    BodyData& data = dataOf(*s.body);
    auto velocity = data.batch().velocity(data.slot);
    const double twice = velocity.squaredNorm();  // of the modes' kinetic energy
    if (twice > 0.0) velocity *= 1.0 - std::min(0.5, energy / twice);
}

void addShare(const ReducedBody& s, btScalar share, SolverBodies& bodies, ContactConstraints& all) {
    forContacts(s, all, [&](const ContactConstraint& contact, std::size_t) {
        const ConstraintRow* rows = contact.rows;
        const btScalar P[3] = {share * rows[0].impulse, share * rows[1].impulse, share * rows[2].impulse};
        addImpulses(contact, P, bodies, all);
    });
}

/// Kinetic energy of a body at the start of the step, J, and what gravity gives it in a step, since it has next to
/// none where it rests.
double motionOf(const btPliantBody& body, double h) {
    const BodyData& data = dataOf(body);
    const auto speed = static_cast<double>(body.getLinearVelocity().length()),
               fall = h * static_cast<double>(body.getGravity().length());
    const btVector3 spin = body.getWorldTransform().getBasis().transpose() * body.getAngularVelocity();
    double turning = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        const auto inverse = static_cast<double>(body.getInvInertiaDiagLocal()[axis]);
        if (inverse > 0.0) turning += 0.5 * static_cast<double>(spin[axis] * spin[axis]) / inverse;
    }
    return 0.5 * data.model().totalMass() * (speed * speed + fall * fall) + turning +
           0.5 * data.batch().startVelocity(data.slot).squaredNorm();
}

/// Whether contacts have brought in more than they may: a share of the kinetic energy of the step's start and of the
/// strain after the free step. @param work J
bool isTooMuch(double work, const ReducedBody& s, double h) {
    if (!(work > 0.0)) return false;
    const double motion = motionOf(*s.body, h);
    return work > kTolerated * motion &&
           work > kTolerated * (motion + dataOf(*s.body).batch().strainEnergy(dataOf(*s.body).slot));
}

}  // namespace

void boundSolidWork(double h, const pliant::Workers& workers, SolverBodies& bodies, ContactConstraints& all) {
    if (all.meanVelocities.empty()) return;
    std::vector<double>& works = all.scratch.partialSums;
    works.assign(all.reducedBodies.size(), 0.0);
    const auto measure = [&](int begin, int end) {
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
            if (const ReducedBody& s = all.reducedBodies[i]; hasWorkAccount(s)) {
                if (isPressed(s, bodies, all))
                    works[i] = work(s, bodies, all);
                else if (const double gain = workOfOneSide(s, bodies, all); gain > 0.0 && isSlow(s, h))
                    slowModes(s, gain);
            }
    };
    workers.forBlocks(static_cast<int>(works.size()), 4, std::cref(measure));
    for (std::size_t i = 0; i < works.size(); ++i) {
        const ReducedBody& s = all.reducedBodies[i];
        if (!isTooMuch(works[i], s, h)) continue;
        const double whole = work(s, bodies, all);  // what has been done to others may have changed it
        if (!(whole > 0.0)) continue;
        addShare(s, -1, bodies, all);
        const auto share = static_cast<btScalar>(shareWithoutWork(whole, work(s, bodies, all)));
        addShare(s, share, bodies, all);
        forContacts(s, all, [share](ContactConstraint& contact, std::size_t) {
            for (ConstraintRow& row : contact.rows) row.impulse *= share;
        });
    }
}

}  // namespace btPliantInternal
