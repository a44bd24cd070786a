// SPDX-License-Identifier: Zlib
#include "pliant/collision/pair/SegmentPairPath.h"

#include <algorithm>

namespace pliant {

namespace {

/// Share of the radii above the margin that touches: what grazes is taken to, as in timeOfImpact().
constexpr double kCloseEnough = 0.01;

/// How far the ends of a segment reach along a direction, and how fast.
struct EndReach {
    double start, end, startRate, endRate;
    EndReach(const TaperedSegment& segment, const EndMotions& motion, const Vector3& direction)
        : start(direction.dot(segment.start)),
          end(start + direction.dot(segment.extent)),
          startRate(direction.dot(motion.start)),
          endRate(direction.dot(motion.end)) {}
};

TaperedSegment moved(const TaperedSegment& segment, const EndMotions& motion, double time) {
    TaperedSegment result = segment;
    result.start += time * motion.start;
    result.extent += time * (motion.end - motion.start);
    return result;
}

}  // namespace

SegmentPairPath::SegmentPairPath(const TaperedSegment& a, const EndMotions& motionA, const TaperedSegment& b,
                                 const EndMotions& motionB)
    : m_a(a), m_b(b), m_motionA(motionA), m_motionB(motionB) {}

SegmentPairPath::Gap SegmentPairPath::gapAlong(const Vector3& normal, double time, double margin) const {
    const EndReach a(m_a, m_motionA, normal), b(m_b, m_motionB, normal);
    const double radiusA[2] = {m_a.radius, m_a.radius + m_a.taper}, radiusB[2] = {m_b.radius, m_b.radius + m_b.taper};
    const double reachA[2] = {a.start, a.end}, reachB[2] = {b.start, b.end};
    const double rateA[2] = {a.startRate, a.endRate}, rateB[2] = {b.startRate, b.endRate};
    Gap gap;
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) {
            const double rate = rateB[j] - rateA[i];  // that it shrinks at
            const double left = reachA[i] - reachB[j] - time * rate - radiusA[i] - radiusB[j] - margin;
            gap.left = std::min(gap.left, left);
            if (rate > 0.0) gap.safeTime = std::min(gap.safeTime, left / rate);
        }
    }
    return gap;
}

bool SegmentPairPath::firstWithin(double margin, SegmentParameters& at, double& time) const {
    constexpr int kSteps = 32;
    const double closeEnough = kCloseEnough * (m_a.largestRadius() + m_b.largestRadius());
    time = 0.0;
    for (int i = 0; i < kSteps; ++i) {
        const TaperedSegment a = moved(m_a, m_motionA, time), b = moved(m_b, m_motionB, time);
        // Across the line between the axes the gap is hardly smaller than the true one, at a fraction of the cost.
        at = closestOnAxes(a, b);
        Vector3 offset = a.point(at.s) - b.point(at.t);
        Gap gap = gapAlong(offset.normalized(), time, margin);
        if (!(gap.left > closeEnough)) {
            at = closestParameters(a, b);
            offset = a.point(at.s) - b.point(at.t);
            const double length = offset.norm();
            if (length - a.radiusAt(at.s) - b.radiusAt(at.t) - margin <= closeEnough) return true;
            gap = gapAlong(offset / length, time, margin);
        }
        if (!(gap.safeTime < 1.0 - time)) return false;  // NaN included
        time += std::max(0.0, gap.safeTime);
    }
    at = closestParameters(moved(m_a, m_motionA, time), moved(m_b, m_motionB, time));
    return true;
}

}  // namespace pliant
