// SPDX-License-Identifier: Zlib
// The tree of points of [JP04] and [B07 3.9], for comparison with clusters of cells: every point of a level is a sphere
// around its children, the points of the next level that it is nearest to, itself among them.
#pragma once

#include <cmath>
#include <unordered_map>
#include <vector>

#include "pliant/touch/DistributedShell.h"
#include "pliant/touch/TouchField.h"

namespace pliant::test {

class PointTree {
public:
    explicit PointTree(const DistributedShell& shell) {
        std::vector<std::vector<int>> levels(static_cast<std::size_t>(shell.levelCount()));
        for (int i = 0; i < shell.pointCount(); ++i)
            for (int level = shell.levelOf(i); level < shell.levelCount(); ++level)
                levels[static_cast<std::size_t>(level)].push_back(i);
        for (int i = 0; i < shell.pointCount(); ++i) m_points.push_back(shell.restPoint(i));
        m_nodes.resize(levels.size());
        for (std::size_t level = 0; level < levels.size(); ++level)
            for (const int point : levels[level]) m_nodes[level].push_back({point, 0.0, {}});
        for (std::size_t level = levels.size() - 1; level > 0; --level) addChildren(level);
    }

    /// Points with a negative distance, breadth first. @param pose field from mesh
    int find(const TouchField& field, double lipschitz, const RigidTransform& pose) {
        m_visited = 0;
        m_open.clear();
        for (int i = 0; i < static_cast<int>(m_nodes[0].size()); ++i) m_open.push_back(i);
        int contacts = 0;
        for (std::size_t level = 0; level < m_nodes.size(); ++level) {
            m_next.clear();
            for (const int at : m_open) {
                const Node& node = m_nodes[level][static_cast<std::size_t>(at)];
                ++m_visited;
                const double d = field.distance(pose.point(m_points[static_cast<std::size_t>(node.point)]));
                if (level + 1 == m_nodes.size()) contacts += d < 0.0;
                if (d <= lipschitz * node.radius)
                    m_next.insert(m_next.end(), node.children.begin(), node.children.end());
            }
            m_open.swap(m_next);
        }
        return contacts;
    }
    int visited() const { return m_visited; }

private:
    struct Node {
        int point;
        double radius;  ///< m, of the sphere around all points below
        std::vector<int> children;
    };
    /// Hangs the nodes of a level under the nearest ones of the level above, and grows these.
    void addChildren(std::size_t level) {
        std::vector<Node>& above = m_nodes[level - 1];
        Vector3 low = m_points[0], high = m_points[0];
        for (const Vector3& p : m_points) low = low.cwiseMin(p), high = high.cwiseMax(p);
        const double width = 2.0 * (high - low).maxCoeff() / std::sqrt(static_cast<double>(above.size()));
        const auto keyOf = [&](const Vector3& p, int dx, int dy, int dz) {
            const Vector3 c = ((p - low) / width).array().floor();
            return (static_cast<long>(c.x()) + dx) +
                   4096 * ((static_cast<long>(c.y()) + dy) + 4096 * (static_cast<long>(c.z()) + dz));
        };
        std::unordered_map<long, std::vector<int>> grid;
        for (int i = 0; i < static_cast<int>(above.size()); ++i)
            grid[keyOf(m_points[static_cast<std::size_t>(above[static_cast<std::size_t>(i)].point)], 0, 0, 0)]
                .push_back(i);
        for (int i = 0; i < static_cast<int>(m_nodes[level].size()); ++i) {
            const Node& node = m_nodes[level][static_cast<std::size_t>(i)];
            const Vector3& place = m_points[static_cast<std::size_t>(node.point)];
            int best = -1;
            double least = 1e30;
            for (int n = 0; n < 27; ++n) {
                const auto cell = grid.find(keyOf(place, n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1));
                if (cell == grid.end()) continue;
                for (const int other : cell->second) {
                    const double d =
                        (m_points[static_cast<std::size_t>(above[static_cast<std::size_t>(other)].point)] - place)
                            .squaredNorm();
                    if (d < least) least = d, best = other;
                }
            }
            if (best < 0) best = 0, least = (m_points[static_cast<std::size_t>(above[0].point)] - place).squaredNorm();
            Node& parent = above[static_cast<std::size_t>(best)];
            parent.children.push_back(i);
            parent.radius = std::max(parent.radius, std::sqrt(least) + node.radius);
        }
    }

    std::vector<Vector3> m_points;
    std::vector<std::vector<Node>> m_nodes;
    std::vector<int> m_open, m_next;
    int m_visited = 0;
};

}  // namespace pliant::test
