// SPDX-License-Identifier: Zlib
#include "pliant/collision/pair/ContinuousCollision.h"

#include "pliant/collision/pair/MeetingPairs.h"
#include "pliant/collision/pair/MovingBoxes.h"
#include "pliant/collision/pair/SegmentPairPath.h"
#include "pliant/collision/pair/SegmentPairTest.h"
#include "pliant/collision/pair/TreeDescent.h"

namespace pliant {

namespace {

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
    SegmentPairs& found = pairsOfThread();
    listMeetingOnTheWay(a, b, margin, found);
    for (const auto& [segmentA, segmentB] : found) pairTest(segmentA, segmentB);
}

}  // namespace pliant
