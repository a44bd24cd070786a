// SPDX-License-Identifier: Zlib
// Internal: Bullet's shapes as a scene describes them.
#pragma once

#include <BulletCollision/CollisionShapes/btCollisionShape.h>

#include <memory>
#include <vector>

#include "pliant/scene/SceneDescription.h"

class btTriangleMesh;

namespace btPliantInternal {

/// A Bullet shape with what it needs to stay alive, and the triangles of a mesh for the picture.
struct RigidShapeHolder {
    RigidShapeHolder();
    ~RigidShapeHolder();
    RigidShapeHolder(RigidShapeHolder&&) noexcept;
    RigidShapeHolder& operator=(RigidShapeHolder&&) noexcept;

    std::unique_ptr<btTriangleMesh> triangles;
    std::vector<std::unique_ptr<btCollisionShape>> parts;       ///< Parts of a compound.
    std::shared_ptr<const pliant::scene::HeightTable> heights;  ///< Heights of a field, which Bullet does not copy.
    std::unique_ptr<btCollisionShape> shape;
    /// Columns: the axes of Bullet's body in the frame that the scene's file means. Bullet knows moments of inertia
    /// about the axes of a body alone, so what has products of inertia gets a body along its principal axes.
    btMatrix3x3 axes = btMatrix3x3::getIdentity();
    btVector3 inertiaOfKilogram = btVector3(0, 0, 0);  ///< Inertia about those axes of hulls and compounds, m^2.
};

/// @throws Error where there is no surface, or a piece of it has no hull
RigidShapeHolder makeRigidShape(const pliant::scene::RigidGroup& group);

}  // namespace btPliantInternal
