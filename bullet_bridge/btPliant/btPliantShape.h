// SPDX-License-Identifier: Zlib
/// @file
/// The collision shape of one reduced body.
#pragma once

#include <BulletCollision/CollisionShapes/btConcaveShape.h>

#include <cstddef>

#include "btPliant/btPliantPrecision.h"
#include "pliant/math/Api.h"

class btPliantBody;

/// The collision shape of one reduced body: its drawn triangles as they are deformed now.
///
/// A concave shape of type FAST_CONCAVE_MESH_PROXYTYPE, which nothing else in Bullet uses, so that stock ray tests,
/// convex casts and debug drawing work through processAllTriangles(). Contacts do not go through the triangles but
/// through the segments of a strand, and the points and the distance field of a solid. Every body owns its shape: a
/// shape carries the body's q.
class PLIANT_API btPliantShape : public btConcaveShape {
public:
    /// Made by btPliantSystem::createBody(), one for each body.
    explicit btPliantShape(const btPliantBody& body);
    /// The body deletes its shape.
    ~btPliantShape() override;
    btPliantShape(const btPliantShape&) = delete;
    btPliantShape& operator=(const btPliantShape&) = delete;

    /// Memory beside everything else that belongs to the body (not from Bullet's allocator).
    static void* operator new(std::size_t bytes);
    /// Gives back the memory of operator new.
    static void operator delete(void* from, std::size_t bytes);

    /// The shape as that of a reduced body, or null for any other shape.
    static const btPliantShape* upcast(const btCollisionShape* shape);

    /// The body whose deformation this shape has.
    const btPliantBody& getBody() const { return m_body; }

    /// Bounds of the deformed triangles and segments, from the bounding spheres of the model's BD-trees [JP04].
    void getAabb(const btTransform& worldFromBody, btVector3& aabbMin, btVector3& aabbMax) const override;
    /// A sphere around the deformed body, body frame, m.
    void getBoundingSphere(btVector3& centre, btScalar& radius) const override;
    /// Largest distance of the deformed body from the origin of the body frame, m, for Bullet's continuous collision
    /// detection.
    btScalar getAngularMotionDisc() const override;
    /// Distance at which Bullet breaks contacts, m: the factor times the largest radius of the segments.
    btScalar getContactBreakingThreshold(btScalar defaultFactor) const override;
    /// Calls back with every deformed triangle (body frame) that may touch the box; part 0, and the index of the
    /// triangle.
    void processAllTriangles(btTriangleCallback* callback, const btVector3& aabbMin,
                             const btVector3& aabbMax) const override;

    /// Has no effect: the model is not scaled.
    void setLocalScaling(const btVector3& scaling) override;
    /// Always 1 in each direction.
    const btVector3& getLocalScaling() const override;
    /// The principal moments of inertia at rest for the given mass (kg), kg m^2.
    void calculateLocalInertia(btScalar mass, btVector3& inertia) const override;
    /// Sets the margin around the segments, m (btPliantSystemInfo::m_margin).
    void setMargin(btScalar margin) override;
    /// The margin around the segments, m.
    btScalar getMargin() const override;
    /// Bullet's name of the kind of shape.
    const char* getName() const override;

private:
    const btPliantBody& m_body;
    btVector3 m_scaling;
};
