// SPDX-License-Identifier: Zlib
#include "pliant/collision/pair/SelfContacts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "pliant/collision/pair/CollideBodies.h"
#include "pliant/math/SegmentDistance.h"

namespace pliant {

namespace {

bool areFar(const BoxF& x, const BoxF& y, double margin) {
    for (int k = 0; k < 3; ++k) {
        // Corners are floats: a few roundings of the larger one.
        const double slack = 1e-6 * static_cast<double>(std::max(std::fabs(x.lower[k]), std::fabs(x.negUpper[k])) +
                                                        std::max(std::fabs(y.lower[k]), std::fabs(y.negUpper[k])));
        const double above = static_cast<double>(x.lower[k]) + static_cast<double>(y.negUpper[k]);
        const double below = static_cast<double>(y.lower[k]) + static_cast<double>(x.negUpper[k]);
        if (std::max(above, below) > margin + slack) return true;
    }
    return false;
}

/// Calls meet(a, b) once for every two different segments under leaves whose boxes are within the margin.
template <typename Meet>
void descendSelf(const DeformedBody& body, double margin, const Meet& meet) {
    const BDTree& tree = body.model().skeletonTree();
    if (tree.nodes.empty()) return;
    std::array<std::pair<int, int>, 4 * CollisionModel::maximumTreeDepth + 8> stack;
    std::size_t open = 0;
    stack[open++] = {0, 0};
    while (open > 0) {
        const auto [i, j] = stack[--open];
        if (i != j && areFar(body.rotatedBox(i), body.rotatedBox(j), margin)) continue;
        const BDTreeNode& x = tree.nodes[static_cast<std::size_t>(i)];
        const BDTreeNode& y = tree.nodes[static_cast<std::size_t>(j)];
        if (x.firstChild >= 0 && i == j) {
            stack[open++] = {x.firstChild, x.firstChild};
            stack[open++] = {x.firstChild + 1, x.firstChild + 1};
            stack[open++] = {x.firstChild, x.firstChild + 1};
        } else if (x.firstChild >= 0 && (y.firstChild < 0 || x.itemCount >= y.itemCount)) {
            stack[open++] = {x.firstChild, j};
            stack[open++] = {x.firstChild + 1, j};
        } else if (y.firstChild >= 0) {
            stack[open++] = {i, y.firstChild};
            stack[open++] = {i, y.firstChild + 1};
        } else {
            for (int k = 0; k < x.itemCount; ++k)
                for (int l = i == j ? k + 1 : 0; l < y.itemCount; ++l)
                    meet(tree.items[static_cast<std::size_t>(x.firstItem + k)],
                         tree.items[static_cast<std::size_t>(y.firstItem + l)]);
        }
    }
}

TaperedSegment taperedAt(const DeformedBody& body, int index) {
    const CapsuleSegment capsule = body.segment(index);
    TaperedSegment segment;
    segment.start = capsule.end[0];
    segment.extent = capsule.end[1] - capsule.end[0];
    segment.radius = capsule.radius[0];
    segment.taper = capsule.radius[1] - capsule.radius[0];
    return segment;
}

}  // namespace

RestNeighbours::RestNeighbours(std::shared_ptr<const CollisionModel> model) : m_model(std::move(model)) {
    const DeformedBody rest(m_model);  // at q = 0
    const VectorXf& radii = m_model->skeleton().radii;
    const double thickest = radii.size() > 0 ? static_cast<double>(radii.maxCoeff()) : 0.0;
    std::vector<std::pair<int, int>> pairs;
    descendSelf(rest, 2.0 * kNear * thickest, [&](int i, int j) {
        const TaperedSegment a = taperedAt(rest, i), b = taperedAt(rest, j);
        const SegmentParameters at = closestParameters(a, b);
        const double near = kNear * (a.radiusAt(at.s) + b.radiusAt(at.t));
        if (m_model->adjacent(i, j) || capsuleDistance(a, b, at) <= near) pairs.emplace_back(std::minmax(i, j));
    });
    std::sort(pairs.begin(), pairs.end());
    const int count = m_model->skeleton().segmentCount();
    m_first.assign(static_cast<std::size_t>(count) + 1, 0);
    for (const auto& pair : pairs) ++m_first[static_cast<std::size_t>(pair.first) + 1];
    for (std::size_t i = 1; i < m_first.size(); ++i) m_first[i] += m_first[i - 1];
    for (const auto& pair : pairs) m_later.push_back(pair.second);
}

bool RestNeighbours::areNeighbours(int segmentA, int segmentB) const {
    if (segmentA == segmentB) return true;
    const auto [first, later] = std::minmax(segmentA, segmentB);
    const auto begin = m_later.begin() + m_first[static_cast<std::size_t>(first)];
    const auto end = m_later.begin() + m_first[static_cast<std::size_t>(first) + 1];
    return std::binary_search(begin, end, later);
}

void collideSelf(const DeformedBody& body, const RestNeighbours& neighbours, double margin,
                 std::vector<SkeletonContact>& out, const ContactHistory* history) {
    const std::size_t first = out.size();
    descendSelf(body, margin, [&](int i, int j) {
        const auto [a, b] = std::minmax(i, j);
        if (neighbours.areNeighbours(a, b)) return;
        SkeletonContact found[2];
        const int count = collideSegments(body, a, body, b, margin, found, history);
        out.insert(out.end(), found, found + count);
    });
    std::sort(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
              [](const SkeletonContact& x, const SkeletonContact& y) { return x.feature < y.feature; });
}

}  // namespace pliant
