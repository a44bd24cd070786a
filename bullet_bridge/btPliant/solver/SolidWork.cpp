// SPDX-License-Identifier: Zlib
#include "btPliant/solver/SolidWork.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "btPliant/solver/ContactAccount.h"

namespace btPliantInternal {

namespace {

constexpr double kTolerated = 0.02;  ///< share of a body's energy that its contacts may bring in by a step
/// Shares of the energy of a body and of what those that it touches can hand to it of theirs: what contacts may bring
/// in where nothing kinematic presses, and what is left of it where that was more. An impact that ten iterations have
/// not brought to its end brings in less: cut, it would come to rest before the other body.
constexpr double kGross = 0.3, kLeftOfGross = 0.1;
/// Share of the sum of |P w| that the sum of P w may be by rounding: impulses and velocities are sums of up to some
/// tens of terms in Bullet's precision, of single precision 6e-8 each.
constexpr double kWorkRounding = 1e-5;
constexpr double kMostTaken = 0.5;  ///< share of q' that is taken in a step

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

/// w_k, m/s: mean over the step of the velocity along row k of contact `c`, by the velocities of now.
double meanVelocity(const ContactConstraint& contact, std::size_t c, int k, const SolverBodies& bodies,
                    const ContactConstraints& all) {
    return all.meanVelocities[c].along[k] + 0.5 * addedVelocity(contact, k, bodies, all);
}

/// sum_k P_k w_k, J, of the contacts of a body.
double work(const ReducedBody& s, const SolverBodies& bodies, ContactConstraints& all) {
    double sum = 0.0;
    forContacts(s, all, [&](const ContactConstraint& contact, std::size_t c) {
        for (int k = 0; k < 3; ++k)
            sum += static_cast<double>(contact.rows[k].impulse) * meanVelocity(contact, c, k, bodies, all);
    });
    return sum;
}

/// Whether all contacts of a body are its own, or with what has no account.
bool standsByItself(const ReducedBody& s, ContactConstraints& all) {
    bool alone = true;
    forContacts(s, all, [&](const ContactConstraint& contact, std::size_t) {
        for (const int number : {contact.reducedA, contact.reducedB}) {
            const ReducedBody* side = reducedBody(all.reducedBodies, number);
            alone = alone && (!side || side == &s || !hasWorkAccount(*side));
        }
    });
    return alone;
}

/// What the contacts of a body have brought in, J. None where they move against each other faster than gravity makes
/// things in two steps, on average over their impulses, or where the body's modes do, on average over its mass:
/// vibration of what slides, rolls off, is hit or squeezed is left alone, or it would come to lie deeper in what it
/// slides over.
double gainOfSlowContacts(const ReducedBody& s, double h, const SolverBodies& bodies, ContactConstraints& all) {
    double gain = 0.0, size = 0.0, impulses = 0.0, slips = 0.0;
    forContacts(s, all, [&](const ContactConstraint& contact, std::size_t c) {
        double squared = 0.0, work = 0.0;
        for (int k = 0; k < 3; ++k) {
            const double w = meanVelocity(contact, c, k, bodies, all),
                         rowWork = static_cast<double>(contact.rows[k].impulse) * w;
            squared += w * w;
            work += rowWork;
            size += std::abs(rowWork);
        }
        const auto normal = std::abs(static_cast<double>(contact.rows[0].impulse));
        impulses += normal;
        slips += normal * std::sqrt(squared);
        gain += work;
    });
    const BodyData& data = dataOf(*s.body);
    const double limit = 2.0 * h * static_cast<double>(s.body->getGravity().length());
    if (!(slips < limit * impulses)) return 0.0;
    if (!(data.batch().velocity(data.slot).squaredNorm() < limit * limit * data.model().totalMass())) return 0.0;
    return std::max(0.0, gain - kWorkRounding * size);
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

/// Kinetic energy of a body without modes, J, as motionOf() of others.
double motionOfRigid(const btRigidBody& body, double h) {
    const auto squaredSpeed = static_cast<double>(body.getLinearVelocity().length2()),
               fall = h * static_cast<double>(body.getGravity().length()),
               mass = 1.0 / static_cast<double>(body.getInvMass());
    const btVector3 spin = body.getWorldTransform().getBasis().transpose() * body.getAngularVelocity();
    const auto turning = static_cast<double>(spin.dot(body.getLocalInertia() * spin));
    return 0.5 * (mass * (squaredSpeed + fall * fall) + turning);
}

/// What contacts at rest may gain by the bound on the gap, P g h / 2 each, J.
double gainAtRest(const ReducedBody& s, double h, ContactConstraints& all) {
    double impulses = 0.0;
    forContacts(s, all, [&impulses](const ContactConstraint& contact, std::size_t) {
        impulses += static_cast<double>(btFabs(contact.rows[0].impulse));
    });
    return 0.5 * h * static_cast<double>(s.body->getGravity().length()) * impulses;
}

/// Share of the energy of a body of mass `other` that a central impact can hand to one of mass `own`: a light one
/// leaves with no more than twice the velocity of a heavy one. Spins and modes, which can hand on more, count alike.
double shareToHandOn(double own, double other) {
    return std::min(1.0, 4.0 * own / other);
}

/// What the bodies that a body touches can hand to it of their kinetic energy, J, as motionOf(). Contacts of a pair
/// follow each other.
double motionOfTouched(const ReducedBody& s, double h, const SolverBodies& bodies, ContactConstraints& all) {
    const double own = dataOf(*s.body).model().totalMass();
    double sum = 0.0;
    int last = -1;  // number of the solver body of the last one
    forContacts(s, all, [&](const ContactConstraint& contact, std::size_t) {
        const bool isFirst = reducedBody(all.reducedBodies, contact.reducedA) == &s;
        const int frame = isFirst ? contact.bodyB : contact.bodyA;
        const ReducedBody* other = reducedBody(all.reducedBodies, isFirst ? contact.reducedB : contact.reducedA);
        const btRigidBody* rigid = bodies[frame].m_originalBody;
        if (other == &s || frame == last || !rigid) return;
        last = frame;
        if (other && hasWorkAccount(*other))
            sum += shareToHandOn(own, dataOf(*other->body).model().totalMass()) * motionOf(*other->body, h);
        else if (rigid->getInvMass() > 0)
            sum += shareToHandOn(own, 1.0 / static_cast<double>(rigid->getInvMass())) * motionOfRigid(*rigid, h);
    });
    return sum;
}

/// What the contacts of a body that nothing kinematic presses may have brought in, J; without limit where they have
/// not brought in more than kGross tells. @param work that they have, J
double allowedWork(double work, const ReducedBody& s, double h, const SolverBodies& bodies, ContactConstraints& all) {
    constexpr double any = std::numeric_limits<double>::infinity();
    double energy = motionOf(*s.body, h);
    if (!(work > kGross * energy)) return any;
    energy += gainAtRest(s, h, all) / kGross;  // below a heap it is more than gravity gives the body itself
    // Of the start: squeezed by the last step's impulses, the free step may hold a thousand times as much.
    energy += dataOf(*s.body).batch().startStrainEnergy(dataOf(*s.body).slot);
    if (!(work > kGross * energy)) return any;
    energy += motionOfTouched(s, h, bodies, all);
    return work > kGross * energy ? kLeftOfGross * energy : any;
}

/// Makes all impulses of a body's contacts smaller by one factor, so that they bring in no more than `allowed` J.
void bringIn(double allowed, const ReducedBody& s, SolverBodies& bodies, ContactConstraints& all) {
    const double whole = work(s, bodies, all);  // what has been done to others may have changed it
    if (!(whole > allowed)) return;
    addShare(s, -1, bodies, all);
    const auto share = static_cast<btScalar>(shareOfWork(whole, work(s, bodies, all), allowed));
    addShare(s, share, bodies, all);
    forContacts(s, all, [share](ContactConstraint& contact, std::size_t) {
        for (ConstraintRow& row : contact.rows) row.impulse *= share;
    });
}

}  // namespace

void boundSolidWork(double h, const pliant::Workers& workers, SolverBodies& bodies, ContactConstraints& all) {
    if (all.meanVelocities.empty()) return;
    std::vector<double>& allowed = all.scratch.partialSums;
    allowed.assign(all.reducedBodies.size(), std::numeric_limits<double>::infinity());
    const auto forSolids = [&](const auto& each) {
        const auto block = [&](int begin, int end) {
            for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
                if (hasWorkAccount(all.reducedBodies[i])) each(i, isPressed(all.reducedBodies[i], bodies, all));
        };
        workers.forBlocks(static_cast<int>(allowed.size()), 4, std::cref(block));
    };
    forSolids([&](std::size_t i, bool pressed) {
        const ReducedBody& s = all.reducedBodies[i];
        const double brought = work(s, bodies, all);
        if (!pressed)
            allowed[i] = allowedWork(brought, s, h, bodies, all);
        else if (isTooMuch(brought, s, h))
            allowed[i] = 0.0;
    });
    for (std::size_t i = 0; i < allowed.size(); ++i)
        if (std::isfinite(allowed[i])) bringIn(allowed[i], all.reducedBodies[i], bodies, all);
    // By what is left of the impulses.
    forSolids([&](std::size_t i, bool pressed) {
        ReducedBody& s = all.reducedBodies[i];
        s.contactGain = !pressed && standsByItself(s, all) ? gainOfSlowContacts(s, h, bodies, all) : 0.0;
    });
}

void takeContactGains(const ContactConstraints& all) {
    for (const ReducedBody& s : all.reducedBodies) {
        if (!(s.contactGain > 0.0) || s.hasDiverged) continue;
        BodyData& data = dataOf(*s.body);
        auto velocity = data.batch().velocity(data.slot);
        const double energy = 0.5 * velocity.squaredNorm();
        if (energy > 0.0) velocity *= std::sqrt(std::max(kMostTaken * kMostTaken, 1.0 - s.contactGain / energy));
    }
}

}  // namespace btPliantInternal
