// SPDX-License-Identifier: Zlib
#include "pliant/collision/pair/ClusterContacts.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cstddef>
#include <cstdint>

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

/// A contact on its way through the regions: what is read of each of hundreds again and again, without the rest.
struct Candidate {
    Vector3 point, normal;
    double rank, radius, weight;  ///< weight: what its spread counts times
    std::uint64_t feature;
    int index;  ///< of the contact
};

Candidate candidateOf(const SkeletonContact& c, int index) {
    return {c.pointA, c.normal, rank(c), meanRadius(c), c.kept ? 1.25 : 1.0, c.feature, index};
}

using Candidates = std::vector<Candidate>;

/// Takes the members of the region of the first candidate out of `left`, all in their order.
void takeRegion(Candidates& left, const ClusterOptions& options, Candidates& region) {
    const Candidate seed = left.front();
    const double reach = options.reach * seed.radius;
    region.clear();
    region.push_back(seed);
    std::size_t write = 0;
    for (std::size_t i = 1; i < left.size(); ++i) {
        const Candidate& c = left[i];
        if ((c.point - seed.point).squaredNorm() <= reach * reach && c.normal.dot(seed.normal) >= options.normalCosine)
            region.push_back(c);
        else
            left[write++] = c;
    }
    left.resize(write);
}

/// The member but the first for which `spread` (metres) is largest, if that is more than `least`; 0 otherwise.
template <typename Spread>
std::size_t farthest(const Candidates& region, double least, const Spread& spread) {
    std::size_t found = 0;
    for (std::size_t i = 1; i < region.size(); ++i) {
        const double distance = spread(region[i]) * region[i].weight;
        if (distance <= least) continue;
        least = distance;
        found = i;
    }
    return found;
}

/// Appends the contacts, up to three, that stand for a region.
void choose(const Candidates& region, int most, std::vector<int>& chosen) {
    chosen.push_back(region.front().index);
    if (most < 2) return;
    const Vector3 origin = region.front().point;
    const double radius = region.front().radius;
    const std::size_t second = farthest(region, radius, [&](const Candidate& c) { return (c.point - origin).norm(); });
    if (second == 0) return;
    chosen.push_back(region[second].index);
    if (most < 3) return;
    const Vector3 line = (region[second].point - origin).normalized();
    const std::size_t third =
        farthest(region, radius, [&](const Candidate& c) { return (c.point - origin).cross(line).norm(); });
    if (third == 0) return;
    // In the order of their rank, which tells where the limit cuts.
    chosen.push_back(region[third].index);
    if (third < second) std::swap(chosen[chosen.size() - 1], chosen[chosen.size() - 2]);
}

}  // namespace

void clusterContacts(std::vector<SkeletonContact>& contacts, const ClusterOptions& options) {
    static thread_local Candidates left, region;
    static thread_local std::vector<int> chosen;
    left.clear();
    chosen.clear();
    for (std::size_t i = 0; i < contacts.size(); ++i) left.push_back(candidateOf(contacts[i], static_cast<int>(i)));
    std::sort(left.begin(), left.end(), [](const Candidate& x, const Candidate& y) {
        return x.rank != y.rank ? x.rank < y.rank : x.feature < y.feature;
    });
    const std::size_t limit = static_cast<std::size_t>(std::max(1, options.maximum));
    while (!left.empty() && chosen.size() < limit) {
        takeRegion(left, options, region);
        choose(region, options.pointsPerRegion, chosen);
    }
    chosen.resize(std::min(chosen.size(), limit));
    std::sort(chosen.begin(), chosen.end(), [&contacts](int x, int y) {
        return contacts[static_cast<std::size_t>(x)].feature < contacts[static_cast<std::size_t>(y)].feature;
    });
    static thread_local std::vector<SkeletonContact> kept;
    kept.clear();
    for (const int index : chosen) kept.push_back(contacts[static_cast<std::size_t>(index)]);
    contacts.assign(kept.begin(), kept.end());
}

}  // namespace pliant
