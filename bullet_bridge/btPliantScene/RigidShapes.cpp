// SPDX-License-Identifier: Zlib
#include "btPliantScene/RigidShapes.h"

#include <btBulletCollisionCommon.h>

#include "btPliantScene/btPliantConversions.h"
#include "pliant/mesh/ReadObj.h"

namespace btPliantInternal {

using pliant::toBullet;

RigidShapeHolder::RigidShapeHolder() = default;
RigidShapeHolder::~RigidShapeHolder() = default;
RigidShapeHolder::RigidShapeHolder(RigidShapeHolder&&) noexcept = default;
RigidShapeHolder& RigidShapeHolder::operator=(RigidShapeHolder&&) noexcept = default;

namespace {

void makeMesh(const pliant::scene::RigidGroup& group, RigidShapeHolder& holder) {
    holder.mesh = pliant::readObj(group.file);
    holder.mesh.positions *= group.scale;
    holder.triangles = std::make_unique<btTriangleMesh>();
    for (int t = 0; t < holder.mesh.triangleCount(); ++t) {
        const auto corner = [&](int c) {
            const pliant::Vector3 x = holder.mesh.positions.col(holder.mesh.triangles(c, t));
            return toBullet(x);
        };
        holder.triangles->addTriangle(corner(0), corner(1), corner(2));
    }
    holder.shape = std::make_unique<btBvhTriangleMeshShape>(holder.triangles.get(), true);
}

}  // namespace

RigidShapeHolder makeRigidShape(const pliant::scene::RigidGroup& group) {
    RigidShapeHolder holder;
    const auto radius = static_cast<btScalar>(group.radius), height = static_cast<btScalar>(group.height);
    switch (group.shape) {
        case pliant::scene::RigidShape::Box: {
            const pliant::Vector3 half = 0.5 * group.size;
            holder.shape = std::make_unique<btBoxShape>(toBullet(half));
            break;
        }
        case pliant::scene::RigidShape::Sphere:
            holder.shape = std::make_unique<btSphereShape>(radius);
            break;
        case pliant::scene::RigidShape::Capsule:
            holder.shape = std::make_unique<btCapsuleShapeZ>(radius, height);
            break;
        case pliant::scene::RigidShape::Cylinder:
            holder.shape = std::make_unique<btCylinderShapeZ>(btVector3(radius, radius, btScalar(0.5) * height));
            break;
        case pliant::scene::RigidShape::Mesh:
            makeMesh(group, holder);
            break;
    }
    return holder;
}

}  // namespace btPliantInternal
