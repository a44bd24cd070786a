// SPDX-License-Identifier: Zlib
#include "pliant/collision/pair/SegmentPairTest.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pliant {

namespace {

Vector3 centreOf(const BoxF& box) {
    Vector3 centre;
    for (int k = 0; k < 3; ++k)
        centre[k] = 0.5 * (static_cast<double>(box.lower[k]) - static_cast<double>(box.negUpper[k]));
    return centre;
}

}  // namespace

TaperedSegment taperedSegment(const DeformedBody& body, int index) {
    float first[8];
    body.rotatedEnds(index, first);
    const float* second = first + 4;
    TaperedSegment segment;
    for (int k = 0; k < 3; ++k) {
        segment.start[k] = static_cast<double>(first[k]);
        segment.extent[k] = static_cast<double>(second[k]) - segment.start[k];
    }
    segment.radius = static_cast<double>(first[3]);
    segment.taper = static_cast<double>(second[3]) - segment.radius;
    return segment;
}

SegmentPairTest::SegmentPairTest(const DeformedBody& a, const DeformedBody& b, double margin,
                                 const ContactHistory* history)
    : m_a(a),
      m_b(b),
      m_margin(margin),
      m_history(history),
      m_shift(b.worldFromBody().translation - a.worldFromBody().translation),
      m_centres(centreOf(a.outerBox()) - centreOf(b.outerBox()) - m_shift) {}

TaperedSegment SegmentPairTest::ofB(int segment) const {
    TaperedSegment b = taperedSegment(m_b, segment);
    b.start += m_shift;
    return b;
}

int SegmentPairTest::collide(int segmentA, int segmentB, SkeletonContact* out) const {
    return collide(segmentA, ofA(segmentA), segmentB, ofB(segmentB), out);
}

int SegmentPairTest::collide(int segmentA, const TaperedSegment& a, int segmentB, const TaperedSegment& b,
                             SkeletonContact* out) const {
    if (areApart(a, b)) return 0;
    SegmentParameters at = closestParameters(a, b);
    if (capsuleDistance(a, b, at) > m_margin) return 0;
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

/// Most pairs whose boxes touch are apart, which the axes with the largest radii tell at a fraction of the cost of
/// the tapered solids' distance. The share added covers rounding.
bool SegmentPairTest::areApart(const TaperedSegment& a, const TaperedSegment& b) const {
    const double reach = m_margin + (a.largestRadius() + b.largestRadius()) * (1.0 + 1e-9);
    return squaredAxesDistance(a, b) > reach * reach;
}

/// Segments side by side also touch at the end of their common stretch that lies farther from the closest point.
bool SegmentPairTest::secondContact(const TaperedSegment& a, const TaperedSegment& b, const SegmentParameters& at,
                                    SegmentParameters& other) const {
    double s0 = 0.0, s1 = 0.0;
    if (!sideBySide(a, b, s0, s1)) return false;
    other.s = at.s - s0 > s1 - at.s ? s0 : s1;
    const double stretch = std::abs(other.s - at.s) * a.extent.norm();
    if (stretch < 0.5 * (a.radiusAt(other.s) + b.radius)) return false;
    other.t = closestOnTapered(b, a.point(other.s));
    return capsuleDistance(a, b, other) <= m_margin;
}

SkeletonContact SegmentPairTest::contact(int segmentA, int segmentB, const TaperedSegment& a, const TaperedSegment& b,
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
    const OrientedNormal side = orientedNormal(c, a, b, at, pa, pb);
    c.distance = side.separation - c.radiusA - c.radiusB;
    c.crossed = side.crossed;
    const Vector3& origin = m_a.worldFromBody().translation;
    c.normal = side.normal;
    c.pointA = origin + (pa - c.radiusA * side.normal);
    c.pointB = origin + (pb + c.radiusB * side.normal);
    return c;
}

OrientedNormal SegmentPairTest::orientedNormal(SkeletonContact& c, const TaperedSegment& a, const TaperedSegment& b,
                                               const SegmentParameters& at, const Vector3& pa,
                                               const Vector3& pb) const {
    ContactAxes axes;
    axes.offset = pa - pb;
    const Matrix3& rotation = m_a.worldFromBody().rotation;
    axes.midpoint = rotation.transpose() * (0.5 * (pa + pb));
    axes.extentA = a.extent;
    axes.extentB = b.extent;
    axes.radii = c.radiusA + c.radiusB;
    axes.interior = at.s > 0.0 && at.s < 1.0 && at.t > 0.0 && at.t < 1.0;
    axes.centres = m_centres;
    axes.comesBack = comeBack(m_a, m_b);
    if (!m_history) return orientContactNormal(axes, rotation, nullptr, nullptr);
    const ContactHistory::Entry* own = m_history->find(c.feature);
    c.kept = own && own->kept;
    const ContactHistory::Entry* nearby = nullptr;
    const bool deep = axes.offset.squaredNorm() < 0.25 * axes.radii * axes.radii;
    if (!own && (deep || m_history->anyCrossed()))
        nearby = nearbyEntry(*m_history, m_a.model(), c.segmentA, m_b.model(), c.segmentB, axes);
    return orientContactNormal(axes, rotation, own, nearby);
}

}  // namespace pliant
