// SPDX-License-Identifier: Zlib
// Internal: penalty contact as it was asked for of pairs of objects.
#pragma once

#include <LinearMath/btScalar.h>

#include <vector>

class btCollisionObject;

namespace btPliantInternal {

/// How the contacts of a pair give way.
struct PairPenalty {
    const btCollisionObject *first = nullptr, *second = nullptr;  ///< Ascending by address.
    btScalar stiffness = 0;  ///< N/m of each contact, or of a solid on its largest face; 0: not at all.
    btScalar damping = 0;    ///< N s/m of the same.
};

/// What users have asked for with btPliantSystem::setPenalty(), one of each pair, whichever of the two is named first.
class PairPenalties {
public:
    void set(const btCollisionObject* a, const btCollisionObject* b, btScalar stiffness, btScalar damping);
    void clear(const btCollisionObject* a, const btCollisionObject* b);
    /// Clears all that an object is part of.
    void forget(const btCollisionObject* object);
    /// @return null where nothing was asked for
    const PairPenalty* find(const btCollisionObject* a, const btCollisionObject* b) const;

private:
    std::vector<PairPenalty> m_all;  ///< Ascending by both addresses. Nothing depends on the order but how fast it is.
};

}  // namespace btPliantInternal
