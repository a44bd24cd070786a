// SPDX-License-Identifier: Zlib
#pragma once

#include <BulletCollision/CollisionShapes/btCollisionShape.h>

#include <memory>
#include <vector>

#include "pliant/mesh/SurfaceMesh.h"
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
    pliant::SurfaceMesh mesh;  ///< scaled; of shape Mesh only
    std::unique_ptr<btCollisionShape> shape;
};

/// @throws Error when a mesh cannot be read
RigidShapeHolder makeRigidShape(const pliant::scene::RigidGroup& group);

}  // namespace btPliantInternal
