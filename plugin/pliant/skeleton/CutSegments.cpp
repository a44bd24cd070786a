// SPDX-License-Identifier: Zlib
#include <algorithm>
#include <cmath>
#include <utility>

#include "pliant/skeleton/SphereCover.h"

namespace pliant {
namespace {

/// Length of a part at most, in radii of the segment's larger end. The thinnest bodies that are made of strands are 25
/// radii long (StrandShape.cpp). An arc of that length whose middle is a tenth of it beside its chord stands away from
/// chords of 6 radii by 0.006 of it, which is what a bent surface may be off by.
constexpr double kLength = 6.0;
/// Segments of up to this length are left whole: strands that are drawn ring by ring, as wicker is.
constexpr double kLongest = 8.0;

/// Into how many parts a segment is cut.
int partsOf(const InscribedSphere& a, const InscribedSphere& b) {
    const double radii = (b.centre - a.centre).norm() / std::max(a.radius, b.radius);
    return radii > kLongest ? static_cast<int>(std::ceil(radii / kLength)) : 1;
}

}  // namespace

void cutLongSegments(SphereCover& cover) {
    std::vector<std::pair<int, int>> segments;
    for (const auto& [a, b] : cover.segments) {
        const InscribedSphere first = cover.spheres[static_cast<std::size_t>(a)],
                              second = cover.spheres[static_cast<std::size_t>(b)];
        const int parts = partsOf(first, second);
        int last = a;
        for (int k = 1; k < parts; ++k) {
            const double at = static_cast<double>(k) / parts;
            InscribedSphere between;
            between.centre = (1.0 - at) * first.centre + at * second.centre;
            between.radius = (1.0 - at) * first.radius + at * second.radius;
            const int next = static_cast<int>(cover.spheres.size());
            cover.spheres.push_back(between);
            segments.emplace_back(last, next);
            last = next;
        }
        segments.emplace_back(std::min(last, b), std::max(last, b));
    }
    std::sort(segments.begin(), segments.end());
    cover.segments = std::move(segments);
}

}  // namespace pliant
