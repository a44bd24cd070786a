// SPDX-License-Identifier: Zlib
#include "pliant/collision/CollideBodies.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "pliant/collision/SegmentDistance.h"
#include "pliant/collision/SideOfContact.h"
#include "pliant/collision/SphereKernels.h"

namespace pliant {

namespace {

/// @param balls x, y, z and radius each @param ends numbers of two of them
TaperedSegment taperedSegment(const float* balls, const int* ends) {
    const float *first = balls + 4 * ends[0], *second = balls + 4 * ends[1];
    TaperedSegment segment;
    for (int k = 0; k < 3; ++k) {
        segment.start[k] = static_cast<double>(first[k]);
        segment.extent[k] = static_cast<double>(second[k]) - segment.start[k];
    }
    segment.radius = static_cast<double>(first[3]);
    segment.taper = static_cast<double>(second[3]) - segment.radius;
    return segment;
}

Vector3 centreOf(const BoxF& box) {
    Vector3 centre;
    for (int k = 0; k < 3; ++k)
        centre[k] = 0.5 * (static_cast<double>(box.lower[k]) - static_cast<double>(box.negUpper[k]));
    return centre;
}

/// Everything that the leaf tests of one pair of bodies share. World axes, origin at A's.
class PairTest {
public:
    PairTest(const DeformedBody& a, const DeformedBody& b, double margin, const ContactHistory* history)
        : m_a(a),
          m_b(b),
          m_ballsA(a.turnedBalls()),
          m_ballsB(b.turnedBalls()),
          m_endsA(a.model().skeleton().segments.data()),
          m_endsB(b.model().skeleton().segments.data()),
          m_margin(margin),
          m_history(history),
          m_shift(b.worldFromBody().translation - a.worldFromBody().translation),
          m_centres(centreOf(a.turnedBox(0)) - centreOf(b.turnedBox(0)) - m_shift) {}

    const Vector3& shift() const { return m_shift; }

    /// Whether the segments may be within the margin.
    bool mayTouch(int segmentA, int segmentB) const { return !areApart(ofA(segmentA), ofB(segmentB)); }

    int collide(int segmentA, int segmentB, SkeletonContact* out) const {
        const TaperedSegment a = ofA(segmentA), b = ofB(segmentB);
        if (areApart(a, b)) return 0;
        SegmentParameters at = closestParameters(a, b);
        if (sweptDistance(a, b, at) > m_margin) return 0;
        SegmentParameters other;
        if (!secondContact(a, b, at, other)) {
            out[0] = contact(segmentA, segmentB, a, b, at, 0);
            return 1;
        }
        if (other.s < at.s) std::swap(at, other);
        out[0] = contact(segmentA, segmentB, a, b, at, 0);
        out[1] = contact(segmentA, segmentB, a, b, other, 1);
        return 2;
    }

private:
    TaperedSegment ofA(int segment) const { return taperedSegment(m_ballsA, m_endsA + 2 * segment); }
    TaperedSegment ofB(int segment) const {
        TaperedSegment b = taperedSegment(m_ballsB, m_endsB + 2 * segment);
        b.start += m_shift;
        return b;
    }

    /// Most pairs whose boxes touch are apart, which the axes with the largest radii tell at a fraction of the cost of
    /// the tapered solids' distance. The share added covers rounding.
    bool areApart(const TaperedSegment& a, const TaperedSegment& b) const {
        const double radiusA = std::max(a.radius, a.radius + a.taper), radiusB = std::max(b.radius, b.radius + b.taper);
        const double reach = m_margin + (radiusA + radiusB) * (1.0 + 1e-9);
        return squaredAxesDistance(a, b) > reach * reach;
    }

    /// Strands side by side also touch at the end of their common stretch that lies farther from the closest point.
    bool secondContact(const TaperedSegment& a, const TaperedSegment& b, const SegmentParameters& at,
                       SegmentParameters& other) const {
        double s0 = 0.0, s1 = 0.0;
        if (!sideBySide(a, b, s0, s1)) return false;
        other.s = at.s - s0 > s1 - at.s ? s0 : s1;
        const double stretch = std::abs(other.s - at.s) * a.extent.norm();
        if (stretch < 0.5 * (a.radiusAt(other.s) + b.radius)) return false;
        other.t = closestOnTapered(b, a.point(other.s));
        return sweptDistance(a, b, other) <= m_margin;
    }

    SkeletonContact contact(int segmentA, int segmentB, const TaperedSegment& a, const TaperedSegment& b,
                            const SegmentParameters& at, int part) const {
        SkeletonContact c;
        c.segmentA = segmentA;
        c.segmentB = segmentB;
        c.feature = contactFeature(segmentA, segmentB, part);
        c.parameterA = static_cast<float>(at.s);
        c.parameterB = static_cast<float>(at.t);
        c.radiusA = a.radiusAt(at.s);
        c.radiusB = b.radiusAt(at.t);
        const Vector3 pa = a.point(at.s), pb = b.point(at.t);
        const ContactSide side = this->side(c, a, b, at, pa, pb);
        c.distance = side.separation - c.radiusA - c.radiusB;
        c.crossed = side.crossed;
        const Vector3& origin = m_a.worldFromBody().translation;
        c.normal = side.normal;
        c.pointA = origin + (pa - c.radiusA * side.normal);
        c.pointB = origin + (pb + c.radiusB * side.normal);
        return c;
    }

    ContactSide side(SkeletonContact& c, const TaperedSegment& a, const TaperedSegment& b, const SegmentParameters& at,
                     const Vector3& pa, const Vector3& pb) const {
        ContactAxes axes;
        axes.offset = pa - pb;
        const Matrix3& rotation = m_a.worldFromBody().rotation;
        axes.midpoint = rotation.transpose() * (0.5 * (pa + pb));
        axes.extentA = a.extent;
        axes.extentB = b.extent;
        axes.radii = c.radiusA + c.radiusB;
        axes.interior = at.s > 0.0 && at.s < 1.0 && at.t > 0.0 && at.t < 1.0;
        axes.centres = m_centres;
        if (!m_history) return sideOfContact(axes, rotation, nullptr, nullptr);
        const ContactHistory::Entry* own = m_history->find(c.feature);
        c.kept = own && own->kept;
        const ContactHistory::Entry* nearby = nullptr;
        const bool deep = axes.offset.squaredNorm() < 0.25 * axes.radii * axes.radii;
        if (!own && (deep || m_history->anyCrossed()))
            nearby = nearbyEntry(*m_history, m_a.model(), c.segmentA, m_b.model(), c.segmentB, axes);
        return sideOfContact(axes, rotation, own, nearby);
    }

    const DeformedBody& m_a;
    const DeformedBody& m_b;
    const float *m_ballsA, *m_ballsB;  ///< turned
    const int *m_endsA, *m_endsB;      ///< of the segments, two numbers each
    double m_margin;
    const ContactHistory* m_history;
    Vector3 m_shift;    ///< from A's origin to B's
    Vector3 m_centres;  ///< from B's centre to A's
};

typedef float Lanes __attribute__((vector_size(16)));
typedef int LaneMask __attribute__((vector_size(16)));

/// Boxes of two bodies along the same axes against each other.
class BoxTest {
public:
    /// @param shift from A's origin to B's @param margin >= 0
    BoxTest(const Vector3& shift, float margin) : m_margin{margin, margin, margin, margin}, m_shift{} {
        for (int k = 0; k < 3; ++k) m_shift[k] = static_cast<float>(shift[k]);
    }

    bool apart(const BoxF& a, const BoxF& b) const {
        Lanes lowerA, lowerB, negUpperA, negUpperB;
        std::memcpy(&lowerA, a.lower, sizeof lowerA);
        std::memcpy(&lowerB, b.lower, sizeof lowerB);
        std::memcpy(&negUpperA, a.negUpper, sizeof negUpperA);
        std::memcpy(&negUpperB, b.negUpper, sizeof negUpperB);
        const Lanes above = lowerA + negUpperB - m_shift, below = lowerB + negUpperA + m_shift;
        const LaneMask gap = (above > m_margin) | (below > m_margin);
        std::uint64_t any[2];
        std::memcpy(any, &gap, sizeof any);
        return (any[0] | any[1]) != 0;
    }

private:
    Lanes m_margin, m_shift;
};

float size(const BoxF& box) {
    return -((box.lower[0] + box.negUpper[0]) + (box.lower[1] + box.negUpper[1]) + (box.lower[2] + box.negUpper[2]));
}

BoxF segmentBox(const DeformedBody& body, int segment) {
    const int* ends = body.model().skeleton().segments.data() + 2 * static_cast<std::size_t>(segment);
    BoxF box;
    boxAround(body.turnedBalls(), ends, 2, box.lower);
    return box;
}

/// Descends both trees together; calls touch(segmentA, segmentB) for segments whose boxes may touch.
template <typename Touch>
void traverse(const DeformedBody& a, const DeformedBody& b, const BoxTest& test, const Touch& touch) {
    const BDTree& treeA = a.model().skeletonTree();
    const BDTree& treeB = b.model().skeletonTree();
    const BoxF* boxesA = &a.turnedBox(0);
    const BoxF* boxesB = &b.turnedBox(0);
    std::array<std::pair<int, int>, 2 * CollisionModel::maximumTreeDepth + 4> stack;
    std::size_t open = 0;
    if (!test.apart(boxesA[0], boxesB[0])) stack[open++] = {0, 0};
    while (open > 0) {
        const auto [i, j] = stack[--open];
        const BDTreeNode& nodeA = treeA.nodes[static_cast<std::size_t>(i)];
        const BDTreeNode& nodeB = treeB.nodes[static_cast<std::size_t>(j)];
        if (nodeA.firstChild >= 0 && (nodeB.firstChild < 0 || size(boxesA[i]) >= size(boxesB[j]))) {
            for (int child = nodeA.firstChild + 1; child >= nodeA.firstChild; --child)
                if (!test.apart(boxesA[child], boxesB[j])) stack[open++] = {child, j};
            continue;
        }
        if (nodeB.firstChild >= 0) {
            for (int child = nodeB.firstChild + 1; child >= nodeB.firstChild; --child)
                if (!test.apart(boxesA[i], boxesB[child])) stack[open++] = {i, child};
            continue;
        }
        for (int k = nodeA.firstItem; k < nodeA.firstItem + nodeA.itemCount; ++k) {
            const int segmentA = treeA.items[static_cast<std::size_t>(k)];
            const BoxF box = segmentBox(a, segmentA);
            if (test.apart(box, boxesB[j])) continue;
            for (int l = nodeB.firstItem; l < nodeB.firstItem + nodeB.itemCount; ++l) {
                const int segmentB = treeB.items[static_cast<std::size_t>(l)];
                if (!test.apart(box, segmentBox(b, segmentB))) touch(segmentA, segmentB);
            }
        }
    }
}

/// Added to the margin while culling in single precision: corners of boxes, their sums with the shift and the shift
/// itself are off by at most 6 roundings of numbers no larger than |shift| + the corners of both roots;
/// 1e-6 = 16 x 2^-24 covers them with room.
float cullingMargin(const DeformedBody& a, const DeformedBody& b, const Vector3& shift, double margin) {
    double scale = shift.cwiseAbs().maxCoeff() + margin;
    for (const BoxF* box : {&a.turnedBox(0), &b.turnedBox(0)})
        for (int k = 0; k < 3; ++k)
            scale += static_cast<double>(std::max(std::fabs(box->lower[k]), std::fabs(box->negUpper[k])));
    return static_cast<float>(margin + 1e-6 * scale);
}

/// Brings the near list up to date. @return false: the bodies are too fast for lists
bool listCandidates(const DeformedBody& a, const DeformedBody& b, double margin, const Vector3& shift,
                    PairCandidates& candidates) {
    candidates.noteMotion(a, b);
    if (candidates.nearCovers(a, b, margin)) return true;
    if (!candidates.cover(a, b, margin)) {
        const double skin = candidates.skin(a, b);
        candidates.restart(a, b, skin > 0.0 ? margin + skin : 0.0);
        if (skin <= 0.0) return false;
        const PairTest far(a, b, margin + skin, nullptr);
        traverse(a, b, BoxTest(shift, cullingMargin(a, b, shift, margin + skin)), [&](int segmentA, int segmentB) {
            if (far.mayTouch(segmentA, segmentB)) candidates.addFar(segmentA, segmentB);
        });
    }
    const PairTest near(a, b, candidates.restartNear(a, b, margin), nullptr);
    for (const auto& [segmentA, segmentB] : candidates.far())
        if (near.mayTouch(segmentA, segmentB)) candidates.addNear(segmentA, segmentB);
    return true;
}

}  // namespace

int collideSegments(const DeformedBody& a, int segmentA, const DeformedBody& b, int segmentB, double margin,
                    SkeletonContact* out, const ContactHistory* history) {
    return PairTest(a, b, margin, history).collide(segmentA, segmentB, out);
}

void collideBodies(const DeformedBody& a, const DeformedBody& b, double margin, std::vector<SkeletonContact>& out,
                   const ContactHistory* history, PairCandidates* candidates) {
    if (a.model().skeletonTree().nodes.empty() || b.model().skeletonTree().nodes.empty()) return;
    const PairTest test(a, b, margin, history);
    const std::size_t first = out.size();
    const auto touch = [&](int segmentA, int segmentB) {
        SkeletonContact found[2];
        const int count = test.collide(segmentA, segmentB, found);
        out.insert(out.end(), found, found + count);
    };
    if (candidates && listCandidates(a, b, margin, test.shift(), *candidates))
        for (const auto& [segmentA, segmentB] : candidates->near()) touch(segmentA, segmentB);
    else
        traverse(a, b, BoxTest(test.shift(), cullingMargin(a, b, test.shift(), margin)), touch);
    std::sort(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
              [](const SkeletonContact& x, const SkeletonContact& y) { return x.feature < y.feature; });
}

}  // namespace pliant
