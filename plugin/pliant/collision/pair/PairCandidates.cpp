// SPDX-License-Identifier: Zlib
#include "pliant/collision/pair/PairCandidates.h"

#include <algorithm>

#include "pliant/collision/pair/ReserveRounded.h"

namespace pliant {

namespace {

constexpr double kNearLife = 10.0;  ///< tests that a near list should serve at least
constexpr double kNearSkin = 0.4;   ///< radii of the thickest segment that it reaches beyond the margin at least
constexpr double kShortLife = 3.0;  ///< tests; fewer are not worth a far list
constexpr std::size_t kListStep = 64;

double thickestRadius(const DeformedBody& a, const DeformedBody& b) {
    double most = 0.0;
    for (const DeformedBody* body : {&a, &b}) {
        const VectorXf& radii = body->model().skeleton().radii;
        if (radii.size() > 0) most = std::max(most, static_cast<double>(radii.maxCoeff()));
    }
    return most;
}

}  // namespace

bool PairCandidates::cover(const DeformedBody& a, const DeformedBody& b, double margin) const {
    return m_far.covers(margin, RelativePlacement::of(a, b));
}

bool PairCandidates::nearCovers(const DeformedBody& a, const DeformedBody& b, double margin) const {
    return m_near.covers(margin, RelativePlacement::of(a, b));
}

double PairCandidates::skin(const DeformedBody& a, const DeformedBody& b) const {
    if (m_step < 0.0) return 0.0;
    const double most = thickestRadius(a, b);
    return m_step * kShortLife > most ? 0.0 : most;
}

void PairCandidates::noteMotion(const DeformedBody& a, const DeformedBody& b) {
    const RelativePlacement now = RelativePlacement::of(a, b);
    if (m_tested) m_step = motionBetween(m_last, now);
    m_last = now;
    m_tested = true;
}

void PairCandidates::restart(const DeformedBody& a, const DeformedBody& b, double reach) {
    m_near.reach = 0.0;
    m_near.pairs.clear();
    m_far.pairs.clear();
    m_far.reach = reach;
    m_far.start = RelativePlacement::of(a, b);
}

double PairCandidates::restartNear(const DeformedBody& a, const DeformedBody& b, double margin) {
    const RelativePlacement now = RelativePlacement::of(a, b);
    m_near.pairs.clear();
    m_near.start = now;
    const double skin = std::max(m_step * kNearLife, kNearSkin * thickestRadius(a, b));
    m_near.reach = std::min(margin + skin, m_far.left(now));
    return m_near.reach;
}

void PairCandidates::storeFar(const std::vector<std::pair<int, int>>& found) {
    reserveRounded(m_far.pairs, found.size(), kListStep);
    m_far.pairs.assign(found.begin(), found.end());
}

void PairCandidates::storeNear(const std::vector<std::pair<int, int>>& found) {
    reserveRounded(m_near.pairs, found.size(), kListStep);
    m_near.pairs.assign(found.begin(), found.end());
}

}  // namespace pliant
