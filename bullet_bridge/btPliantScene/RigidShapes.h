// SPDX-License-Identifier: Zlib
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
    std::vector<std::unique_ptr<btCollisionShape>> parts;  ///< of a compound
    std::unique_ptr<btCollisionShape> shape;
};

/// @throws Error where a surface has no hull
RigidShapeHolder makeRigidShape(const pliant::scene::RigidGroup& group);

}  // namespace btPliantInternal
