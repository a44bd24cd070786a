// SPDX-License-Identifier: Zlib
// Two segments whose ends go straight through a step. Internal to collision/.
#pragma once

#include <limits>

#include "pliant/math/SegmentDistance.h"

namespace pliant {

/// How both ends of a segment move in the step, metres.
struct EndMotions {
    Vector3 start, end;
    Vector3 at(double s) const { return start + s * (end - start); }
};

/// Conservative advancement along normals. Between two swept segments, as between any convex things, lies a plane
/// across their nearest points, and the gap along its normal is the least of the four between an end of one and an end
/// of the other. Each of these changes evenly on the way, so the moment at which the first of them is used up is known;
/// until then nothing touches. What passes by, or goes away, is told from what comes near at once, where a bound by
/// speed alone would go on step by step.
class SegmentPairPath {
public:
    SegmentPairPath(const TaperedSegment& a, const EndMotions& motionA, const TaperedSegment& b,
                    const EndMotions& motionB);

    /// First moment in [0, 1] at which the two are within `margin` metres, in `time`, and where they are nearest then.
    /// @return whether there is one
    bool firstWithin(double margin, SegmentParameters& at, double& time) const;

private:
    /// Along a normal, at a moment.
    struct Gap {
        double left = std::numeric_limits<double>::infinity();      ///< metres beyond the margin
        double safeTime = std::numeric_limits<double>::infinity();  ///< share of the step in which it is not used up
    };
    Gap gapAlong(const Vector3& normal, double time, double margin) const;

    const TaperedSegment &m_a, &m_b;
    const EndMotions &m_motionA, &m_motionB;
};

}  // namespace pliant
