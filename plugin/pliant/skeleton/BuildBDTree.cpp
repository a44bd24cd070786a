// SPDX-License-Identifier: Zlib
#include "pliant/skeleton/BuildBDTree.h"

#include <algorithm>
#include <numeric>

#include "pliant/math/Error.h"
#include "pliant/model/TreeBounds.h"

namespace pliant {

namespace {

/// Topology: ranges of items halved at the median of the longest axis of their centres, breadth first.
class TreeTopology {
public:
    TreeTopology(const CoveredPoints& points, int leafSize, BDTree& tree) : m_tree(tree) {
        const int m = static_cast<int>(points.items.cols());
        m_centres.setZero(3, m);
        for (int i = 0; i < m; ++i) {
            for (int k = 0; k < points.items.rows(); ++k)
                m_centres.col(i) += points.positions.col(points.items(k, i)).cast<double>();
            m_centres.col(i) /= static_cast<double>(points.items.rows());
        }
        tree.items.resize(static_cast<std::size_t>(m));
        std::iota(tree.items.begin(), tree.items.end(), 0);
        if (m > 0) tree.nodes.push_back({-1, 0, m});
        for (std::size_t k = 0; k < tree.nodes.size(); ++k)
            if (tree.nodes[k].itemCount > leafSize) split(k);
    }

private:
    void split(std::size_t k) {
        const BDTreeNode node = m_tree.nodes[k];
        const auto begin = m_tree.items.begin() + node.firstItem, end = begin + node.itemCount;
        Vector3 lower = m_centres.col(*begin), upper = lower;
        for (auto it = begin; it != end; ++it) {
            lower = lower.cwiseMin(m_centres.col(*it));
            upper = upper.cwiseMax(m_centres.col(*it));
        }
        int axis = 0;
        (upper - lower).maxCoeff(&axis);
        std::sort(begin, end, [&](int x, int y) {
            return m_centres(axis, x) != m_centres(axis, y) ? m_centres(axis, x) < m_centres(axis, y) : x < y;
        });
        const int half = node.itemCount / 2;
        m_tree.nodes[k].firstChild = m_tree.nodeCount();
        m_tree.nodes.push_back({-1, node.firstItem, half});
        m_tree.nodes.push_back({-1, node.firstItem + half, node.itemCount - half});
    }

    BDTree& m_tree;
    Points m_centres;  ///< of the items
};

BDTree buildTree(const CoveredPoints& points, int leafSize, const char* what) {
    if (leafSize < 1) throw Error(what, "leaf size " + std::to_string(leafSize) + " is less than 1");
    if (points.basis.rows() != 3 * points.positions.cols())
        throw Error(what, "basis has " + std::to_string(points.basis.rows()) + " rows for " +
                              std::to_string(points.positions.cols()) + " points");
    if (points.items.size() > 0 &&
        (points.items.minCoeff() < 0 || points.items.maxCoeff() >= static_cast<int>(points.positions.cols())))
        throw Error(what, "an item refers to a point that does not exist");
    BDTree tree;
    const TreeTopology topology(points, leafSize, tree);
    setTreeBounds(points, tree);
    return tree;
}

}  // namespace

BDTree buildSkeletonTree(const ContactSkeleton& skeleton, int leafSize) {
    const Matrix<int, Eigen::Dynamic, Eigen::Dynamic> items = skeleton.segments;
    return buildTree({skeleton.restCentres, &skeleton.radii, skeleton.basis, items}, leafSize, "skeleton BD-Tree");
}

BDTree buildTriangleTree(const PointsF& restPositions, const MatrixXf& basis, const Triangles& triangles,
                         int leafSize) {
    const Matrix<int, Eigen::Dynamic, Eigen::Dynamic> items = triangles;
    return buildTree({restPositions, nullptr, basis, items}, leafSize, "triangle BD-Tree");
}

}  // namespace pliant
