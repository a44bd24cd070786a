// SPDX-License-Identifier: Zlib
// Boxes of two bodies that go from where they are to where DeformedBody::predictMotion() has taken them, and the pairs
// of segments that may meet on the way. Internal to collision/.
#pragma once

#include "pliant/collision/pair/MeetingPairs.h"
#include "pliant/collision/pair/SegmentPairPath.h"
#include "pliant/collision/pair/TreeDescent.h"

namespace pliant {

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

/// Pairs of segments that may come within `margin` metres on their way, ascending. Both bodies have a prediction, and
/// their boxes are current.
void listMeetingOnTheWay(const DeformedBody& a, const DeformedBody& b, double margin, SegmentPairs& found);

}  // namespace pliant
