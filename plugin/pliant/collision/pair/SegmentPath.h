// SPDX-License-Identifier: Zlib
// Segments of a body on their way through a step, as something else sees them that may move too.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "pliant/collision/body/DeformedBody.h"
#include "pliant/collision/pair/SkeletonContact.h"
#include "pliant/collision/pair/TimeOfImpact.h"
#include "pliant/math/Api.h"

namespace pliant {

struct PLIANT_INTERNAL_API SegmentPath {
    CapsuleSegment now;
    Vector3 motion[2] = {Vector3::Zero(), Vector3::Zero()};  ///< Motion of the ends in the step, m.

    CapsuleSegment at(double t) const {
        CapsuleSegment then = now;
        for (int end = 0; end < 2; ++end) then.end[end] += t * motion[end];
        return then;
    }
    Vector3 motionAt(double s) const { return motion[0] + s * (motion[1] - motion[0]); }
    Aabb bounds() const;  ///< Bounds of the whole path.

    /// The first contact within `margin` metres on the way, moved back to where the segment is now: its normal and the
    /// other's point are those of the moment when it touches; see ContinuousCollision.h.
    /// @param meet(segment, contact) nearest points of a segment and the other; false: there are none
    template <typename Meet>
    bool firstContact(double margin, const Meet& meet, SkeletonContact& contact) const {
        const double fastest = std::max(motion[0].norm(), motion[1].norm());
        double time = 0.0;
        const auto gap = [&](double t) {
            return meet(at(t), contact) ? contact.distance : std::numeric_limits<double>::quiet_NaN();
        };
        if (!timeOfImpact(fastest, margin, std::max(now.radius[0], now.radius[1]), gap, time)) return false;
        moveBack(time, contact);
        return true;
    }

private:
    void moveBack(double time, SkeletonContact& contact) const;
};

/// Of the segments whose paths, to where the body is predicted to be (DeformedBody::predictMotion), come within
/// `margin` of the box. In order of their numbers.
/// @param back  takes points of the world at the end of the step to where they are seen from the other as it stands now
PLIANT_INTERNAL_API std::vector<SegmentPath> pathsNear(const DeformedBody& body, const RigidTransform& back,
                                                       const Aabb& box, double margin);
/// All of them.
PLIANT_INTERNAL_API std::vector<SegmentPath> allPaths(const DeformedBody& body, const RigidTransform& back);

/// Whether two boxes come within `margin` of each other along every axis.
inline bool nearBoxes(const Aabb& a, const Aabb& b, double margin) {
    return ((a.lower - b.upper).array() <= margin).all() && ((b.lower - a.upper).array() <= margin).all();
}

}  // namespace pliant
