// SPDX-License-Identifier: Zlib
#include "pliant/shell/FarthestPoints.h"

namespace pliant {

FarthestPoints::FarthestPoints(const SurfacePoints& candidates, double normalWeight)
    : m_weight(normalWeight),
      m_places(candidates.count(), 6),
      m_distance2(VectorX::Constant(candidates.count(), 1e300)),
      m_trial(candidates.count()),
      m_nearest(static_cast<std::size_t>(candidates.count()), -1) {
    m_places.leftCols<3>() = candidates.positions.transpose();
    m_places.rightCols<3>() = normalWeight * candidates.normals.transpose();
}

void FarthestPoints::choose(const Vector3& x, const Vector3& normal, int number) {
    m_trial = (m_places.col(0).array() - x[0]).square();
    for (int k = 1; k < 3; ++k) m_trial.array() += (m_places.col(k).array() - x[k]).square();
    for (int k = 0; k < 3; ++k) m_trial.array() += (m_places.col(3 + k).array() - m_weight * normal[k]).square();
    for (Eigen::Index i = 0; i < m_trial.size(); ++i)
        if (m_trial[i] < m_distance2[i]) {
            m_distance2[i] = m_trial[i];
            m_nearest[static_cast<std::size_t>(i)] = number;
        }
}

int FarthestPoints::farthest() const {
    int best = 0;
    for (int i = 1; i < m_distance2.size(); ++i)
        if (m_distance2[i] > m_distance2[best]) best = i;
    return best;
}

double FarthestPoints::distance() const {
    return m_distance2.size() == 0 ? 0.0 : std::sqrt(m_distance2[farthest()]);
}

}  // namespace pliant
