// SPDX-License-Identifier: Zlib
#include "pliant/model/TreeBounds.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

float roundUp(double x) {
    const float f = static_cast<float>(x);
    return static_cast<double>(f) >= x ? f : std::nextafter(f, std::numeric_limits<float>::infinity());
}

/// Bounds of one node.
///
/// Rounding: run time evaluates centre, points and radius in single precision as sums of r + 1 products in some order.
/// With g = (r + 2) u / (1 - (r + 2) u), u = 2^-24, each component of such a sum is off by at most g times the sum of
/// the absolute values [H02 ch. 3]; for a centre this gives
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
            const double sphere = m_points.radii ? static_cast<double>((*m_points.radii)[p]) : 0.0;
            radius = std::max(radius, (s - centre).norm() + sphere + m_gamma * (s.norm() + centre.norm()));
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

}  // namespace

void setTreeBounds(const CoveredPoints& points, BDTree& tree) {
    const NodeBounds bounds(points, tree);
}

void setTreeBounds(ReducedModel& model) {
    using Items = Matrix<int, Eigen::Dynamic, Eigen::Dynamic>;
    const Items segments = model.skeleton.segments, triangles = model.surface.triangles;
    const ContactSkeleton& skeleton = model.skeleton;
    setTreeBounds({skeleton.restCentres, &skeleton.radii, skeleton.basis, segments}, model.skeletonTree);
    const PointsF positions = model.surface.positions.cast<float>();
    setTreeBounds({positions, nullptr, model.surfaceBasis, triangles}, model.triangleTree);
}

}  // namespace pliant
