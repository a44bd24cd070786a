// SPDX-License-Identifier: Zlib
// The tree of points of [JP04] and [B07 3.9], for comparison with clusters of cells: every point of a level is a sphere
// around what hangs below it, the points of the next level that it is nearest to, itself among them. On a body that
// bends its radius is R = R0 + sum_j a_j |q_j| [B07 3.12], with a_j the most that the shape U_j takes any point below
// away from the middle.
#pragma once

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <vector>

#include "pliant/touch/LatticeBasis.h"
#include "pliant/touch/PlacedShell.h"
#include "pliant/touch/TouchField.h"

namespace pliant::test {

class PointTree {
public:
    /// @param lattice that bends the shell, or null
    explicit PointTree(const DistributedShell& shell, const ContactLattice* lattice = nullptr) {
        std::vector<std::vector<int>> levels(static_cast<std::size_t>(shell.levelCount()));
        for (int i = 0; i < shell.pointCount(); ++i)
            for (int level = shell.levelOf(i); level < shell.levelCount(); ++level)
                levels[static_cast<std::size_t>(level)].push_back(i);
        for (int i = 0; i < shell.pointCount(); ++i) m_points.push_back(shell.restPoint(i));
        if (lattice) makeShapes(shell, *lattice);
        m_nodes.resize(levels.size());
        for (std::size_t level = 0; level < levels.size(); ++level)
            for (const int point : levels[level]) m_nodes[level].push_back({point, 0.0, VectorXf::Zero(m_modes), {}});
        for (std::size_t level = levels.size() - 1; level > 0; --level) addChildren(level);
        for (std::size_t level = 0; level + 1 < m_nodes.size(); ++level)
            for (Node& node : m_nodes[level]) growAround(node, level, node);
    }

    /// Points with a negative distance, breadth first. @param q of the shell's body, of as many numbers as it bends by
    int find(const TouchField& field, const PlacedShell& placed, const VectorX& q) {
        const VectorXf bent = q.head(m_modes).cwiseAbs().cast<float>();
        m_visited = 0;
        m_open.clear();
        for (int i = 0; i < static_cast<int>(m_nodes[0].size()); ++i) m_open.push_back(i);
        int contacts = 0;
        for (std::size_t level = 0; level < m_nodes.size(); ++level) {
            m_next.clear();
            for (const int at : m_open) {
                const Node& node = m_nodes[level][static_cast<std::size_t>(at)];
                ++m_visited;
                const double d = field.distance(placed.point(node.point));
                if (level + 1 == m_nodes.size()) {
                    contacts += d < 0.0;
                    continue;
                }
                const double radius = node.radius + static_cast<double>(node.shapes.dot(bent));
                if (!(field.freeWay(d) > radius))
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
        double radius;    ///< R0: m, of the sphere around all points below, at rest
        VectorXf shapes;  ///< a_j, m a unit of q_j
        std::vector<int> children;
    };
    /// Displacement of every point in each shape, 3 x r numbers a point.
    void makeShapes(const DistributedShell& shell, const ContactLattice& lattice) {
        m_modes = lattice.basis.cols();
        m_shapes.resize(3 * m_modes, shell.pointCount());
        const Vector3 axes[3] = {Vector3::UnitX(), Vector3::UnitY(), Vector3::UnitZ()};
        std::vector<double> along(static_cast<std::size_t>(3 * m_modes));
        for (int i = 0; i < shell.pointCount(); ++i) {
            const LatticePoint at{shell.cells()[static_cast<std::size_t>(shell.cellOf(i))].latticeCell,
                                  shell.placeInCell(i)};
            latticeBasisAlong(lattice, at, axes, 3, along.data());
            for (Eigen::Index j = 0; j < m_modes; ++j)
                for (Eigen::Index k = 0; k < 3; ++k)
                    m_shapes(3 * j + k, i) = static_cast<float>(along[static_cast<std::size_t>(k * m_modes + j)]);
        }
    }
    /// Makes a node hold all points below one of its descendants.
    void growAround(Node& node, std::size_t level, const Node& descendant) {
        if (level + 1 < m_nodes.size()) {
            for (const int child : descendant.children)
                growAround(node, level + 1, m_nodes[level + 1][static_cast<std::size_t>(child)]);
            return;
        }
        const auto middle = static_cast<std::size_t>(node.point), leaf = static_cast<std::size_t>(descendant.point);
        node.radius = std::max(node.radius, (m_points[leaf] - m_points[middle]).norm());
        for (Eigen::Index j = 0; j < m_modes; ++j)
            node.shapes[j] = std::max(
                node.shapes[j],
                (m_shapes.block<3, 1>(3 * j, descendant.point) - m_shapes.block<3, 1>(3 * j, node.point)).norm());
    }
    /// Hangs the nodes of a level under the nearest ones of the level above.
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
            best = std::max(best, 0);
            above[static_cast<std::size_t>(best)].children.push_back(i);
        }
    }

    Eigen::Index m_modes = 0;
    MatrixXf m_shapes;  ///< 3 r x n, m a unit of q
    std::vector<Vector3> m_points;
    std::vector<std::vector<Node>> m_nodes;
    std::vector<int> m_open, m_next;
    int m_visited = 0;
};

}  // namespace pliant::test
