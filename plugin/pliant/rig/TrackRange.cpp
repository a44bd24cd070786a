// SPDX-License-Identifier: Zlib
#include "pliant/rig/TrackRange.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pliant {

namespace {

/// One piece as a cubic of s = 0..1.
struct Cubic {
    double c0, c1, c2, c3;
    double at(double s) const { return c0 + s * (c1 + s * (c2 + s * c3)); }
};

Cubic pieceOf(const Track& track, Eigen::Index component, Eigen::Index k, double length) {
    const double p = track.values(component, k), q = track.values(component, k + 1);
    const double m = length * track.departures(component, k), n = length * track.arrivals(component, k + 1);
    return {p, m, 3 * (q - p) - 2 * m - n, 2 * (p - q) + m + n};
}

/// Roots of the derivative c1 + 2 c2 s + 3 c3 s^2, without the cancellation of the schoolbook's formula.
/// @return how many there are; a constant has none
int turningPoints(const Cubic& piece, std::array<double, 2>& roots) {
    const double a = 3 * piece.c3, b = 2 * piece.c2, c = piece.c1;
    const double discriminant = b * b - 4 * a * c;
    if (!(discriminant >= 0.0)) return 0;
    const double h = -0.5 * (b + std::copysign(std::sqrt(discriminant), b));
    int count = 0;
    if (a != 0.0) roots[static_cast<std::size_t>(count++)] = h / a;
    if (h != 0.0) roots[static_cast<std::size_t>(count++)] = c / h;
    return count;
}

void addPiece(const Track& track, Eigen::Index component, Eigen::Index k, double from, double to, TrackRange& range) {
    const double begin = track.times[static_cast<std::size_t>(k)];
    const double length = track.times[static_cast<std::size_t>(k) + 1] - begin;
    const double first = std::max(0.0, (from - begin) / length), last = std::min(1.0, (to - begin) / length);
    const Cubic piece = pieceOf(track, component, k, length);
    range.add(piece.at(first), begin + first * length);
    range.add(last < 1.0 ? piece.at(last) : track.values(component, k + 1), begin + last * length);
    std::array<double, 2> roots{};
    const int count = turningPoints(piece, roots);
    for (int i = 0; i < count; ++i) {
        const double s = roots[static_cast<std::size_t>(i)];
        if (s > first && s < last) range.add(piece.at(s), begin + s * length);
    }
}

}  // namespace

TrackRange rangeOf(const Track& track, Eigen::Index component, double from, double to) {
    TrackRange range;
    const auto after = std::upper_bound(track.times.begin(), track.times.end(), from) - track.times.begin();
    Eigen::Index k = std::max<Eigen::Index>(0, static_cast<Eigen::Index>(after) - 1);
    if (after == 0 || static_cast<std::size_t>(after) == track.times.size() || track.steps)
        range.add(track.values(component, k), from);
    for (; k + 1 < track.values.cols() && track.times[static_cast<std::size_t>(k)] < to; ++k) {
        const double next = track.times[static_cast<std::size_t>(k) + 1];
        if (!track.steps)
            addPiece(track, component, k, from, to, range);
        else if (next > from && next < to)
            range.add(track.values(component, k + 1), next);
    }
    return range;
}

TrackRange rangeOf(const Track& track, Eigen::Index component) {
    const double last = track.times.back();
    return rangeOf(track, component, track.times.front(),
                   std::nextafter(last, std::numeric_limits<double>::infinity()));
}

}  // namespace pliant
