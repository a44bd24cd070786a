// SPDX-License-Identifier: Zlib
// Penalty contact of a pair.
#include <algorithm>
#include <cmath>

#include "btPliant/btPliantSystem.h"
#include "btPliant/data/SystemData.h"
#include "pliant/math/Error.h"

namespace {

/// What has come to rest by one law does not lie still by another.
void wakeBoth(const btCollisionObject& a, const btCollisionObject& b) {
    a.activate();
    b.activate();
}

}  // namespace

void btPliantSystem::setPenalty(btPliantBody& body, const btCollisionObject& other, btScalar stiffness,
                                btScalar damping) {
    const char* where = "btPliantSystem::setPenalty";
    if (!(stiffness >= 0) || !std::isfinite(stiffness))
        throw pliant::Error(where, "the stiffness is negative or not finite", "give it in N/m; 0: rigid contact");
    if (!(damping >= 0) || !std::isfinite(damping))
        throw pliant::Error(where, "the damping is negative or not finite", "give it in N s/m");
    if (std::find(m_data->bodies.begin(), m_data->bodies.end(), &body) == m_data->bodies.end())
        throw pliant::Error(where, "the body is none of this system", "ask the system that has made it");
    m_data->pairPenalties.set(&body, &other, stiffness, damping);
    wakeBoth(body, other);
}

void btPliantSystem::clearPenalty(btPliantBody& body, const btCollisionObject& other) {
    m_data->pairPenalties.clear(&body, &other);
    wakeBoth(body, other);
}
