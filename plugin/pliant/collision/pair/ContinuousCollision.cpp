// SPDX-License-Identifier: Zlib
#include "pliant/collision/pair/ContinuousCollision.h"

#include <algorithm>

#include "pliant/collision/pair/MeetingPairs.h"
#include "pliant/collision/pair/SegmentPairPath.h"
#include "pliant/collision/pair/SegmentPairTest.h"
#include "pliant/collision/pair/TreeDescent.h"

namespace pliant {

namespace {

/// The boxes of a body at both ends of its way.
class MovingBoxes {
public:
    explicit MovingBoxes(const DeformedBody& body)
        : m_body(body),
          m_now(&body.rotatedBox(0)),
          m_predicted(&body.predictedBox(0)),
          m_segments(body.model().skeleton().segments.data()) {}
    const DeformedBody& body() const { return m_body; }
    MovingBoxRef node(int i) const { return {m_now[i], m_predicted[i]}; }
    MovingBox segment(int i) const {
        const int* ends = m_segments + 2 * static_cast<std::size_t>(i);
        return {segmentBox(m_body.rotatedSpheres(), ends), segmentBox(m_body.predictedSpheres(), ends)};
    }
    /// How the ends of a segment move, in double precision.
    EndMotions motions(int i) const {
        const auto& segments = m_body.model().skeleton().segments;
        return {motion(segments(0, i)), motion(segments(1, i))};
    }

private:
    Vector3 motion(int sphere) const {
        const float *now = m_body.rotatedSpheres() + 4 * sphere, *predicted = m_body.predictedSpheres() + 4 * sphere;
        Vector3 motion = m_body.predictedOrigin() - m_body.worldFromBody().translation;
        for (int k = 0; k < 3; ++k) motion[k] += static_cast<double>(predicted[k]) - static_cast<double>(now[k]);
        return motion;
    }

    const DeformedBody& m_body;
    const BoxF *m_now, *m_predicted;  ///< of all nodes
    const int* m_segments;
};

class ContinuousPairTest {
public:
    ContinuousPairTest(const DeformedBody& a, const DeformedBody& b, double margin, const ContactHistory* history,
                       std::vector<SkeletonContact>& out)
        : m_origin(a.worldFromBody().translation), m_a(a), m_b(b), m_test(a, b, margin, history), m_out(out) {}

    void operator()(int segmentA, int segmentB) const {
        const TaperedSegment a = m_test.ofA(segmentA), b = m_test.ofB(segmentB);
        const EndMotions motionA = m_a.motions(segmentA), motionB = m_b.motions(segmentB);
        SkeletonContact found[2];
        const int count = m_test.collide(segmentA, a, segmentB, b, found);
        for (int k = 0; k < count; ++k) {
            found[k].closing = closing(found[k], motionA, motionB);
            m_out.push_back(found[k]);
        }
        if (count > 0) return;
        SegmentParameters at;
        double time = 0.0;
        if (SegmentPairPath(a, motionA, b, motionB).firstWithin(m_test.margin(), at, time))
            add(segmentA, segmentB, a, b, motionA, motionB, at, time);
    }

private:
    static double closing(const SkeletonContact& c, const EndMotions& a, const EndMotions& b) {
        return c.normal.dot(b.at(static_cast<double>(c.parameterB)) - a.at(static_cast<double>(c.parameterA)));
    }

    void add(int segmentA, int segmentB, const TaperedSegment& a, const TaperedSegment& b, const EndMotions& motionA,
             const EndMotions& motionB, const SegmentParameters& at, double time) const {
        SkeletonContact c;
        c.segmentA = segmentA;
        c.segmentB = segmentB;
        c.feature = contactFeature(segmentA, segmentB, 0);
        c.parameterA = static_cast<float>(at.s);
        c.parameterB = static_cast<float>(at.t);
        c.radiusA = a.radiusAt(at.s);
        c.radiusB = b.radiusAt(at.t);
        const Vector3 pa = a.point(at.s), pb = b.point(at.t);
        const Vector3 then = pa - pb + time * (motionA.at(at.s) - motionB.at(at.t));
        const double length = then.norm();
        if (!(length > 0.0)) return;
        c.normal = then / length;
        c.distance = c.normal.dot(pa - pb) - c.radiusA - c.radiusB;
        c.closing = closing(c, motionA, motionB);
        // Rounding apart, the gap shrinks where it first touches, and so the points come from in front of the plane.
        if (c.distance < 0.0 || c.closing <= 0.0) return;
        c.pointA = m_origin + (pa - c.radiusA * c.normal);
        c.pointB = m_origin + (pb + c.radiusB * c.normal);
        m_out.push_back(c);
    }

    Vector3 m_origin;  ///< A's
    MovingBoxes m_a, m_b;
    SegmentPairTest m_test;
    std::vector<SkeletonContact>& m_out;
};

}  // namespace

bool boxesStayApart(const DeformedBody& a, const DeformedBody& b, const Vector3& motion, double margin) {
    const BoxF &boxA = a.outerBox(), &boxB = b.outerBox();
    const Vector3 now = b.worldFromBody().translation - a.worldFromBody().translation, then = now - motion;
    const MovingBoxTest test(BoxTest(now, cullingMargin(boxA, boxB, now, margin)),
                             BoxTest(then, cullingMargin(boxA, boxB, then, margin)));
    return test.apart(MovingBox{boxA, boxA}, MovingBox{boxB, boxB});
}

void collideBodiesContinuous(const DeformedBody& a, const DeformedBody& b, double margin,
                             std::vector<SkeletonContact>& out, const ContactHistory* history) {
    if (a.model().skeletonTree().nodes.empty() || b.model().skeletonTree().nodes.empty()) return;
    const ContinuousPairTest pairTest(a, b, margin, history, out);
    const Vector3 shift = b.worldFromBody().translation - a.worldFromBody().translation,
                  predictedShift = b.predictedOrigin() - a.predictedOrigin();
    const MovingBoxTest test(
        BoxTest(shift, cullingMargin(a.outerBox(), b.outerBox(), shift, margin)),
        BoxTest(predictedShift, cullingMargin(a.predictedBox(0), b.predictedBox(0), predictedShift, margin)));
    static thread_local SegmentPairs found;
    found.clear();
    descendTogether(MovingBoxes(a), MovingBoxes(b), test,
                    [](int segmentA, int segmentB) { found.emplace_back(segmentA, segmentB); });
    keepMeetingOnTheWay(a, b, margin, found);
    std::sort(found.begin(), found.end());
    for (const auto& [segmentA, segmentB] : found) pairTest(segmentA, segmentB);
}

}  // namespace pliant
