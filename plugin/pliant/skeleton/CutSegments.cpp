// SPDX-License-Identifier: Zlib
#include <algorithm>
#include <cmath>
#include <utility>

#include "pliant/skeleton/SphereCover.h"

namespace pliant {
namespace {

/// Length of a part at most, in radii of its larger end. Bodies that are made of strands are 25 radii long or longer
/// (StrandShape.cpp). An arc of that length whose middle is a tenth of it beside its chord stands away from chords of 6
/// radii by 0.006 of it, which is what a bent surface may be off by.
constexpr double kLength = 6.0;
/// Segments of up to this length are left whole: strands that are drawn ring by ring, as wicker is.
constexpr double kLongest = 8.0;
/// By this the lengths grow where there would be too many parts.
constexpr double kGrowth = 1.5;

class Cuts {
public:
    /// @param scale of the lengths
    Cuts(const SphereCover& cover, double scale) : m_scale(scale), m_result{cover.spheres, {}} {
        for (const auto& [a, b] : cover.segments) cut(a, b);
        std::sort(m_result.segments.begin(), m_result.segments.end());
    }

    SphereCover result() { return std::move(m_result); }
    int sphereCount() const { return static_cast<int>(m_result.spheres.size()); }

private:
    /// Into equal parts. Those towards a thin end are long for their radius still, and are cut again.
    void cut(int a, int b) {
        const InscribedSphere first = m_result.spheres[static_cast<std::size_t>(a)],
                              second = m_result.spheres[static_cast<std::size_t>(b)];
        const double radii = (second.centre - first.centre).norm() / (m_scale * std::max(first.radius, second.radius));
        if (!(radii > kLongest)) {
            m_result.segments.emplace_back(std::min(a, b), std::max(a, b));
            return;
        }
        const int parts = static_cast<int>(std::ceil(std::min(radii, kMostRadii) / kLength));
        int last = a;
        for (int k = 1; k <= parts; ++k) {
            const int next = k == parts ? b : addBetween(first, second, static_cast<double>(k) / parts);
            cut(last, next);
            last = next;
        }
    }

    int addBetween(const InscribedSphere& first, const InscribedSphere& second, double at) {
        InscribedSphere between;
        between.centre = (1.0 - at) * first.centre + at * second.centre;
        between.radius = (1.0 - at) * first.radius + at * second.radius;
        m_result.spheres.push_back(between);
        return static_cast<int>(m_result.spheres.size()) - 1;
    }

    static constexpr double kMostRadii = 1e6;

    double m_scale;
    SphereCover m_result;
};

}  // namespace

SphereCover cutLongSegments(const SphereCover& cover, int mostSpheres) {
    for (double scale = 1.0;; scale *= kGrowth) {
        Cuts cuts(cover, scale);
        const bool isWhole = cuts.sphereCount() == static_cast<int>(cover.spheres.size());
        if (isWhole || cuts.sphereCount() <= mostSpheres) return cuts.result();
    }
}

}  // namespace pliant
