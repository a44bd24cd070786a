// SPDX-License-Identifier: Zlib
#include "pliant/touch/SurfaceCandidates.h"

#include <algorithm>

#include "pliant/collision/pair/ReserveRounded.h"

namespace pliant {
namespace {

/// A list reaches farther than was asked for by this share of the thinner body at least, and by this one at most. What
/// comes farther than the second one in the steps that a list should serve is looked for anew in each step: nearly all
/// points of both bodies are that near, and a list of them costs several times the look at those that touch.
constexpr double kSkin = 0.1, kMostSkin = 1.0;
/// Steps like the last one that a list should serve.
constexpr double kLife = 4.0;
/// How many times its skin a list may reach beyond the margin.
constexpr double kLongestSkin = 4.0;
constexpr std::size_t kSegmentsStep = 32;

}  // namespace

double SurfaceCandidates::skin(double thickness) const {
    const double wanted = kLife * m_step;
    return wanted > kMostSkin * thickness ? 0.0 : std::max(wanted, kSkin * thickness);
}

bool SurfaceCandidates::cover(const DeformedBody& points, const DeformedBody& field, double margin,
                              double thickness) const {
    if (!m_segments.empty() && m_reach > margin + kLongestSkin * skin(thickness)) return false;
    return m_reach >= 0.0 && margin + motionBetween(m_start, RelativePlacement::of(points, field)) <= m_reach;
}

void SurfaceCandidates::keep(const DeformedBody& points, const DeformedBody& field, double reach,
                             const std::vector<SurfaceCandidate>& segments) {
    reserveRounded(m_segments, segments.size(), kSegmentsStep);
    m_segments.assign(segments.begin(), segments.end());
    m_reach = reach;
    m_start = RelativePlacement::of(points, field);
}

void SurfaceCandidates::advance(const DeformedBody& points, const DeformedBody& field) {
    const RelativePlacement now = RelativePlacement::of(points, field);
    if (m_known) m_step = motionBetween(m_last, now);
    m_last = now;
    m_known = true;
    for (SurfaceCandidate& candidate : m_segments)
        candidate.clearance = roundedDown(static_cast<double>(candidate.clearance) - m_step);
}

}  // namespace pliant
