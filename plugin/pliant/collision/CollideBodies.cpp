// SPDX-License-Identifier: Zlib
#include "pliant/collision/CollideBodies.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "pliant/collision/SegmentDistance.h"
#include "pliant/collision/SideOfContact.h"

namespace pliant {

namespace {

Vector3 centreOf(const SphereF& s) {
    return {static_cast<double>(s.x), static_cast<double>(s.y), static_cast<double>(s.z)};
}

/// Frame of B seen from A, in double for contacts and in float for culling.
struct PairFrame {
    PairFrame(const RigidTransform& a, const RigidTransform& b)
        : exact{a.rotation.transpose() * b.rotation, a.rotation.transpose() * (b.translation - a.translation)} {
        for (int row = 0; row < 3; ++row) {
            for (int col = 0; col < 3; ++col) m[4 * row + col] = static_cast<float>(exact.rotation(row, col));
            m[4 * row + 3] = static_cast<float>(exact.translation[row]);
        }
    }

    SphereF apply(const SphereF& s) const {
        return {m[0] * s.x + m[1] * s.y + m[2] * s.z + m[3], m[4] * s.x + m[5] * s.y + m[6] * s.z + m[7],
                m[8] * s.x + m[9] * s.y + m[10] * s.z + m[11], s.radius};
    }

    RigidTransform exact;
    float m[12];  ///< rows of [rotation | translation]
};

bool apart(const SphereF& a, const SphereF& b, float margin) {
    const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z, reach = a.radius + b.radius + margin;
    return dx * dx + dy * dy + dz * dz > reach * reach;
}

TaperedSegment taperedSegment(const SphereF& first, const SphereF& second) {
    TaperedSegment segment;
    segment.start = centreOf(first);
    segment.extent = centreOf(second) - segment.start;
    segment.radius = static_cast<double>(first.radius);
    segment.taper = static_cast<double>(second.radius) - segment.radius;
    return segment;
}

TaperedSegment moved(const TaperedSegment& segment, const RigidTransform& frame) {
    TaperedSegment result = segment;
    result.start = frame.point(segment.start);
    result.extent = frame.direction(segment.extent);
    return result;
}

/// Everything that the leaf tests of one pair of bodies share.
class PairTest {
public:
    PairTest(const DeformedBody& a, const DeformedBody& b, double margin, const ContactHistory* history)
        : m_a(a),
          m_b(b),
          m_margin(margin),
          m_history(history),
          m_frame(a.worldFromBody(), b.worldFromBody()),
          m_centres(centreOf(a.skeletonNode(0)) - m_frame.exact.point(centreOf(b.skeletonNode(0)))) {}

    const PairFrame& frame() const { return m_frame; }

    int collide(int segmentA, int segmentB, SkeletonContact* out) const {
        const auto& sa = m_a.model().skeleton().segments;
        const auto& sb = m_b.model().skeleton().segments;
        const TaperedSegment a = taperedSegment(m_a.ball(sa(0, segmentA)), m_a.ball(sa(1, segmentA)));
        const TaperedSegment b =
            moved(taperedSegment(m_b.ball(sb(0, segmentB)), m_b.ball(sb(1, segmentB))), m_frame.exact);
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
        const RigidTransform& world = m_a.worldFromBody();
        c.normal = world.direction(side.normal);
        c.pointA = world.point(pa - c.radiusA * side.normal);
        c.pointB = world.point(pb + c.radiusB * side.normal);
        return c;
    }

    ContactSide side(SkeletonContact& c, const TaperedSegment& a, const TaperedSegment& b, const SegmentParameters& at,
                     const Vector3& pa, const Vector3& pb) const {
        ContactAxes axes;
        axes.offset = pa - pb;
        axes.midpoint = 0.5 * (pa + pb);
        axes.extentA = a.extent;
        axes.extentB = b.extent;
        axes.radii = c.radiusA + c.radiusB;
        axes.interior = at.s > 0.0 && at.s < 1.0 && at.t > 0.0 && at.t < 1.0;
        axes.centres = m_centres;
        if (!m_history) return sideOfContact(axes, nullptr, nullptr);
        const ContactHistory::Entry* own = m_history->find(c.feature);
        c.kept = own && own->kept;
        const ContactHistory::Entry* nearby = nullptr;
        const bool deep = axes.offset.squaredNorm() < 0.25 * axes.radii * axes.radii;
        if (!own && (deep || m_history->anyCrossed()))
            nearby = nearbyEntry(*m_history, m_a.model(), c.segmentA, m_b.model(), c.segmentB, axes);
        return sideOfContact(axes, own, nearby);
    }

    const DeformedBody& m_a;
    const DeformedBody& m_b;
    double m_margin;
    const ContactHistory* m_history;
    PairFrame m_frame;
    Vector3 m_centres;  ///< from B's centre to A's, A's frame
};

/// Descends both trees together; calls leaves(nodeA, nodeB) where two leaves may touch.
template <typename Leaves>
void traverse(const DeformedBody& a, const DeformedBody& b, const PairFrame& frame, float margin,
              const Leaves& leaves) {
    const auto& nodesA = a.model().skeletonTree().nodes;
    const auto& nodesB = b.model().skeletonTree().nodes;
    std::array<std::pair<int, int>, 2 * CollisionModel::maximumTreeDepth + 4> stack;
    std::size_t open = 0;
    stack[open++] = {0, 0};
    while (open > 0) {
        const auto [i, j] = stack[--open];
        const SphereF sa = a.skeletonNode(i), sb = frame.apply(b.skeletonNode(j));
        if (apart(sa, sb, margin)) continue;
        const int childA = nodesA[static_cast<std::size_t>(i)].firstChild;
        const int childB = nodesB[static_cast<std::size_t>(j)].firstChild;
        if (childA < 0 && childB < 0) {
            leaves(nodesA[static_cast<std::size_t>(i)], nodesB[static_cast<std::size_t>(j)]);
        } else if (childB < 0 || (childA >= 0 && sa.radius >= sb.radius)) {
            stack[open++] = {childA + 1, j};
            stack[open++] = {childA, j};
        } else {
            stack[open++] = {i, childB + 1};
            stack[open++] = {i, childB};
        }
    }
}

/// Added to the margin while culling in single precision. A transformed centre is off by at most 8 roundings of
/// numbers no larger than |translation| + |B|, the comparison by 6 more; 2e-6 = 32 x 2^-24 covers them with room.
float cullingMargin(const DeformedBody& a, const DeformedBody& b, const PairFrame& frame, double margin) {
    const auto extent = [](const SphereF& s) { return centreOf(s).norm() + static_cast<double>(s.radius); };
    const double scale =
        extent(a.skeletonNode(0)) + extent(b.skeletonNode(0)) + frame.exact.translation.norm() + margin;
    return static_cast<float>(margin + 2e-6 * scale);
}

}  // namespace

int collideSegments(const DeformedBody& a, int segmentA, const DeformedBody& b, int segmentB, double margin,
                    SkeletonContact* out, const ContactHistory* history) {
    return PairTest(a, b, margin, history).collide(segmentA, segmentB, out);
}

void collideBodies(const DeformedBody& a, const DeformedBody& b, double margin, std::vector<SkeletonContact>& out,
                   const ContactHistory* history) {
    const BDTree& treeA = a.model().skeletonTree();
    const BDTree& treeB = b.model().skeletonTree();
    if (treeA.nodes.empty() || treeB.nodes.empty()) return;
    const PairTest test(a, b, margin, history);
    const float culling = cullingMargin(a, b, test.frame(), margin);
    const std::size_t first = out.size();
    const auto leaves = [&](const BDTreeNode& nodeA, const BDTreeNode& nodeB) {
        SkeletonContact found[2];
        for (int i = 0; i < nodeA.itemCount; ++i)
            for (int j = 0; j < nodeB.itemCount; ++j) {
                const int segmentA = treeA.items[static_cast<std::size_t>(nodeA.firstItem + i)];
                const int segmentB = treeB.items[static_cast<std::size_t>(nodeB.firstItem + j)];
                const int count = test.collide(segmentA, segmentB, found);
                for (int k = 0; k < count; ++k) out.push_back(found[k]);
            }
    };
    traverse(a, b, test.frame(), culling, leaves);
    std::sort(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
              [](const SkeletonContact& x, const SkeletonContact& y) { return x.feature < y.feature; });
}

}  // namespace pliant
