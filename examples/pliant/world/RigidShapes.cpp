// SPDX-License-Identifier: Zlib
#include "world/RigidShapes.h"

#include <btBulletCollisionCommon.h>

#include "pliant/mesh/ReadObj.h"
#include "world/BulletConversions.h"

namespace pliant::program {

RigidShapeHolder::RigidShapeHolder() = default;
RigidShapeHolder::~RigidShapeHolder() = default;
RigidShapeHolder::RigidShapeHolder(RigidShapeHolder&&) noexcept = default;
RigidShapeHolder& RigidShapeHolder::operator=(RigidShapeHolder&&) noexcept = default;

namespace {

void makeMesh(const scene::RigidGroup& group, RigidShapeHolder& holder) {
    holder.mesh = readObj(group.file);
    holder.mesh.positions *= group.scale;
    holder.triangles = std::make_unique<btTriangleMesh>();
    for (int t = 0; t < holder.mesh.triangleCount(); ++t) {
        const auto corner = [&](int c) {
            const Vector3 x = holder.mesh.positions.col(holder.mesh.triangles(c, t));
            return toBullet(x);
        };
        holder.triangles->addTriangle(corner(0), corner(1), corner(2));
    }
    holder.shape = std::make_unique<btBvhTriangleMeshShape>(holder.triangles.get(), true);
}

}  // namespace

RigidShapeHolder makeRigidShape(const scene::RigidGroup& group) {
    RigidShapeHolder holder;
    const auto radius = static_cast<btScalar>(group.radius), height = static_cast<btScalar>(group.height);
    switch (group.shape) {
        case scene::RigidShape::Box: {
            const Vector3 half = 0.5 * group.size;
            holder.shape = std::make_unique<btBoxShape>(toBullet(half));
            break;
        }
        case scene::RigidShape::Sphere:
            holder.shape = std::make_unique<btSphereShape>(radius);
            break;
        case scene::RigidShape::Capsule:
            holder.shape = std::make_unique<btCapsuleShapeZ>(radius, height);
            break;
        case scene::RigidShape::Cylinder:
            holder.shape = std::make_unique<btCylinderShapeZ>(btVector3(radius, radius, btScalar(0.5) * height));
            break;
        case scene::RigidShape::Mesh:
            makeMesh(group, holder);
            break;
    }
    return holder;
}

}  // namespace pliant::program
