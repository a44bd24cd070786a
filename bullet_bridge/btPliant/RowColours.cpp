// SPDX-License-Identifier: Zlib
// The order of the sweeps. Gauss-Seidel takes one contact after the other because each changes the velocities of two
// bodies; contacts without a moving body in common do not see each other and may be taken together. Colouring is greedy
// in the order in which Bullet hands the contacts over, so it does not depend on the number of threads, nor do the
// bits.
#include <algorithm>
#include <cstdint>

#include "btPliant/ContactRows.h"

using btPliantInternal::ContactRow;
using btPliantInternal::ContactRun;
using btPliantInternal::SoftBody;

namespace {

constexpr int kColours = 64;

/// The lowest colour that neither body has yet; none: `kColours`, whose runs get a colour each.
int freeColour(std::uint64_t taken) {
    int colour = 0;
    while (colour < kColours && (taken >> colour & 1u) != 0) ++colour;
    return colour;
}

}  // namespace

void btPliantConstraintSolver::Rows::colour(const btAlignedObjectArray<btSolverBody>& bodies) {
    std::vector<std::uint64_t>& taken = takenColours;
    taken.assign(static_cast<std::size_t>(bodies.size()) + soft.size(), 0);
    int extra = kColours;
    for (int c = 0; c < contacts.size();) {
        ContactRun run;
        run.first = c;
        const int a = contacts[c].bodyA, b = contacts[c].bodyB;
        const bool movesA = bodies[a].m_originalBody != nullptr, movesB = bodies[b].m_originalBody != nullptr;
        // Driven reduced bodies share Bullet's one fixed solver body, but not their q'.
        const int softA = contacts[c].softA, softB = contacts[c].softB;
        const int keys[2] = {softA >= 0 ? bodies.size() + softA
                             : movesA   ? a
                                        : -1,
                             softB >= 0 ? bodies.size() + softB
                             : movesB   ? b
                                        : -1};
        for (; c < contacts.size() && contacts[c].bodyA == a && contacts[c].bodyB == b && contacts[c].softA == softA &&
               contacts[c].softB == softB;
             ++c, ++run.count) {
            contacts[c].movesA = movesA;
            contacts[c].movesB = movesB;
        }
        std::uint64_t both = 0;
        for (const int key : keys)
            if (key >= 0) both |= taken[static_cast<std::size_t>(key)];
        run.colour = freeColour(both);
        if (run.colour == kColours)
            run.colour = extra++;
        else
            for (const int key : keys)
                if (key >= 0) taken[static_cast<std::size_t>(key)] |= std::uint64_t(1) << run.colour;
        runs.push_back(run);
    }
    std::stable_sort(runs.begin(), runs.end(),
                     [](const ContactRun& x, const ContactRun& y) { return x.colour < y.colour; });
    inOrder.resize(0);
    colours.clear();
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (i == 0 || runs[i].colour != runs[i - 1].colour) colours.push_back(static_cast<int>(i));
        const int first = inOrder.size();
        for (int c = runs[i].first; c < runs[i].first + runs[i].count; ++c) inOrder.push_back(contacts[c]);
        runs[i].first = first;
    }
    colours.push_back(static_cast<int>(runs.size()));
    std::swap(contacts, inOrder);
}

void btPliantConstraintSolver::Rows::reserveModal() {
    std::size_t size = 0;
    const auto reserve = [&](int index) {
        const std::size_t offset = size;
        if (index >= 0) size += 6 * static_cast<std::size_t>(soft[static_cast<std::size_t>(index)].stride);
        return offset;
    };
    for (int c = 0; c < contacts.size(); ++c) {
        contacts[c].modalA = reserve(contacts[c].softA);
        contacts[c].modalB = reserve(contacts[c].softB);
    }
    for (SoftBody& s : soft) {
        const bool bends = s.hasTorsion && s.body->getBatch().settings().coupling == pliant::Coupling::Full;
        s.turnModal = bends ? static_cast<std::ptrdiff_t>(size) : -1;
        if (bends) size += 3 * static_cast<std::size_t>(s.stride);
    }
    if (modal.size() < size) modal.resize(size);  // prepareResponses writes all of it
}
