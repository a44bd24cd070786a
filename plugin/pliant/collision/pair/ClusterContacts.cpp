// SPDX-License-Identifier: Zlib
#include "pliant/collision/pair/ClusterContacts.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cstddef>

namespace pliant {

namespace {

double meanRadius(const SkeletonContact& c) {
    return c.segmentB < 0 ? c.radiusA : 0.5 * (c.radiusA + c.radiusB);
}

/// By depth, at the end of the step where it is known how far that will be. What was kept last time gets a head start
/// of a tenth of the radius.
double rank(const SkeletonContact& c) {
    return c.distance - c.closing - (c.kept ? 0.1 * meanRadius(c) : 0.0);
}

bool inRegion(const SkeletonContact& seed, const SkeletonContact& c, const ClusterOptions& options) {
    const double reach = options.reach * meanRadius(seed);
    return (c.pointA - seed.pointA).squaredNorm() <= reach * reach && c.normal.dot(seed.normal) >= options.normalCosine;
}

/// The member for which `spread` (metres) is largest, if that is more than `least`; -1 otherwise.
template <typename Spread>
std::ptrdiff_t farthest(const std::vector<SkeletonContact>& contacts, std::size_t seed, const ClusterOptions& options,
                        double least, const Spread& spread) {
    std::ptrdiff_t found = -1;
    for (std::size_t i = seed + 1; i < contacts.size(); ++i) {
        if (!inRegion(contacts[seed], contacts[i], options)) continue;
        const double distance = spread(contacts[i]) * (contacts[i].kept ? 1.25 : 1.0);
        if (distance <= least) continue;
        least = distance;
        found = static_cast<std::ptrdiff_t>(i);
    }
    return found;
}

/// Up to three numbers (ascending from `seed`) of the contacts that stand for the region of contacts[seed].
int representatives(const std::vector<SkeletonContact>& contacts, std::size_t seed, const ClusterOptions& options,
                    std::size_t* chosen) {
    chosen[0] = seed;
    if (options.pointsPerRegion < 2) return 1;
    const Vector3 origin = contacts[seed].pointA;
    const double radius = meanRadius(contacts[seed]);
    const std::ptrdiff_t second =
        farthest(contacts, seed, options, radius, [&](const SkeletonContact& c) { return (c.pointA - origin).norm(); });
    if (second < 0) return 1;
    chosen[1] = static_cast<std::size_t>(second);
    if (options.pointsPerRegion < 3) return 2;
    const Vector3 line = (contacts[chosen[1]].pointA - origin).normalized();
    const std::ptrdiff_t third = farthest(contacts, seed, options, radius, [&](const SkeletonContact& c) {
        return (c.pointA - origin).cross(line).norm();
    });
    if (third < 0) return 2;
    chosen[2] = static_cast<std::size_t>(third);
    if (chosen[2] < chosen[1]) std::swap(chosen[1], chosen[2]);
    return 3;
}

}  // namespace

void clusterContacts(std::vector<SkeletonContact>& contacts, const ClusterOptions& options) {
    std::sort(contacts.begin(), contacts.end(), [](const SkeletonContact& x, const SkeletonContact& y) {
        return rank(x) != rank(y) ? rank(x) < rank(y) : x.feature < y.feature;
    });
    const std::size_t limit = static_cast<std::size_t>(std::max(1, options.maximum));
    std::size_t done = 0;
    while (done < contacts.size() && done < limit) {
        std::size_t chosen[3];
        const std::size_t seed = done;
        const int count = representatives(contacts, seed, options, chosen);
        for (int k = 1; k < count; ++k) {  // ascending, so that rotating one forward leaves the later ones in place
            const auto begin = contacts.begin() + static_cast<std::ptrdiff_t>(seed) + k;
            const auto at = contacts.begin() + static_cast<std::ptrdiff_t>(chosen[k]);
            std::rotate(begin, at, at + 1);
        }
        done += static_cast<std::size_t>(count);
        const SkeletonContact head = contacts[seed];
        std::size_t write = done;
        for (std::size_t i = done; i < contacts.size(); ++i)
            if (!inRegion(head, contacts[i], options)) contacts[write++] = contacts[i];
        contacts.resize(write);
    }
    contacts.resize(std::min(contacts.size(), std::min(done, limit)));
    std::sort(contacts.begin(), contacts.end(),
              [](const SkeletonContact& x, const SkeletonContact& y) { return x.feature < y.feature; });
}

}  // namespace pliant
