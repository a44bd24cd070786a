// SPDX-License-Identifier: Zlib
#include "pliant/collision/pair/SegmentPath.h"

#include <algorithm>

namespace pliant {

Aabb SegmentPath::bounds() const {
    const CapsuleSegment then = at(1.0);
    const Vector3 radius = Vector3::Constant(std::max(now.radius[0], now.radius[1]));
    return {now.end[0].cwiseMin(now.end[1]).cwiseMin(then.end[0]).cwiseMin(then.end[1]) - radius,
            now.end[0].cwiseMax(now.end[1]).cwiseMax(then.end[0]).cwiseMax(then.end[1]) + radius};
}

void SegmentPath::moveBack(double time, SkeletonContact& contact) const {
    const Vector3 way = motionAt(static_cast<double>(contact.parameterA));
    contact.closing = -contact.normal.dot(way);
    contact.pointA -= time * way;
    contact.distance = (contact.pointA - contact.pointB).dot(contact.normal);
}

std::vector<SegmentPath> allPaths(const DeformedBody& body, const RigidTransform& back) {
    std::vector<SegmentPath> paths(static_cast<std::size_t>(body.model().skeleton().segments.cols()));
    for (std::size_t i = 0; i < paths.size(); ++i) {
        const MovingSegment moving = body.movingSegment(static_cast<int>(i));
        paths[i].now = moving.now;
        for (int end = 0; end < 2; ++end) paths[i].motion[end] = back.point(moving.end[end]) - moving.now.end[end];
    }
    return paths;
}

std::vector<SegmentPath> pathsNear(const DeformedBody& body, const RigidTransform& back, const Aabb& box,
                                   double margin) {
    std::vector<SegmentPath> paths = allPaths(body, back);
    paths.erase(std::remove_if(paths.begin(), paths.end(),
                               [&](const SegmentPath& path) { return !nearBoxes(path.bounds(), box, margin); }),
                paths.end());
    return paths;
}

}  // namespace pliant
