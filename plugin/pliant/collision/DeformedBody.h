// SPDX-License-Identifier: Zlib
// One body as collision sees it: its q and frame, and a cache of the spheres and points that queries asked for since.
//
// Nothing is evaluated in update(): BD-Tree spheres, balls and surface vertices are computed when a query first needs
// them (r multiply-adds of four floats each) and kept until the next update(). Queries are const and may run on
// several threads at once, also on the same body (cells are atomic and every writer writes the same bits); update()
// and setTransform() must not run beside queries of the same body. No allocation after construction.
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

class DeformedBody {
public:
    explicit DeformedBody(std::shared_ptr<const CollisionModel> model);
    ~DeformedBody();
    DeformedBody(DeformedBody&&) noexcept;
    DeformedBody& operator=(DeformedBody&&) noexcept;

    const CollisionModel& model() const;

    /// New state. @param q r doubles (rounded to float: what collides is the body at that q) @param worldFromBody of
    /// the body frame (ReducedModel.h), not of the mesh frame. Drops what was cached.
    void update(const double* q, const RigidTransform& worldFromBody);
    /// A new frame for the same q: keeps what was cached.
    void setTransform(const RigidTransform& worldFromBody);
    const RigidTransform& worldFromBody() const;

    // Body frame, single precision, evaluated on demand.
    SphereF ball(int i) const;
    SphereF skeletonNode(int i) const;
    SphereF triangleNode(int i) const;
    SphereF vertex(int i) const;  ///< radius 0

    // World frame.
    SweptSegment segment(int index) const;
    /// Axis point of a segment, parameter in [0, 1].
    Vector3 segmentPoint(int index, double parameter) const;

    /// Bounds of all balls along the axes of `frame` (columns of the rotation; Identity = body frame), body at its q.
    /// Conservative, and at most `looseness` x the root sphere's radius outside of the tight box.
    Aabb bounds(const RigidTransform& frame, double looseness = 0.02) const;
    Aabb worldBounds(double looseness = 0.02) const { return bounds(worldFromBody(), looseness); }
    Aabb bodyBounds(double looseness = 0.02) const { return bounds(RigidTransform(), looseness); }

    /// Evaluates every ball and skeleton sphere now (for measurements, or to move the work into a parallel loop).
    void evaluateAll() const;

private:
    struct Cache;
    std::unique_ptr<Cache> m_cache;
};

}  // namespace pliant
