// SPDX-License-Identifier: Zlib
#include "pliant/touch/PointClusters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "pliant/touch/NearestPointKernels.h"

namespace pliant {

namespace {

constexpr float kNowhere = 1e15f;             ///< m, of clusters that fill up a group
constexpr float kClusterRounding = 1.00001f;  ///< of radii in single precision
constexpr int kSeveral = 4;                   ///< points for which their cluster as a whole is asked for first

std::size_t roundedUp(int count) {
    return static_cast<std::size_t>((count + kClustersOfGroup - 1) / kClustersOfGroup);
}

}  // namespace

PointClusters::PointClusters(const CollisionModel& model) {
    const BDTree& tree = model.skeletonTree();
    std::vector<int> open(tree.nodes.empty() ? 0 : 1, 0), spheres;
    while (!open.empty()) {
        const BDTreeNode& node = tree.nodes[static_cast<std::size_t>(open.back())];
        open.pop_back();
        if (node.itemCount > kPoints && node.firstChild >= 0) {
            open.push_back(node.firstChild + 1);
            open.push_back(node.firstChild);
            continue;
        }
        for (int first = 0; first < node.itemCount; first += kPoints) {
            spheres.clear();
            for (int k = first; k < std::min(node.itemCount, first + kPoints); ++k) {
                const int segment = tree.items[static_cast<std::size_t>(node.firstItem + k)];
                spheres.push_back(model.skeleton().segments(0, segment));
            }
            add(model, spheres);
        }
    }
}

void PointClusters::add(const CollisionModel& model, std::vector<int> spheres) {
    const PointsF& centres = model.skeleton().restCentres;
    Eigen::Vector3f mean = Eigen::Vector3f::Zero();
    for (const int sphere : spheres) mean += centres.col(sphere);
    mean /= static_cast<float>(spheres.size());
    std::iter_swap(spheres.begin(), std::min_element(spheres.begin(), spheres.end(), [&](int a, int b) {
                       return (centres.col(a) - mean).squaredNorm() < (centres.col(b) - mean).squaredNorm();
                   }));
    spheres.resize(kPoints, spheres.front());
    m_spheres.insert(m_spheres.end(), spheres.begin(), spheres.end());
}

PlacedClusters::PlacedClusters(const PointClusters& clusters)
    : m_clusters(&clusters),
      m_middles(4 * kClustersOfGroup * roundedUp(clusters.count()), 0.0f),
      m_points(3 * clusters.spheres().size(), 0.0f) {}

void PlacedClusters::place(const float* spheres) {
    constexpr int n = PointClusters::kPoints;
    const int count = m_clusters->count();
    const int* sphere = m_clusters->spheres().data();
    float* points = m_points.data();
    for (int cluster = 0; cluster < count; ++cluster, sphere += n, points += 3 * n) {
        float most = 0.0f;
        for (int i = 0; i < n; ++i) {
            float squared = 0.0f;
            for (int k = 0; k < 3; ++k) {
                points[n * k + i] = spheres[4 * static_cast<std::size_t>(sphere[i]) + static_cast<std::size_t>(k)];
                const float apart = points[n * k + i] - points[n * k];
                squared += apart * apart;
            }
            most = std::max(most, squared);
        }
        float* middle =
            m_middles.data() + 4 * kClustersOfGroup * (cluster / kClustersOfGroup) + cluster % kClustersOfGroup;
        for (int k = 0; k < 3; ++k) middle[kClustersOfGroup * k] = points[n * k];
        middle[kClustersOfGroup * 3] = kClusterRounding * std::sqrt(most);
    }
    for (int cluster = count; cluster % kClustersOfGroup != 0; ++cluster)
        m_middles[static_cast<std::size_t>(4 * kClustersOfGroup * (cluster / kClustersOfGroup) +
                                           cluster % kClustersOfGroup)] = kNowhere;
}

NearestPoint PlacedClusters::nearest(const Vector3& place) const {
    const int count = m_clusters->count();
    if (count == 0) return {};
    const float at[3] = {static_cast<float>(place[0]), static_cast<float>(place[1]), static_cast<float>(place[2])};
    const ClusteredPoint found = nearestClusteredPoint({m_middles.data(), m_points.data(), count}, at);
    return {m_clusters->spheres()[static_cast<std::size_t>(found.index)],
            std::sqrt(static_cast<double>(found.squaredDistance))};
}

namespace {

/// How far the farthest middle of clusters is along a direction, less what rounding may add to a sum.
float farthestMiddle(const float* middles, int count, float x, float y, float z) {
    float most = std::numeric_limits<float>::lowest(), largest = 0.0f;
    for (int cluster = 0; cluster < count; ++cluster) {
        const float* ball = middles + 4 * kClustersOfGroup * (cluster / kClustersOfGroup) + cluster % kClustersOfGroup;
        const float a = x * ball[0], b = y * ball[kClustersOfGroup], c = z * ball[2 * kClustersOfGroup];
        const float along = (a + b) + c, size = (std::fabs(a) + std::fabs(b)) + std::fabs(c);
        most = along > most ? along : most;
        largest = size > largest ? size : largest;
    }
    return most - (kClusterRounding - 1.0f) * largest;
}

/// Whether a ball reaches into a part of space. @param ball x, y, z, radius, `stride` numbers from each other
bool reaches(const PlaneAndBox& space, const float* ball, int stride) {
    const float radius = ball[3 * stride];
    float along = 0.0f;
    for (int k = 0; k < 3; ++k) {
        const float at = ball[k * stride];
        along += space.direction[k] * at;
        if (at + radius < space.lower[k] || at - radius > space.upper[k]) return false;
    }
    return !(along - radius > space.most);
}

/// Which of sixteen points are in a part of space. @param points x[16], y[16], z[16] @return how many
int pointsWithin(const PlaneAndBox& space, const float* points, int (&isWithin)[PointClusters::kPoints]) {
    constexpr int n = PointClusters::kPoints;
    const float nx = space.direction[0], ny = space.direction[1], nz = space.direction[2], most = space.most;
    const float lx = space.lower[0], ly = space.lower[1], lz = space.lower[2];
    const float ux = space.upper[0], uy = space.upper[1], uz = space.upper[2];
    int count = 0;
    for (int i = 0; i < n; ++i) {
        const float x = points[i], y = points[n + i], z = points[2 * n + i];
        const float along = (nx * x + ny * y) + nz * z;
        isWithin[i] = (along <= most) & (x >= lx) & (x <= ux) & (y >= ly) & (y <= uy) & (z >= lz) & (z <= uz);
        count += isWithin[i];
    }
    return count;
}

}  // namespace

void PlacedClusters::collect(const PlaneAndBox& space, FunctionRef<bool(const Vector3&, double)> mayMatter,
                             std::vector<int>& spheres) const {
    constexpr int n = PointClusters::kPoints, side = kClustersOfGroup;
    const int* sphere = m_clusters->spheres().data();
    const float* points = m_points.data();
    for (int cluster = 0; cluster < m_clusters->count(); ++cluster, sphere += n, points += 3 * n) {
        const float* ball = m_middles.data() + 4 * side * (cluster / side) + cluster % side;
        if (!reaches(space, ball, side)) continue;
        int isWithin[n];
        const int count = pointsWithin(space, points, isWithin);
        if (count == 0) continue;
        const Vector3 middle = Eigen::Vector3f(ball[0], ball[side], ball[2 * side]).cast<double>();
        if (count >= kSeveral && !mayMatter(middle, static_cast<double>(ball[3 * side]))) continue;
        for (int i = 0; i < n; ++i)
            if (isWithin[i] != 0) spheres.push_back(sphere[i]);
    }
}

// Middles are points, so that no cluster counts that is behind the farthest of them with all of its radius. Sixteen
// maxima side by side, whose order does not matter.
float PlacedClusters::farthestAlong(const Vector3& direction) const {
    constexpr int n = PointClusters::kPoints;
    const auto x = static_cast<float>(direction[0]), y = static_cast<float>(direction[1]),
               z = static_cast<float>(direction[2]);
    std::array<float, n> most;
    most.fill(std::numeric_limits<float>::lowest());
    const float bound = farthestMiddle(m_middles.data(), m_clusters->count(), x, y, z);
    const float* points = m_points.data();
    for (int cluster = 0; cluster < m_clusters->count(); ++cluster, points += 3 * n) {
        const float* ball =
            m_middles.data() + 4 * kClustersOfGroup * (cluster / kClustersOfGroup) + cluster % kClustersOfGroup;
        const float middle = (x * ball[0] + y * ball[kClustersOfGroup]) + z * ball[2 * kClustersOfGroup];
        if (middle + kClusterRounding * ball[3 * kClustersOfGroup] < bound) continue;
        for (int i = 0; i < n; ++i) {
            const float along = (x * points[i] + y * points[n + i]) + z * points[2 * n + i];
            float& known = most[static_cast<std::size_t>(i)];
            known = along > known ? along : known;
        }
    }
    return *std::max_element(most.begin(), most.end());
}

}  // namespace pliant
