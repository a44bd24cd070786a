// SPDX-License-Identifier: Zlib
#include "pliant/skeleton/SurfaceDistance.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace pliant {

namespace {

/// Triangles of a leaf; the boxes of pairs keep away most of those that are not the nearest.
constexpr int kItemsOfLeaf = 2;

double squaredDistanceOfBox(const Vector3& lower, const Vector3& upper, const Vector3& x) {
    return (x - x.cwiseMax(lower).cwiseMin(upper)).squaredNorm();
}

Vector3 nearestOnEdge(const Vector3& a, const Vector3& b, const Vector3& x) {
    const Vector3 e = b - a;
    const double length2 = e.squaredNorm();
    const double share = length2 > 0.0 ? e.dot(x - a) / length2 : 0.0;
    // The ends are the vertices themselves, so that all edges and triangles around one agree to the last bit.
    if (share <= 0.0) return a;
    return share >= 1.0 ? b : Vector3(a + share * e);
}

/// What the search for the nearest point reads of a triangle.
SurfaceDistance::PackedTriangle pack(const Vector3& a, const Vector3& b, const Vector3& c) {
    SurfaceDistance::PackedTriangle t{{a, b, c}, (b - a).cross(c - a), 0.0, false};
    t.area2 = t.normal.squaredNorm();
    const double longest2 = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
    constexpr double kFlattest = 1e-5;  // height over the longest edge; rounding turns the normal by 1e-11 there
    t.isSliver = t.area2 <= kFlattest * kFlattest * longest2 * longest2;
    return t;
}

/// The point of a triangle that is nearest to x.
Vector3 nearestOn(const SurfaceDistance::PackedTriangle& t, const Vector3& x) {
    const auto& [a, b, c] = t.corner;
    // Seen along the normal, x lies outside of an edge that holds the nearest point, or over the triangle.
    std::array<double, 3> inside{-1.0, -1.0, -1.0};
    if (t.area2 > 0.0)
        inside = {t.normal.dot((b - a).cross(x - a)), t.normal.dot((c - b).cross(x - b)),
                  t.normal.dot((a - c).cross(x - c))};
    const bool isOver = inside[0] >= 0.0 && inside[1] >= 0.0 && inside[2] >= 0.0;
    if (isOver && !t.isSliver) return x - (t.normal.dot(x - a) / t.area2) * t.normal;
    Vector3 best = Vector3::Zero();
    double least = std::numeric_limits<double>::infinity();
    const auto consider = [&](const Vector3& candidate) {
        const double distance2 = (candidate - x).squaredNorm();
        if (!(distance2 < least)) return;
        least = distance2;
        best = candidate;
    };
    for (std::size_t k = 0; k < 3; ++k)
        if (inside[k] < 0.0 || t.isSliver) consider(nearestOnEdge(t.corner[k], t.corner[(k + 1) % 3], x));
    // By weights of the corners the foot lies on the sliver, wherever its normal points.
    if (isOver) consider((inside[1] * a + inside[2] * b + inside[0] * c) / (inside[0] + inside[1] + inside[2]));
    return best;
}

}  // namespace

Vector3 nearestOnTriangle(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& x) {
    return nearestOn(pack(a, b, c), x);
}

SurfaceDistance::SurfaceDistance(const Points& points, const Triangles& triangles)
    : m_points(points), m_triangles(triangles), m_items(static_cast<std::size_t>(triangles.cols())) {
    std::iota(m_items.begin(), m_items.end(), 0);
    m_nodes.push_back(makeNode(0, static_cast<int>(m_items.size())));
    for (std::size_t k = 0; k < m_nodes.size(); ++k) {
        const Node node = m_nodes[k];
        if (node.itemCount <= kItemsOfLeaf) continue;
        int axis = 0;
        (node.upper - node.lower).maxCoeff(&axis);
        const auto centre = [&](int t) {
            return m_points(axis, m_triangles(0, t)) + m_points(axis, m_triangles(1, t)) +
                   m_points(axis, m_triangles(2, t));
        };
        const auto begin = m_items.begin() + node.firstItem;
        std::sort(begin, begin + node.itemCount,
                  [&](int s, int t) { return centre(s) != centre(t) ? centre(s) < centre(t) : s < t; });
        const int half = node.itemCount / 2;
        m_nodes[k].firstChild = static_cast<int>(m_nodes.size());
        m_nodes.push_back(makeNode(node.firstItem, half));
        m_nodes.push_back(makeNode(node.firstItem + half, node.itemCount - half));
    }
    m_packed.reserve(m_items.size());
    for (const int t : m_items) {
        const auto corner = [&](int k) -> Vector3 { return m_points.col(m_triangles(k, t)); };
        m_packed.push_back(pack(corner(0), corner(1), corner(2)));
    }
}

SurfaceDistance::Node SurfaceDistance::makeNode(int firstItem, int itemCount) const {
    const double huge = std::numeric_limits<double>::max();
    Node node{Vector3::Constant(huge), Vector3::Constant(-huge), -1, firstItem, itemCount};
    for (int i = firstItem; i < firstItem + itemCount; ++i)
        for (int k = 0; k < 3; ++k) {
            const Vector3 x = m_points.col(m_triangles(k, m_items[static_cast<std::size_t>(i)]));
            node.lower = node.lower.cwiseMin(x);
            node.upper = node.upper.cwiseMax(x);
        }
    return node;
}

Vector3 SurfaceDistance::nearest(const Vector3& x) const {
    Vector3 best = Vector3::Zero();
    double least = std::numeric_limits<double>::max();
    search(x, least, best);
    return best;
}

double SurfaceDistance::squaredDistance(const Vector3& x, double limit2) const {
    Vector3 best;
    search(x, limit2, best);
    return limit2;
}

void SurfaceDistance::search(const Vector3& x, double& least, Vector3& best) const {
    std::array<std::pair<double, int>, 128> stack;  // median splits: depth < 64 for any number of triangles
    std::size_t open = 0;
    stack[open++] = {0.0, 0};
    while (open > 0) {
        const auto [bound, index] = stack[--open];
        if (bound >= least) continue;
        const Node& node = m_nodes[static_cast<std::size_t>(index)];
        if (node.firstChild >= 0) {
            std::pair<double, int> child[2];
            for (int k = 0; k < 2; ++k) {
                const Node& c = m_nodes[static_cast<std::size_t>(node.firstChild + k)];
                child[k] = {squaredDistanceOfBox(c.lower, c.upper, x), node.firstChild + k};
            }
            if (child[0].first < child[1].first) std::swap(child[0], child[1]);
            stack[open++] = child[0];
            stack[open++] = child[1];  // the nearer one first
            continue;
        }
        for (int i = node.firstItem; i < node.firstItem + node.itemCount; ++i) {
            const PackedTriangle& t = m_packed[static_cast<std::size_t>(i)];
            // Nothing of a triangle is nearer than its plane; the margin is for rounding.
            const double height = t.normal.dot(x - t.corner[0]);
            if (!t.isSliver && height * height > least * t.area2 * (1.0 + 1e-9)) continue;
            const Vector3 candidate = nearestOn(t, x);
            const double distance2 = (candidate - x).squaredNorm();
            if (distance2 >= least) continue;
            least = distance2;
            best = candidate;
        }
    }
}

}  // namespace pliant
