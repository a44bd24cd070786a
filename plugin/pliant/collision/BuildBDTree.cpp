// SPDX-License-Identifier: Zlib
#include "pliant/collision/BuildBDTree.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>
#include <numeric>

#include "pliant/math/Error.h"

namespace pliant {

namespace {

/// Points that deform, with a radius each, and items that cover some of them.
struct CoveredPoints {
    const PointsF& positions;                                  ///< 3 x n
    const VectorXf* radii;                                     ///< n, or null for points
    const MatrixXf& basis;                                     ///< 3n x r
    const Matrix<int, Eigen::Dynamic, Eigen::Dynamic>& items;  ///< k x m, point numbers
};

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

float roundUp(double x) {
    const float f = static_cast<float>(x);
    return static_cast<double>(f) >= x ? f : std::nextafter(f, std::numeric_limits<float>::infinity());
}

/// Bounds of one node.
///
/// Rounding: run time evaluates centre, points and radius in single precision as sums of r + 1 products in some order.
/// With g = (r + 2) u / (1 - (r + 2) u), u = 2^-24, each component of such a sum is off by at most g times the sum of
/// the absolute values [Higham, Accuracy and Stability of Numerical Algorithms, ch. 3]; for a centre this gives
/// g (|c0| + sum_j |Uc_j| |q_j|), for a covered point the same with s0, U_s, and both errors have the form
/// constant + sum_j coefficient |q_j|, the form of the bound itself: they are added to rad0 and a_j. The radius, a sum
/// of positive terms, is off by a factor of 1 - g at worst: divided out. Stored rest values and coefficients are exact
/// in both places, since the bounds are computed in double from the rounded floats. FLT_MIN covers underflow of
/// products.
class NodeBounds {
public:
    NodeBounds(const CoveredPoints& points, BDTree& tree) : m_points(points), m_tree(tree) {
        const int r = static_cast<int>(points.basis.cols());
        const double u = std::ldexp(1.0, -24), n = r + 2;
        m_gamma = n * u / (1.0 - n * u);
        m_mark.assign(static_cast<std::size_t>(points.positions.cols()), -1);
        m_tree.restCentres.resize(3, tree.nodeCount());
        m_tree.restRadii.resize(tree.nodeCount());
        m_tree.centreBasis.resize(3 * tree.nodeCount(), r);
        m_tree.radiusCoefficients.resize(r, tree.nodeCount());
        for (int k = 0; k < tree.nodeCount(); ++k) {
            collect(k);
            setCentre(k);
            setRadius(k);
        }
    }

private:
    /// The distinct points under node k, ascending.
    void collect(int k) {
        const BDTreeNode& node = m_tree.nodes[static_cast<std::size_t>(k)];
        m_covered.clear();
        for (int i = node.firstItem; i < node.firstItem + node.itemCount; ++i)
            for (int c = 0; c < m_points.items.rows(); ++c) {
                const int point = m_points.items(c, m_tree.items[static_cast<std::size_t>(i)]);
                if (m_mark[static_cast<std::size_t>(point)] == k) continue;
                m_mark[static_cast<std::size_t>(point)] = k;
                m_covered.push_back(point);
            }
        std::sort(m_covered.begin(), m_covered.end());
    }

    void setCentre(int k) {
        const int r = static_cast<int>(m_points.basis.cols());
        Vector3 centre = Vector3::Zero();
        Eigen::Matrix<double, 3, Eigen::Dynamic> basis = Eigen::Matrix<double, 3, Eigen::Dynamic>::Zero(3, r);
        for (int p : m_covered) {
            centre += m_points.positions.col(p).cast<double>();
            basis += m_points.basis.middleRows<3>(3 * p).cast<double>();
        }
        const double share = 1.0 / static_cast<double>(m_covered.size());
        m_tree.restCentres.col(k) = (share * centre).cast<float>();
        m_tree.centreBasis.middleRows<3>(3 * k) = (share * basis).cast<float>();
    }

    void setRadius(int k) {
        const int r = static_cast<int>(m_points.basis.cols());
        const double shrink = 1.0 / (1.0 - m_gamma);
        const Vector3 centre = m_tree.restCentres.col(k).cast<double>();
        double radius = 0.0;
        for (int p : m_covered) {
            const Vector3 s = m_points.positions.col(p).cast<double>();
            const double ball = m_points.radii ? static_cast<double>((*m_points.radii)[p]) : 0.0;
            radius = std::max(radius, (s - centre).norm() + ball + m_gamma * (s.norm() + centre.norm()));
        }
        m_tree.restRadii[k] = roundUp(radius * shrink + static_cast<double>(r + 4) * static_cast<double>(FLT_MIN));
        for (int j = 0; j < r; ++j) {
            const Vector3 uc = m_tree.centreBasis.block<3, 1>(3 * k, j).cast<double>();
            double growth = 0.0;
            for (int p : m_covered) {
                const Vector3 us = m_points.basis.block<3, 1>(3 * p, j).cast<double>();
                growth = std::max(growth, (us - uc).norm() + m_gamma * (us.norm() + uc.norm()));
            }
            m_tree.radiusCoefficients(j, k) = roundUp(growth * shrink);
        }
    }

    const CoveredPoints& m_points;
    BDTree& m_tree;
    double m_gamma = 0.0;
    std::vector<int> m_mark;  ///< the last node that collected a point
    std::vector<int> m_covered;
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
    const NodeBounds bounds(points, tree);
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
