// SPDX-License-Identifier: Zlib
// Two trees of boxes descended together, down to pairs of segments. Internal to collision/.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

#include "pliant/collision/body/DeformedBody.h"

namespace pliant {

/// Boxes of two bodies along the same axes against each other.
class BoxTest {
public:
    using Lanes = float __attribute__((vector_size(16)));
    using Mask = int __attribute__((vector_size(16)));

    /// @param shift from A's origin to B's @param margin >= 0
    BoxTest(const Vector3& shift, float margin) : m_margin{margin, margin, margin, margin}, m_shift{} {
        for (int k = 0; k < 3; ++k) m_shift[k] = static_cast<float>(shift[k]);
    }

    bool apart(const BoxF& a, const BoxF& b) const {
        Mask above, below;
        gaps(a, b, above, below);
        return any(above | below);
    }
    /// Along which axes A lies above B by more than the margin, and below.
    void gaps(const BoxF& a, const BoxF& b, Mask& above, Mask& below) const {
        Lanes lowerA, lowerB, negUpperA, negUpperB;
        std::memcpy(&lowerA, a.lower, sizeof lowerA);
        std::memcpy(&lowerB, b.lower, sizeof lowerB);
        std::memcpy(&negUpperA, a.negUpper, sizeof negUpperA);
        std::memcpy(&negUpperB, b.negUpper, sizeof negUpperB);
        above = lowerA + negUpperB - m_shift > m_margin;
        below = lowerB + negUpperA + m_shift > m_margin;
    }
    static bool any(const Mask& mask) {
        std::uint64_t parts[2];
        std::memcpy(parts, &mask, sizeof parts);
        return (parts[0] | parts[1]) != 0;
    }

private:
    Lanes m_margin, m_shift;
};

/// Around something at the start and at the end of a step.
struct MovingBox {
    BoxF now, predicted;
};
/// The same of boxes that are kept elsewhere.
struct MovingBoxRef {
    const BoxF &now, &predicted;
};

/// Boxes that go straight are apart on their whole way where they are so along one axis, on one side, at both ends of
/// it.
class MovingBoxTest {
public:
    MovingBoxTest(const BoxTest& now, const BoxTest& predicted) : m_now(now), m_predicted(predicted) {}

    /// @param a, b  a MovingBox or a MovingBoxRef
    template <typename BoxA, typename BoxB>
    bool apart(const BoxA& a, const BoxB& b) const {
        BoxTest::Mask above, below, stillAbove, stillBelow;
        m_now.gaps(a.now, b.now, above, below);
        m_predicted.gaps(a.predicted, b.predicted, stillAbove, stillBelow);
        return BoxTest::any((above & stillAbove) | (below & stillBelow));
    }

private:
    BoxTest m_now, m_predicted;
};

/// The box around both ends of a segment. @param spheres x, y, z, radius of every sphere of the body
inline BoxF segmentBox(const float* spheres, const int* ends) {
    const float *first = spheres + 4 * static_cast<std::size_t>(ends[0]),
                *second = spheres + 4 * static_cast<std::size_t>(ends[1]);
    BoxTest::Lanes p, q;
    std::memcpy(&p, first, sizeof p);
    std::memcpy(&q, second, sizeof q);
    const BoxTest::Lanes lowP = p - first[3], lowQ = q - second[3], highP = -p - first[3], highQ = -q - second[3];
    BoxTest::Lanes lower = lowP < lowQ ? lowP : lowQ, negUpper = highP < highQ ? highP : highQ;
    lower[3] = negUpper[3] = 0.0f;
    BoxF box;
    std::memcpy(box.lower, &lower, sizeof lower);
    std::memcpy(box.negUpper, &negUpper, sizeof negUpper);
    return box;
}

/// Sum of a box's edges.
inline float sizeOf(const BoxF& box) {
    return -((box.lower[0] + box.negUpper[0]) + (box.lower[1] + box.negUpper[1]) + (box.lower[2] + box.negUpper[2]));
}
inline float sizeOf(const MovingBoxRef& box) {
    return sizeOf(box.now);
}

/// Calls touch(segmentA, segmentB) for the segments of two leaves whose boxes may touch. B's boxes are made once for
/// all of A's segments.
template <typename Boxes, typename Test, typename Touch>
void touchLeaves(const Boxes& a, const BDTreeNode& leafA, const Boxes& b, int nodeB, const Test& test,
                 const Touch& touch) {
    using Box = decltype(a.segment(0));
    constexpr int most = 8;
    std::array<Box, most> boxes;
    const int *itemsA = a.body().model().skeletonTree().items.data() + leafA.firstItem,
              *itemsB = b.body().model().skeletonTree().items.data();
    const BDTreeNode& leafB = b.body().model().skeletonTree().nodes[static_cast<std::size_t>(nodeB)];
    for (int first = 0; first < leafB.itemCount; first += most) {
        const int count = std::min(most, leafB.itemCount - first);
        const int* items = itemsB + leafB.firstItem + first;
        bool known = false;
        for (int k = 0; k < leafA.itemCount; ++k) {
            const Box box = a.segment(itemsA[k]);
            if (test.apart(box, b.node(nodeB))) continue;
            for (int l = 0; l < count && !known; ++l) boxes[static_cast<std::size_t>(l)] = b.segment(items[l]);
            known = true;
            for (int l = 0; l < count; ++l)
                if (!test.apart(box, boxes[static_cast<std::size_t>(l)])) touch(itemsA[k], items[l]);
        }
    }
}

/// Calls touch(segmentA, segmentB) for segments whose boxes may touch.
/// @param a, b have body(), node(i) and segment(i): boxes that `test` compares
template <typename Boxes, typename Test, typename Touch>
void descendTogether(const Boxes& a, const Boxes& b, const Test& test, const Touch& touch) {
    const BDTree &treeA = a.body().model().skeletonTree(), &treeB = b.body().model().skeletonTree();
    std::array<std::pair<int, int>, 2 * CollisionModel::maximumTreeDepth + 4> stack;
    std::size_t open = 0;
    if (!test.apart(a.node(0), b.node(0))) stack[open++] = {0, 0};
    while (open > 0) {
        const auto [i, j] = stack[--open];
        const BDTreeNode& nodeA = treeA.nodes[static_cast<std::size_t>(i)];
        const BDTreeNode& nodeB = treeB.nodes[static_cast<std::size_t>(j)];
        if (nodeA.firstChild >= 0 && (nodeB.firstChild < 0 || sizeOf(a.node(i)) >= sizeOf(b.node(j)))) {
            for (int child = nodeA.firstChild + 1; child >= nodeA.firstChild; --child)
                if (!test.apart(a.node(child), b.node(j))) stack[open++] = {child, j};
            continue;
        }
        if (nodeB.firstChild >= 0) {
            for (int child = nodeB.firstChild + 1; child >= nodeB.firstChild; --child)
                if (!test.apart(a.node(i), b.node(child))) stack[open++] = {i, child};
            continue;
        }
        touchLeaves(a, nodeA, b, j, test, touch);
    }
}

/// Added to the margin while culling in single precision: corners of boxes, their sums with the shift and the shift
/// itself are off by at most 6 roundings of numbers no larger than |shift| + the corners of both roots;
/// 1e-6 = 16 x 2^-24 covers them with room.
inline float cullingMargin(const BoxF& rootA, const BoxF& rootB, const Vector3& shift, double margin) {
    double scale = shift.cwiseAbs().maxCoeff() + margin;
    for (const BoxF* box : {&rootA, &rootB})
        for (int k = 0; k < 3; ++k)
            scale += static_cast<double>(std::max(std::fabs(box->lower[k]), std::fabs(box->negUpper[k])));
    return static_cast<float>(margin + 1e-6 * scale);
}

}  // namespace pliant
