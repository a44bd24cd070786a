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

/// Whether a point that is new is deeper than the motion of a few steps takes it, so that somebody has put it there.
bool isPlaced(const PenaltySpring& spring) {
    constexpr double steps = 4.0;
    return spring.start > steps * std::abs(spring.freeEnd - spring.start);
}

/// Of a pair whose springs hold more than they may: the depths by which they hold a share of it. @param share of depth
void shorten(const PairRange& range, double share, ContactConstraints& all) {
    forSprings(range, all, [share](PenaltySpring& spring, ContactConstraint& contact) {
        if (!(spring.start > 0.0)) return;
        spring.freeEnd -= (1.0 - share) * spring.start;
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

void boundSpringEnergy(ContactConstraints& all) {
    if (!all.hasSprings) return;
    all.springSurplus.assign(all.order.pairRanges.size(), 0.0);
    for (std::size_t i = 0; i < all.order.pairRanges.size(); ++i) {
        const PairRange& range = all.order.pairRanges[i];
        double held = 0.0, account = 0.0, placed = 0.0;
        bool isNew = true;
        const int count = forSprings(range, all, [&](const PenaltySpring& spring, const ContactConstraint& contact) {
            held += spring.energy(spring.start);
            account += static_cast<double>(contact.point->m_contactMotion2);
            if (isPlaced(spring)) placed += spring.energy(spring.start);
            isNew = isNew && contact.point->m_lifeTime == 0;
        });
        if (count == 0) continue;
        if (isNew) account = placed;
        if (held > account)
            shorten(range, std::sqrt(account / held), all);
        else
            all.springSurplus[i] = account - held;
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
            contact.point->m_contactMotion2 = static_cast<btScalar>(share * spring.energy(end(spring, contact)) + each);
        });
    }
}

}  // namespace btPliantInternal
