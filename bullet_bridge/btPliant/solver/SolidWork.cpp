// SPDX-License-Identifier: Zlib
#include "btPliant/solver/SolidWork.h"

#include "btPliant/solver/ContactAccount.h"
#include "btPliant/solver/ContactSetUp.h"

namespace btPliantInternal {

namespace {

constexpr double kTolerated = 0.02;  ///< share of a body's energy that its contacts may bring in by a step

bool hasAccount(const ReducedBody& s) {
    const BodyData& data = dataOf(*s.body);
    return data.group->surface && !data.character && s.sideCount > 0;
}

/// Calls `each` with all contacts of a body that carry impulses; those with itself once.
template <class Each>
void forContacts(const ReducedBody& s, ContactConstraints& all, const Each& each) {
    for (int i = s.firstSide; i < s.firstSide + s.sideCount; ++i) {
        const ConstraintSide side = all.sides[static_cast<std::size_t>(i)];
        ContactConstraint& contact = all.contacts[side.contact];
        const ConstraintRow* rows = contact.rows;
        const bool carries = rows[0].impulse != 0 || rows[1].impulse != 0 || rows[2].impulse != 0;
        if (carries && (side.first || !contact.isSelf())) each(contact);
    }
}

/// sum_k P_k w_k, J, of the contacts of a body, by the velocities of now.
double work(const ReducedBody& s, double h, const SolverBodies& bodies, ContactConstraints& all) {
    double sum = 0.0;
    forContacts(s, all, [&](const ContactConstraint& contact) {
        double mean[3];
        meanVelocities(contact, bodies, all, h, mean);
        for (int k = 0; k < 3; ++k)
            sum +=
                static_cast<double>(contact.rows[k].impulse) * (mean[k] + 0.5 * addedVelocity(contact, k, bodies, all));
    });
    return sum;
}

void addShare(const ReducedBody& s, btScalar share, SolverBodies& bodies, ContactConstraints& all) {
    forContacts(s, all, [&](const ContactConstraint& contact) {
        const ConstraintRow* rows = contact.rows;
        const btScalar P[3] = {share * rows[0].impulse, share * rows[1].impulse, share * rows[2].impulse};
        addImpulses(contact, P, bodies, all);
    });
}

/// Whether contacts have brought in more than they may: a share of the energy that the body has after the free step
/// and, since that is next to none where it rests, of what gravity gives it in a step. @param work J
bool isTooMuch(double work, const ReducedBody& s, double h) {
    const BodyData& data = dataOf(*s.body);
    const auto speed = static_cast<double>(s.body->getLinearVelocity().length());
    const double fall = h * static_cast<double>(s.body->getGravity().length());
    const double moving = 0.5 * data.model().totalMass() * (speed * speed + fall * fall) +
                          0.5 * data.batch().startVelocity(data.slot).squaredNorm();
    return work > kTolerated * moving && work > kTolerated * (moving + data.batch().strainEnergy(data.slot));
}

}  // namespace

void boundSolidWork(double h, const pliant::Workers& workers, SolverBodies& bodies, ContactConstraints& all) {
    std::vector<double>& works = all.scratch.partialSums;
    works.assign(all.reducedBodies.size(), 0.0);
    workers.forBlocks(static_cast<int>(works.size()), 4, [&](int begin, int end) {
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
            if (hasAccount(all.reducedBodies[i])) works[i] = work(all.reducedBodies[i], h, bodies, all);
    });
    for (std::size_t i = 0; i < works.size(); ++i) {
        const ReducedBody& s = all.reducedBodies[i];
        if (!isTooMuch(works[i], s, h)) continue;
        const double whole = work(s, h, bodies, all);  // what has been done to others may have changed it
        if (!(whole > 0.0)) continue;
        addShare(s, -1, bodies, all);
        const auto share = static_cast<btScalar>(shareWithoutWork(whole, work(s, h, bodies, all)));
        addShare(s, share, bodies, all);
        forContacts(s, all, [share](ContactConstraint& contact) {
            for (ConstraintRow& row : contact.rows) row.impulse *= share;
        });
    }
}

}  // namespace btPliantInternal
