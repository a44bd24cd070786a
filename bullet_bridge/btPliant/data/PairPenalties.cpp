// SPDX-License-Identifier: Zlib
#include "btPliant/data/PairPenalties.h"

#include <algorithm>
#include <functional>

namespace btPliantInternal {
namespace {

PairPenalty orderedPair(const btCollisionObject* a, const btCollisionObject* b) {
    const bool isAscending = std::less<>()(a, b);
    return {isAscending ? a : b, isAscending ? b : a, 0, 0};
}

bool isBefore(const PairPenalty& x, const PairPenalty& y) {
    const std::less<> less;
    return x.first != y.first ? less(x.first, y.first) : less(x.second, y.second);
}

bool isOfSame(const PairPenalty& x, const PairPenalty& y) {
    return x.first == y.first && x.second == y.second;
}

}  // namespace

void PairPenalties::set(const btCollisionObject* a, const btCollisionObject* b, btScalar stiffness, btScalar damping) {
    PairPenalty wanted = orderedPair(a, b);
    wanted.stiffness = stiffness;
    wanted.damping = damping;
    const auto at = std::lower_bound(m_all.begin(), m_all.end(), wanted, isBefore);
    if (at != m_all.end() && isOfSame(*at, wanted))
        *at = wanted;
    else
        m_all.insert(at, wanted);
}

void PairPenalties::clear(const btCollisionObject* a, const btCollisionObject* b) {
    const PairPenalty pair = orderedPair(a, b);
    m_all.erase(
        std::remove_if(m_all.begin(), m_all.end(), [&](const PairPenalty& asked) { return isOfSame(asked, pair); }),
        m_all.end());
}

void PairPenalties::forget(const btCollisionObject* object) {
    m_all.erase(
        std::remove_if(m_all.begin(), m_all.end(),
                       [&](const PairPenalty& asked) { return asked.first == object || asked.second == object; }),
        m_all.end());
}

const PairPenalty* PairPenalties::find(const btCollisionObject* a, const btCollisionObject* b) const {
    if (m_all.empty()) return nullptr;
    const PairPenalty pair = orderedPair(a, b);
    const auto at = std::lower_bound(m_all.begin(), m_all.end(), pair, isBefore);
    return at != m_all.end() && isOfSame(*at, pair) ? &*at : nullptr;
}

}  // namespace btPliantInternal
