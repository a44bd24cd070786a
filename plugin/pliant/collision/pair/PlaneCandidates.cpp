// SPDX-License-Identifier: Zlib
#include "pliant/collision/pair/PlaneCandidates.h"

#include "pliant/collision/pair/ReserveRounded.h"

namespace pliant {

bool PlaneCandidates::cover(const DeformedBody& a, const Vector3& normal, double offset, double margin) const {
    if (!(m_reach >= 0.0 && normal == m_normal && offset == m_offset)) return false;
    const double down = normal.dot(m_origin - a.worldFromBody().translation);
    const bool isWorthwhile = -down <= m_reach;  // of what has risen the list is longer than it need be
    return isWorthwhile && margin + down + (a.relativeMotionBound() - m_relativeMotionBound) <= m_reach;
}

double PlaneCandidates::skin(const DeformedBody& a) {
    const VectorXf& radii = a.model().skeleton().radii;
    return radii.size() > 0 ? static_cast<double>(radii.maxCoeff()) : 0.0;
}

void PlaneCandidates::keep(const DeformedBody& a, const Vector3& normal, double offset, double reach,
                           const std::vector<int>& found) {
    constexpr std::size_t step = 32;
    reserveRounded(m_spheres, found.size(), step);
    m_spheres.assign(found.begin(), found.end());
    m_normal = normal;
    m_offset = offset;
    m_reach = reach;
    m_origin = a.worldFromBody().translation;
    m_relativeMotionBound = a.relativeMotionBound();
}

}  // namespace pliant
