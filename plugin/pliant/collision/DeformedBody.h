// SPDX-License-Identifier: Zlib
// One body as collision sees it: its q and frame, the deformed balls, and boxes around the nodes of the skeleton tree.
//
// update() evaluates every ball (3 r multiply-adds each) and refits the boxes of the BD-Tree's nodes from below, along
// the world's axes: for a basket of 1,400 balls about 10 us, less than what a handful of neighbours would ask for node
// by node, exact whatever q is, and the boxes of two bodies compare without turning one. The spheres of [JP04], which
// need no geometry but grow with the sum of all |q_j|, serve the drawn triangles: a query deforms only what it reaches.
//
// Queries are const, change nothing and may run on several threads at once; update() and setTransform() must not run
// beside queries of the same body. No allocation after construction.
#pragma once

#include <memory>

#include "pliant/collision/CollisionModel.h"

namespace pliant {

/// A skeleton segment in world space: the solid swept by a ball whose radius goes linearly from end to end.
struct SweptSegment {
    int index = -1;
    Vector3 end[2] = {Vector3::Zero(), Vector3::Zero()};  ///< world, metres
    double radius[2] = {0.0, 0.0};
};

struct Aabb {
    Vector3 lower = Vector3::Zero();
    Vector3 upper = Vector3::Zero();
};

/// Lower corner and *negated* upper corner, so that both grow by taking the smaller number.
struct BoxF {
    float lower[4];     ///< x, y, z, 0
    float negUpper[4];  ///< -x, -y, -z, 0
};

class DeformedBody {
public:
    explicit DeformedBody(std::shared_ptr<const CollisionModel> model);
    ~DeformedBody();
    DeformedBody(DeformedBody&&) noexcept;
    DeformedBody& operator=(DeformedBody&&) noexcept;

    const CollisionModel& model() const;

    /// New state. @param q r doubles (rounded to float: what collides is the body at that q) @param worldFromBody of
    /// the body frame (ReducedModel.h), not of the mesh frame.
    void update(const double* q, const RigidTransform& worldFromBody);
    /// A new frame for the same q: about half of the work.
    void setTransform(const RigidTransform& worldFromBody);
    const RigidTransform& worldFromBody() const;

    // Body frame, single precision.
    SphereF ball(int i) const;
    SphereF skeletonNode(int i) const;  ///< the proven bound [JP04] of a node of skeletonTree(), evaluated on demand
    SphereF triangleNode(int i) const;
    SphereF vertex(int i) const;  ///< radius 0

    // Along the world's axes, origin at the body's: add worldFromBody().translation.
    SphereF turnedBall(int i) const;
    const BoxF& turnedBox(int node) const;  ///< holds every ball that the node of skeletonTree() covers
    const float* turnedBalls() const;       ///< all of them, x, y, z and radius each

    // World frame.
    SweptSegment segment(int index) const;
    /// Axis point of a segment, parameter in [0, 1].
    Vector3 segmentPoint(int index, double parameter) const;

    Aabb worldBounds() const;  ///< bounds of all balls in the world
    /// Metres that drawn vertices may stand out of the balls at this q, at most: bounds inflated by it hold the
    /// surface.
    double surfaceExcess() const;
    /// Bounds of all balls in `frame` (x_frame = frame.point(x_body); Identity = body frame): the root's box where the
    /// rotation is that of worldFromBody(), else looks at every ball.
    Aabb bounds(const RigidTransform& frame) const;
    Aabb bodyBounds() const { return bounds(RigidTransform()); }

private:
    struct Cache;
    std::unique_ptr<Cache> m_cache;
};

}  // namespace pliant
