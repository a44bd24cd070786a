// SPDX-License-Identifier: Zlib
#include "pliant/collision/pair/PassedSegments.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "pliant/collision/pair/ContactNormalOrientation.h"
#include "pliant/collision/pair/MovingBoxes.h"
#include "pliant/collision/pair/NeighbouringPairs.h"
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

/// Where two axes have passed through each other.
struct Pass {
    SegmentParameters at;
    Vector3 side = Vector3::Zero();  ///< That A came from, unit, as the axes lay when they met.
};

/// The same while the ends go straight, from 0, now, to 1, where they came from.
class AxisPairWay {
public:
    AxisPairWay(const AxisPair& now, const AxisPair& then) : m_now(now), m_then(then) { splitWay(); }

    const AxisPair& now() const { return m_now; }

    /// Whether A is on another side than it was. What passes and comes back in the same step has not passed.
    bool passes(Pass& pass) const {
        bool isThrough = false;
        for (std::size_t i = m_stretches; i > 0; --i) {  // from where they came from
            Pass next;
            if (!meetsBetween(m_times[i - 1], m_times[i], next)) continue;
            if (!isThrough) pass = next;
            isThrough = !(isThrough && next.side.dot(pass.side) < 0.0);
        }
        return isThrough;
    }

private:
    AxisPair at(double time) const {
        return {m_now.offset + time * (m_then.offset - m_now.offset), m_now.a + time * (m_then.a - m_now.a),
                m_now.b + time * (m_then.b - m_now.b)};
    }

    /// The volume is a cubic of time: between the places where its derivative is zero it has one root at most.
    void splitWay() {
        const double v0 = m_now.volume(), v1 = at(1.0 / 3.0).volume(), v2 = at(2.0 / 3.0).volume(),
                     v3 = m_then.volume();
        const double cubic = 4.5 * (v3 - v0 + 3.0 * (v1 - v2)), square = 4.5 * (2.0 * v0 - 5.0 * v1 + 4.0 * v2 - v3),
                     linear = -5.5 * v0 + 9.0 * v1 - 4.5 * v2 + v3;
        const double discriminant = square * square - 3.0 * cubic * linear;
        if (discriminant > 0.0) {
            const double sum = -(square + std::copysign(std::sqrt(discriminant), square));
            double first = sum / (3.0 * cubic), second = linear / sum;
            if (second < first) std::swap(first, second);
            for (const double time : {first, second})
                if (time > 0.0 && time < 1.0) m_times[m_stretches++] = time;  // not where it is no number
        }
        m_times[m_stretches] = 1.0;
    }

    bool meetsBetween(double low, double high, Pass& pass) const {
        const bool isAbove = at(low).volume() > 0.0, wasAbove = at(high).volume() > 0.0;
        if (isAbove == wasAbove) return false;
        for (int i = 0; i < kHalvings; ++i) {
            const double middle = 0.5 * (low + high);
            ((at(middle).volume() > 0.0) == isAbove ? low : high) = middle;
        }
        const AxisPair meeting = at(high);
        if (!meeting.meetWithin(pass.at)) return false;
        pass.side = (wasAbove ? meeting.across() : Vector3(-meeting.across())).normalized();
        return true;
    }

    AxisPair m_now, m_then;
    std::array<double, 4> m_times{};  ///< from 0 to 1, between which there is one root at most
    std::size_t m_stretches = 1;
};

/// The side of a pass as the axes lie now: they turn on their way, and where they have turned past parallel their
/// common perpendicular points to the other side. Axes that are all but parallel have none that means anything.
Vector3 sideNow(const AxisPair& now, const Vector3& side) {
    constexpr double least = 0.2;  // cosine
    const Vector3 across = now.across();
    const double along = across.dot(side);
    if (!(std::abs(along) > least * now.a.norm() * now.b.norm())) return side;
    return (along > 0.0 ? across : Vector3(-across)).normalized();
}

class PassedSegmentTest {
public:
    PassedSegmentTest(const DeformedBody& a, const DeformedBody& b, ContactHistory& history)
        : m_a(a), m_b(b), m_boxesA(a), m_boxesB(b), m_test(a, b, 0.0, nullptr), m_history(history), m_found(room()) {
        m_found.clear();
    }

    void operator()(int segmentA, int segmentB) {
        const TaperedSegment a = m_test.ofA(segmentA), b = m_test.ofB(segmentB);
        const EndMotions backA = m_boxesA.motions(segmentA), backB = m_boxesB.motions(segmentB);
        const AxisPair now{a.start - b.start, a.extent, b.extent},
            then{now.offset + backA.start - backB.start, a.extent + backA.end - backA.start,
                 b.extent + backB.end - backB.start};
        Pass pass;
        if (!AxisPairWay(now, then).passes(pass)) return;
        ContactHistory::Entry entry;
        entry.feature = contactFeature(segmentA, segmentB, 0);
        entry.segmentA = segmentA;
        entry.segmentB = segmentB;
        const Matrix3& rotation = m_a.worldFromBody().rotation;
        entry.normal = rotation.transpose() * sideNow(now, pass.side);
        entry.point = rotation.transpose() * (0.5 * (a.point(pass.at.s) + b.point(pass.at.t)));
        entry.crossed = true;
        if (!hasComeBack(entry)) m_found.push_back(entry);
    }

    void store() { m_history.addPassed(m_found); }

private:
    /// Memory of the thread: most pairs find nothing.
    static std::vector<ContactHistory::Entry>& room() {
        static thread_local std::vector<ContactHistory::Entry> found;
        return found;
    }
    /// Whether it went to the other side before, and this is the way back: through the same segments or ones beside
    /// them, whatever else touches there.
    bool hasComeBack(const ContactHistory::Entry& entry) const {
        const ContactHistory::Entry* known =
            crossedEntry(m_history, m_a.model(), entry.segmentA, m_b.model(), entry.segmentB, entry.point);
        return known && known->normal.dot(entry.normal) < 0.0;
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
    SegmentPairs& meeting = pairsOfThread();
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

bool byFeature(const SkeletonContact& a, const SkeletonContact& b) {
    return a.feature < b.feature;
}

/// Whether a contact that has crossed has been found of the segments of an entry.
bool isFound(const ContactHistory::Entry& entry, const std::vector<SkeletonContact>& contacts) {
    SkeletonContact first;
    first.feature = contactFeature(entry.segmentA, entry.segmentB, 0);
    const auto at = std::lower_bound(contacts.begin(), contacts.end(), first, byFeature);
    return at != contacts.end() && at->segmentA == entry.segmentA && at->segmentB == entry.segmentB && at->crossed;
}

/// Adds contacts, ascending by feature, that are none of those. To insert each by itself moves all behind it every
/// time, which bodies that have been pressed through each other spent most of their steps with.
void mergeByFeature(std::vector<SkeletonContact>& contacts, const std::vector<SkeletonContact>& added) {
    std::size_t left = contacts.size(), at = left + added.size();
    contacts.resize(at);
    for (std::size_t i = added.size(); i > 0;)
        contacts[--at] = left > 0 && byFeature(added[i - 1], contacts[left - 1]) ? contacts[--left] : added[--i];
}

}  // namespace

void addContactsBehind(const DeformedBody& a, const DeformedBody& b, const ContactHistory& history,
                       std::vector<SkeletonContact>& contacts) {
    if (!history.anyCrossed() || !comeBack(a, b)) return;
    SegmentPairs& passed = pairsOfThread();
    passed.clear();
    // What is still within the margin has been looked at, and those beside it with it: a heap has wedged contacts for
    // ever.
    for (const ContactHistory::Entry& entry : history.entries())
        if (entry.crossed && !isFound(entry, contacts)) passed.emplace_back(entry.segmentA, entry.segmentB);
    if (passed.empty()) return;
    static thread_local std::vector<SkeletonContact> added;
    added.clear();
    for (const auto& [segmentA, segmentB] : neighbouringPairs(a.model(), b.model(), passed)) {
        const SegmentPairTest test(a, b, behind(a, segmentA, b, segmentB), &history);
        SkeletonContact found[2];
        const int count = test.collide(segmentA, segmentB, found);
        for (int k = 0; k < count; ++k) {
            if (!found[k].crossed) continue;
            if (!std::binary_search(contacts.begin(), contacts.end(), found[k], byFeature)) added.push_back(found[k]);
        }
    }
    mergeByFeature(contacts, added);
}

}  // namespace pliant
