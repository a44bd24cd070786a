// SPDX-License-Identifier: Zlib
// A rigid body of pliant.World, with what it looks like.
#pragma once

#include <BulletCollision/CollisionShapes/btTriangleMesh.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <functional>
#include <memory>
#include <osg/Geometry>

#include "Arrays.h"

namespace pliant::python {

/// Where a rigid body starts, and its surface.
struct RigidSettings {
    Vector3 position = Vector3::Zero();      ///< m
    Matrix3 rotation = Matrix3::Identity();  ///< from the body to the world
    double mass = 0.0;                       ///< kg; 0 = static
    double friction = 0.5;                   ///< Bullet's coefficient
    double restitution = 0.0;                ///< Bullet's
};

class Rigid {
public:
    /// Makes the drawable of a rigid body.
    using Look = std::function<osg::ref_ptr<osg::Geometry>()>;

    /// @param mesh that the shape stands on, or null. @throws Error for a mass that cannot be
    Rigid(std::unique_ptr<btCollisionShape> shape, const RigidSettings& settings, Look look,
          std::unique_ptr<btTriangleMesh> mesh = nullptr);

    btRigidBody& body() const { return *m_body; }
    osg::ref_ptr<osg::Geometry> createLook() const { return m_look(); }
    bool isPlane() const;  ///< without end

private:
    std::unique_ptr<btTriangleMesh> m_mesh;
    std::unique_ptr<btCollisionShape> m_shape;
    std::unique_ptr<btRigidBody> m_body;
    Look m_look;
};

/// A plane n . x = offset. @throws Error where the normal has no direction
std::unique_ptr<Rigid> createPlane(const Vector3& normal, double offset, const RigidSettings& settings);
/// A box by its edges, m. @throws Error for edges that are not above 0; as do the others below
std::unique_ptr<Rigid> createBox(const Vector3& size, const RigidSettings& settings);
std::unique_ptr<Rigid> createSphere(double radius, const RigidSettings& settings);
/// Along local z. @param height between the centres of the caps, m
std::unique_ptr<Rigid> createCapsule(double radius, double height, const RigidSettings& settings);
/// Along local z. @param height m
std::unique_ptr<Rigid> createCylinder(double radius, double height, const RigidSettings& settings);
/// Triangles that do not move. @param vertices (n, 3). @param triangles (m, 3) numbers of vertices. @throws Error
std::unique_ptr<Rigid> createMesh(const Numbers& vertices, const py::object& triangles, const RigidSettings& settings);

}  // namespace pliant::python
