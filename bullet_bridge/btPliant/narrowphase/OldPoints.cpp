// SPDX-License-Identifier: Zlib
#include "btPliant/narrowphase/OldPoints.h"

#include <algorithm>
#include <cstdlib>

#include "btPliant/data/ManifoldPoint.h"

namespace btPliantInternal {

namespace {

constexpr int kMatched = -2;  ///< in m_lifeTime

/// Distance of two points of the same feature, in units of their part numbers: along their segments, or of places
/// beside a surface point (pliant/collision/body/SurfacePlaces.h), whose parts are eight bits for each axis, the sum of
/// these.
double apart(const btManifoldPoint& x, const btManifoldPoint& y) {
    // Any two ints: those of a state that was restored may be far apart.
    const auto between = [](int a, int b) {
        if (std::max(a, b) <= static_cast<int>(parameterUnits))
            return std::abs(static_cast<double>(a) - static_cast<double>(b));
        double sum = 0.0;
        for (int shift = 0; shift < 24; shift += 8) sum += std::abs((a >> shift & 255) - (b >> shift & 255));
        return sum;
    };
    return between(x.m_partId0, y.m_partId0) + between(x.m_partId1, y.m_partId1);
}

/// Place along x, by which points can be sorted whatever it is.
btScalar placeOf(const btManifoldPoint& point) {
    const btScalar x = point.m_positionWorldOnA.x();
    return x == x ? x : btScalar(0);
}

}  // namespace

bool OldPoints::isTaken(int at) const {
    return m_points[static_cast<std::size_t>(at)].m_lifeTime == kMatched;
}

const btManifoldPoint* OldPoints::take(int at) {
    if (at < 0) return nullptr;
    btManifoldPoint& point = m_points[static_cast<std::size_t>(at)];
    m_match = point;
    point.m_lifeTime = kMatched;
    return &m_match;
}

void OldPoints::beginFeatures() {
    m_features.clear();
    m_places.reserve(m_points.capacity());  // how many no feature takes up changes long after the points are as many
    for (const btManifoldPoint& point : m_points)
        m_features.push_back({point.m_index0, point.m_index1, static_cast<int>(m_features.size())});
    std::sort(m_features.begin(), m_features.end());
}

const btManifoldPoint* OldPoints::matchFeature(const btManifoldPoint& point) {
    const Feature first{point.m_index0, point.m_index1, 0};
    int best = -1;
    double least = 0.0;
    for (auto it = std::lower_bound(m_features.begin(), m_features.end(), first); it != m_features.end(); ++it) {
        if (it->index0 != point.m_index0 || it->index1 != point.m_index1) break;
        if (isTaken(it->at)) continue;
        const double d = apart(m_points[static_cast<std::size_t>(it->at)], point);
        if (best >= 0 && d >= least) continue;
        best = it->at;
        least = d;
    }
    return take(best);
}

void OldPoints::endFeatures() {
    m_places.clear();
    for (int at = 0; at < static_cast<int>(m_points.size()); ++at)
        if (!isTaken(at)) m_places.push_back({placeOf(m_points[static_cast<std::size_t>(at)]), at});
    std::sort(m_places.begin(), m_places.end());
}

const btManifoldPoint* OldPoints::matchNearest(const btManifoldPoint& point, double reach) {
    // Rounding of the bounds is no matter: within them each is asked by its distance.
    const auto x = static_cast<double>(placeOf(point)), bound = reach * (1.0 + 1e-5) + 1e-5 * std::abs(x);
    int best = -1;
    double least = 0.0;
    const Place first{static_cast<btScalar>(x - bound), 0};
    for (auto it = std::lower_bound(m_places.begin(), m_places.end(), first); it != m_places.end(); ++it) {
        if (static_cast<double>(it->x) > x + bound) break;
        const btManifoldPoint& old = m_points[static_cast<std::size_t>(it->at)];
        if (isTaken(it->at) || !(old.m_normalWorldOnB.dot(point.m_normalWorldOnB) > btScalar(0.7))) continue;
        const auto squared = static_cast<double>(old.m_positionWorldOnA.distance2(point.m_positionWorldOnA));
        if (!(squared <= reach * reach)) continue;
        if (best >= 0 && (squared > least || (squared == least && it->at > best))) continue;
        best = it->at;
        least = squared;
    }
    return take(best);
}

const btManifoldPoint* OldPoints::nearest(const btManifoldPoint& point) const {
    const btManifoldPoint* best = nullptr;
    btScalar least = BT_LARGE_FLOAT;
    for (const btManifoldPoint& old : m_points) {
        const btScalar squared = old.m_positionWorldOnA.distance2(point.m_positionWorldOnA);
        if (squared >= least || old.m_normalWorldOnB.dot(point.m_normalWorldOnB) < btScalar(0.9)) continue;
        best = &old;
        least = squared;
    }
    return best;
}

void OldPoints::handOn(btManifoldPoint* points, std::size_t count) const {
    for (const btManifoldPoint& old : m_points) {
        if (old.m_lifeTime == kMatched || old.m_appliedImpulse <= btScalar(0)) continue;
        btManifoldPoint* nearest = nullptr;
        btScalar least = BT_LARGE_FLOAT;
        for (std::size_t i = 0; i < count; ++i) {
            const btScalar squared = old.m_positionWorldOnA.distance2(points[i].m_positionWorldOnA);
            if (squared >= least || old.m_normalWorldOnB.dot(points[i].m_normalWorldOnB) < btScalar(0.9)) continue;
            nearest = &points[i];
            least = squared;
        }
        if (!nearest) continue;
        nearest->m_appliedImpulse += old.m_appliedImpulse;
        nearest->m_contactMotion1 += old.m_contactMotion1;
    }
}

}  // namespace btPliantInternal
