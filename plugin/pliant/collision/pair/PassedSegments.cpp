// SPDX-License-Identifier: Zlib
#include "pliant/collision/pair/PassedSegments.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "pliant/collision/pair/ContactNormalOrientation.h"
#include "pliant/collision/pair/MovingBoxes.h"
#include "pliant/collision/pair/SegmentPairTest.h"

namespace pliant {

namespace {

constexpr int kHalvings = 40;  ///< of the way, to where two axes meet

/// Two axes at a moment.
struct AxisPair {
    Vector3 offset;  ///< from B's start to A's
    Vector3 a, b;    ///< extents

    Vector3 across() const { return a.cross(b); }
    /// Six times the volume that the axes span, m^3: where it changes its sign they lie in a plane.
    double volume() const { return offset.dot(across()); }
    /// Whether the lines are nearest to each other within both segments, and where.
    bool meetWithin(SegmentParameters& at) const {
        const double aa = a.squaredNorm(), ab = a.dot(b), bb = b.squaredNorm(), ao = a.dot(offset), bo = b.dot(offset),
                     size = aa * bb - ab * ab;
        if (!(size > 1e-12 * aa * bb)) return false;
        at.s = (ab * bo - bb * ao) / size;
        at.t = (aa * bo - ab * ao) / size;
        return at.s >= 0.0 && at.s <= 1.0 && at.t >= 0.0 && at.t <= 1.0;
    }
};

/// The same while the ends go straight, from 0, now, to 1, where they came from.
struct AxisPairWay {
    AxisPair now, then;

    AxisPair at(double time) const {
        return {now.offset + time * (then.offset - now.offset), now.a + time * (then.a - now.a),
                now.b + time * (then.b - now.b)};
    }
    bool passes(SegmentParameters& place) const {
        const bool isAbove = now.volume() > 0.0;
        if (isAbove == (then.volume() > 0.0)) return false;
        double low = 0.0, high = 1.0;
        for (int i = 0; i < kHalvings; ++i) {
            const double middle = 0.5 * (low + high);
            ((at(middle).volume() > 0.0) == isAbove ? low : high) = middle;
        }
        return at(high).meetWithin(place);
    }
};

class PassedSegmentTest {
public:
    PassedSegmentTest(const DeformedBody& a, const DeformedBody& b, ContactHistory& history)
        : m_a(a), m_b(b), m_boxesA(a), m_boxesB(b), m_test(a, b, 0.0, nullptr), m_history(history), m_found(room()) {
        m_found.clear();
    }

    void operator()(int segmentA, int segmentB) {
        const TaperedSegment a = m_test.ofA(segmentA), b = m_test.ofB(segmentB);
        const EndMotions backA = m_boxesA.motions(segmentA), backB = m_boxesB.motions(segmentB);
        AxisPairWay way;
        way.now = {a.start - b.start, a.extent, b.extent};
        way.then = {way.now.offset + backA.start - backB.start, a.extent + backA.end - backA.start,
                    b.extent + backB.end - backB.start};
        SegmentParameters at;
        if (!way.passes(at)) return;
        const Vector3 across = way.now.across();
        if (!(across.squaredNorm() > 0.0)) return;
        ContactHistory::Entry entry;
        entry.feature = contactFeature(segmentA, segmentB, 0);
        entry.segmentA = segmentA;
        entry.segmentB = segmentB;
        const Matrix3& rotation = m_a.worldFromBody().rotation;
        entry.normal = rotation.transpose() * (way.then.volume() > 0.0 ? across : Vector3(-across)).normalized();
        entry.point = rotation.transpose() * (0.5 * (a.point(at.s) + b.point(at.t)));
        entry.crossed = true;
        if (!hasComeBack(entry, a.radiusAt(at.s) + b.radiusAt(at.t))) m_found.push_back(entry);
    }

    void store() { m_history.addPassed(m_found); }

private:
    /// Memory of the thread: most pairs find nothing.
    static std::vector<ContactHistory::Entry>& room() {
        static thread_local std::vector<ContactHistory::Entry> found;
        return found;
    }
    /// Whether it went to the other side before, and this is the way back.
    bool hasComeBack(const ContactHistory::Entry& entry, double radii) const {
        const ContactHistory::Entry* known = m_history.find(entry.feature);
        if (!known) {
            ContactAxes axes;
            axes.midpoint = entry.point;
            axes.radii = radii;
            known = nearbyEntry(m_history, m_a.model(), entry.segmentA, m_b.model(), entry.segmentB, axes);
        }
        return known && known->crossed && known->normal.dot(entry.normal) < 0.0;
    }

    const DeformedBody &m_a, &m_b;
    MovingBoxes m_boxesA, m_boxesB;
    SegmentPairTest m_test;
    ContactHistory& m_history;
    std::vector<ContactHistory::Entry>& m_found;
};

}  // namespace

void rememberPassedSegments(const DeformedBody& a, const DeformedBody& b, ContactHistory& history) {
    if (a.model().skeletonTree().nodes.empty() || b.model().skeletonTree().nodes.empty()) return;
    static thread_local SegmentPairs meeting;
    listMeetingOnTheWay(a, b, 0.0, meeting);
    PassedSegmentTest test(a, b, history);
    for (const auto& [segmentA, segmentB] : meeting) test(segmentA, segmentB);
    test.store();
}

namespace {

/// Distance up to which one is behind the other, m.
double behind(const DeformedBody& a, int segmentA, const DeformedBody& b, int segmentB) {
    const TaperedSegment first = taperedSegment(a, segmentA), second = taperedSegment(b, segmentB);
    return (kReachBehind - 1.0) * (first.largestRadius() + second.largestRadius());
}

void listAdjacent(const CollisionModel& model, int segment, std::vector<int>& found) {
    found.clear();
    for (int other = 0; other < model.skeleton().segmentCount(); ++other)
        if (model.adjacent(segment, other)) found.push_back(other);
}

bool byFeature(const SkeletonContact& a, const SkeletonContact& b) {
    return a.feature < b.feature;
}

}  // namespace

void addContactsBehind(const DeformedBody& a, const DeformedBody& b, const ContactHistory& history,
                       std::vector<SkeletonContact>& contacts) {
    if (!history.anyCrossed()) return;
    static thread_local std::vector<int> ofA, ofB;
    for (const ContactHistory::Entry& entry : history.entries()) {
        if (!entry.crossed) continue;
        listAdjacent(a.model(), entry.segmentA, ofA);
        listAdjacent(b.model(), entry.segmentB, ofB);
        for (const int segmentA : ofA)
            for (const int segmentB : ofB) {
                const SegmentPairTest test(a, b, behind(a, segmentA, b, segmentB), &history);
                SkeletonContact found[2];
                if (test.collide(segmentA, segmentB, found) == 0 || !found[0].crossed) continue;
                const auto at = std::lower_bound(contacts.begin(), contacts.end(), found[0], byFeature);
                if (at == contacts.end() || at->feature != found[0].feature) contacts.insert(at, found[0]);
            }
    }
}

}  // namespace pliant
