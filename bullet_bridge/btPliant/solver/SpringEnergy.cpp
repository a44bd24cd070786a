// SPDX-License-Identifier: Zlib
#include "btPliant/solver/SpringEnergy.h"

#include <algorithm>
#include <cmath>

#include "btPliant/solver/ContactAccount.h"

namespace btPliantInternal {

namespace {

/// Calls `each` with the springs of a pair and their contacts. @return how many there are
template <class Each>
int forSprings(const PairRange& range, ContactConstraints& all, const Each& each) {
    int count = 0;
    for (int c = range.first; c < range.first + range.count; ++c) {
        if (!all.contacts[c].isSpring) continue;
        each(all.springs[static_cast<std::size_t>(c)], all.contacts[c]);
        ++count;
    }
    return count;
}

/// The depth that the last step ended with, m; 0 of a point that is new.
double lastDepth(const ContactConstraint& contact) {
    return static_cast<double>(contact.point->m_frictionCFM);
}

/// Twice r (h omega)^2 / 2 of one side of a contact, m: by which what turns leaves its row. @param angular of the rows
double wayByTurning(const btSolverBody& body, const btVector3 (&angular)[3], double h) {
    double twiceArm2 = 0.0;  // |r x e|^2 of three axes that are perpendicular to each other
    for (const btVector3& each : angular) twiceArm2 += static_cast<double>(each.length2());
    const btVector3 omega = body.m_angularVelocity + body.m_externalTorqueImpulse;
    return std::sqrt(0.5 * twiceArm2) * h * h * static_cast<double>(omega.length2());
}

/// The way that the motion of a few steps takes a point, along its tangents too, and what rounding adds, m.
double wayOfAFewSteps(const PenaltySpring& spring, const ContactConstraint& contact, const SolverBodies& bodies) {
    constexpr double steps = 4.0, places = 64.0;
    const ConstraintRow* rows = contact.rows;
    const btVector3 a[3] = {rows[0].angularA, rows[1].angularA, rows[2].angularA};
    const btVector3 b[3] = {rows[0].angularB, rows[1].angularB, rows[2].angularB};
    double way = std::abs(spring.freeEnd - spring.start);
    for (int k = 1; k < 3; ++k) way += spring.step * std::abs(static_cast<double>(rows[k].rhs));
    if (bodies[contact.bodyA].m_originalBody) way += wayByTurning(bodies[contact.bodyA], a, spring.step);
    if (bodies[contact.bodyB].m_originalBody) way += wayByTurning(bodies[contact.bodyB], b, spring.step);
    const auto size = static_cast<double>(contact.point->getPositionWorldOnB().length());
    return steps * way + places * static_cast<double>(SIMD_EPSILON) * size;
}

/// Whether a point is deeper than its motion has taken it, so that somebody has put it there.
bool isPlaced(const PenaltySpring& spring, const ContactConstraint& contact, const SolverBodies& bodies) {
    return spring.start > 0.0 && spring.start - lastDepth(contact) > wayOfAFewSteps(spring, contact, bodies);
}

/// Energies of the springs of a pair as a step begins, J.
struct PairEnergy {
    double held = 0;     ///< of their depths
    double account = 0;  ///< that they may hold
    int count = 0;       ///< springs

    PairEnergy(const PairRange& range, const SolverBodies& bodies, ContactConstraints& all) {
        double placed = 0.0;
        bool isNew = true, isMoved = false;
        count = forSprings(range, all, [&](const PenaltySpring& spring, const ContactConstraint& contact) {
            held += spring.energy(spring.start);
            account += static_cast<double>(contact.point->m_contactMotion2);
            const bool isOld = contact.point->m_lifeTime > 0;
            isNew = isNew && !isOld;
            if (!isPlaced(spring, contact, bodies)) return;
            placed += spring.energy(spring.start) - spring.energy(lastDepth(contact));
            isMoved = isMoved || isOld;
        });
        if (isNew || isMoved) account += placed;
    }
};

/// Of a pair whose springs hold more than they may: the depths by which they hold a share of it. @param share of depth
void shorten(const PairRange& range, double share, ContactConstraints& all) {
    forSprings(range, all, [share](PenaltySpring& spring, ContactConstraint& contact) {
        if (!(spring.start > 0.0)) return;
        spring.cut = (1.0 - share) * spring.start;
        spring.freeEnd -= spring.cut;
        spring.start *= share;
        setBounds(spring, contact);
    });
}

}  // namespace

void setBounds(const PenaltySpring& spring, ContactConstraint& contact) {
    constexpr btScalar always = btScalar(1e5);  // m/s
    contact.gapRhs = spring.start > 0.0 ? always : -always;
    contact.rows[0].rhs = static_cast<btScalar>(2.0 * spring.freeEnd / spring.step);
}

void boundSpringEnergy(const SolverBodies& bodies, ContactConstraints& all) {
    if (!all.hasSprings) return;
    all.springSurplus.assign(all.order.pairRanges.size(), 0.0);
    for (std::size_t i = 0; i < all.order.pairRanges.size(); ++i) {
        const PairRange& range = all.order.pairRanges[i];
        const PairEnergy energy(range, bodies, all);
        if (energy.count == 0) continue;
        if (energy.held > energy.account)
            shorten(range, std::sqrt(energy.account / energy.held), all);
        else
            all.springSurplus[i] = energy.account - energy.held;
    }
}

void keepSpringEnergy(const SolverBodies& bodies, ContactConstraints& all) {
    if (!all.hasSprings) return;
    for (std::size_t i = 0; i < all.order.pairRanges.size(); ++i) {
        const PairRange& range = all.order.pairRanges[i];
        const auto end = [&](const PenaltySpring& spring, const ContactConstraint& contact) {
            return spring.freeEnd - 0.5 * spring.step * addedVelocity(contact, 0, bodies, all);
        };
        double account = all.springSurplus[i], held = 0.0;
        const int count = forSprings(range, all, [&](const PenaltySpring& spring, const ContactConstraint& contact) {
            const double d1 = end(spring, contact);
            held += spring.energy(d1);
            account += spring.energy(spring.start) -
                       static_cast<double>(contact.rows[0].impulse) * (spring.start - d1) / spring.step;
        });
        if (count == 0) continue;
        const double surplus = account - held, share = surplus < 0.0 ? std::max(0.0, account / held) : 1.0;
        const double each = std::max(0.0, surplus) / count;
        forSprings(range, all, [&](const PenaltySpring& spring, const ContactConstraint& contact) {
            const double d1 = end(spring, contact);
            contact.point->m_contactMotion2 = static_cast<btScalar>(share * spring.energy(d1) + each);
            contact.point->m_frictionCFM = static_cast<btScalar>(d1 + spring.cut);
        });
    }
}

}  // namespace btPliantInternal
