// SPDX-License-Identifier: Zlib
// Points that push each other apart on a surface, level by level, as [B07 3.8.1] makes its shells. For comparison.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "pliant/math/Types.h"

namespace pliant::benchmarks {

/// Points in cubes of a given side, to find those that are near a place.
class PointHash {
public:
    PointHash(const std::vector<Vector3>& points, double side) : m_points(points), m_side(side) {
        for (int i = 0; i < static_cast<int>(points.size()); ++i)
            m_cubes[key(cubeOf(points[static_cast<std::size_t>(i)]))].push_back(i);
    }
    /// Calls with the number of every point that is no farther away than the cubes' side, and of others.
    template <class Visit>
    void visitNear(const Vector3& p, const Visit& visit) const {
        const Eigen::Vector3i middle = cubeOf(p);
        for (int x = -1; x <= 1; ++x)
            for (int y = -1; y <= 1; ++y)
                for (int z = -1; z <= 1; ++z) {
                    const auto cube = m_cubes.find(key(middle + Eigen::Vector3i(x, y, z)));
                    if (cube == m_cubes.end()) continue;
                    for (const int i : cube->second) visit(i);
                }
    }
    /// The nearest point; -1 where none is as near as the cubes' side.
    int nearest(const Vector3& p) const {
        int found = -1;
        double least = m_side * m_side;
        visitNear(p, [&](int i) {
            const double away = (m_points[static_cast<std::size_t>(i)] - p).squaredNorm();
            if (away <= least) {
                least = away;
                found = i;
            }
        });
        return found;
    }

private:
    Eigen::Vector3i cubeOf(const Vector3& p) const { return (p / m_side).array().floor().matrix().cast<int>(); }
    static std::uint64_t key(const Eigen::Vector3i& cube) {
        const auto part = [&cube](int k) { return static_cast<std::uint64_t>(cube[k] + (1 << 20)); };
        return part(0) << 42 | part(1) << 21 | part(2);
    }
    const std::vector<Vector3>& m_points;
    double m_side;
    std::unordered_map<std::uint64_t, std::vector<int>> m_cubes;
};

/// A surface that points are laid on.
struct PointSurface {
    double area;                                     ///< m^2
    std::function<Vector3()> random;                 ///< A place by chance, of evenly distributed ones.
    std::function<Vector3(const Vector3&)> project;  ///< The place of the surface that is nearest.
};

/// Four times as many points in each level as in the one before, whose points stand: new ones begin where chance has
/// put them, and are pushed by all that are nearer than two mean distances, the more the nearer (a cubic that is level
/// at both ends), by steps that become smaller.
inline std::vector<Vector3> repelledPoints(const PointSurface& surface, int points, int levels) {
    constexpr int kSteps = 60;
    std::vector<Vector3> all;
    for (int level = 0; level < levels; ++level) {
        const auto count = static_cast<std::size_t>(points >> (2 * (levels - 1 - level))), fixed = all.size();
        const double reach = 2.0 * std::sqrt(surface.area / static_cast<double>(count));
        while (all.size() < count) all.push_back(surface.random());
        for (int step = 0; step < kSteps; ++step) {
            const double length = 0.35 * reach / (step < kSteps / 3 ? 1 : step < 2 * kSteps / 3 ? 2 : 4);
            const std::vector<Vector3> before = all;
            const PointHash hash(before, reach);
            for (std::size_t i = fixed; i < count; ++i) {
                Vector3 push = Vector3::Zero();
                hash.visitNear(before[i], [&](int k) {
                    const Vector3 apart = before[i] - before[static_cast<std::size_t>(k)];
                    const double x = apart.norm() / reach;
                    if (x > 0.0 && x < 1.0) push += (2 * x * x * x - 3 * x * x + 1) / (x * reach) * apart;
                });
                push *= length;
                if (push.norm() > 0.5 * reach) push *= 0.5 * reach / push.norm();
                all[i] = surface.project(before[i] + push);
            }
        }
    }
    return all;
}

}  // namespace pliant::benchmarks
