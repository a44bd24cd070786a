// SPDX-License-Identifier: Zlib
// The collision shape of one reduced body: its drawn triangles as they are deformed now.
//
// A concave shape of type FAST_CONCAVE_MESH_PROXYTYPE, which nothing else in Bullet uses, so that stock ray tests,
// sweeps and debug drawing work through processAllTriangles. Contacts do not go through the triangles but through the
// swept segments of the model's contact skeleton. Every body owns its shape: a shape carries the body's q.
#pragma once

#include <BulletCollision/CollisionShapes/btConcaveShape.h>

#include <cstddef>

#include "btPliant/btPliantPrecision.h"

class btPliantBody;

class btPliantShape : public btConcaveShape {
public:
    explicit btPliantShape(const btPliantBody& body);
    ~btPliantShape() override;
    btPliantShape(const btPliantShape&) = delete;
    btPliantShape& operator=(const btPliantShape&) = delete;

    // Beside everything else that belongs to its body (pliant/math/CacheAligned.h), not by Bullet's allocator.
    static void* operator new(std::size_t bytes);
    static void operator delete(void* from, std::size_t bytes);

    /// The shape as ours, or null for any other shape.
    static const btPliantShape* upcast(const btCollisionShape* shape);

    const btPliantBody& getBody() const { return m_body; }

    /// Bounds of the deformed triangles and swept segments, from the spheres of the model's trees.
    void getAabb(const btTransform& worldFromBody, btVector3& aabbMin, btVector3& aabbMax) const override;
    void getBoundingSphere(btVector3& centre, btScalar& radius) const override;
    btScalar getAngularMotionDisc() const override;
    btScalar getContactBreakingThreshold(btScalar defaultFactor) const override;
    /// Calls back with every deformed triangle (body frame) that may touch the box; part 0, index of the triangle.
    void processAllTriangles(btTriangleCallback* callback, const btVector3& aabbMin,
                             const btVector3& aabbMax) const override;

    /// The model is not scaled: 1, and setting anything has no effect.
    void setLocalScaling(const btVector3& scaling) override;
    const btVector3& getLocalScaling() const override;
    /// The rest shape's principal moments for the given mass, kg m^2.
    void calculateLocalInertia(btScalar mass, btVector3& inertia) const override;
    /// Metres added around the swept segments, see btPliantSystemInfo.
    void setMargin(btScalar margin) override;
    btScalar getMargin() const override;
    const char* getName() const override;

private:
    const btPliantBody& m_body;
    btVector3 m_scaling;
};
