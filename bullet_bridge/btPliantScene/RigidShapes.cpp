// SPDX-License-Identifier: Zlib
#include "btPliantScene/RigidShapes.h"

#include <LinearMath/btConvexHullComputer.h>
#include <btBulletCollisionCommon.h>

#include <algorithm>
#include <numeric>

#include "btPliantScene/btPliantConversions.h"
#include "pliant/math/Error.h"
#include "pliant/scene/RigidSurface.h"

namespace btPliantInternal {

using pliant::toBullet;

RigidShapeHolder::RigidShapeHolder() = default;
RigidShapeHolder::~RigidShapeHolder() = default;
RigidShapeHolder::RigidShapeHolder(RigidShapeHolder&&) noexcept = default;
RigidShapeHolder& RigidShapeHolder::operator=(RigidShapeHolder&&) noexcept = default;

namespace {

void makeMesh(const pliant::scene::RigidGroup& group, RigidShapeHolder& holder) {
    const pliant::SurfaceMesh& mesh = *group.mesh;
    holder.triangles = std::make_unique<btTriangleMesh>();
    for (int t = 0; t < mesh.triangleCount(); ++t) {
        const auto corner = [&](int c) {
            const pliant::Vector3 x = mesh.positions.col(mesh.triangles(c, t));
            return toBullet(x);
        };
        holder.triangles->addTriangle(corner(0), corner(1), corner(2));
    }
    holder.shape = std::make_unique<btBvhTriangleMeshShape>(holder.triangles.get(), true);
}

/// The hull of some vertices. Bullet lays its margin around a hull, so the hull is as much smaller.
std::unique_ptr<btCollisionShape> makeHull(const pliant::scene::RigidGroup& group, const std::vector<int>& vertices) {
    std::vector<btVector3> points;
    btVector3 least(BT_LARGE_FLOAT, BT_LARGE_FLOAT, BT_LARGE_FLOAT), most = -least;
    for (const int v : vertices) {
        const pliant::Vector3 x = group.mesh->positions.col(v);
        points.push_back(toBullet(x));
        least.setMin(points.back());
        most.setMax(points.back());
    }
    const btVector3 extent = most - least;
    const btScalar margin = std::min(btScalar(0.04), btScalar(0.05) * extent[extent.minAxis()]);
    btConvexHullComputer computer;
    const btScalar shrunk = computer.compute(points[0].m_floats, static_cast<int>(sizeof(btVector3)),
                                             static_cast<int>(points.size()), margin, btScalar(0.25));
    if (shrunk < 0 || computer.vertices.size() < 4)
        throw pliant::Error(group.where, "\"" + group.file + "\" has a piece without an inside: it has no hull",
                            "write shape: mesh, or close the surface");
    auto hull = std::make_unique<btConvexHullShape>();
    for (int i = 0; i < computer.vertices.size(); ++i) hull->addPoint(computer.vertices[i], false);
    hull->setMargin(shrunk);
    hull->recalcLocalAabb();
    return hull;
}

void makeHulls(const pliant::scene::RigidGroup& group, RigidShapeHolder& holder) {
    if (!group.inPieces) {
        std::vector<int> all(static_cast<std::size_t>(group.mesh->vertexCount()));
        std::iota(all.begin(), all.end(), 0);
        holder.shape = makeHull(group, all);
        return;
    }
    auto compound = std::make_unique<btCompoundShape>();
    for (const std::vector<int>& piece : pliant::scene::piecesOf(*group.mesh)) {
        holder.parts.push_back(makeHull(group, piece));
        compound->addChildShape(btTransform::getIdentity(), holder.parts.back().get());
    }
    holder.shape = std::move(compound);
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
        case pliant::scene::RigidShape::Cone:
            holder.shape = std::make_unique<btConeShapeZ>(radius, height);
            holder.shape->setMargin(btScalar(0.002) * std::min(radius, height));  // which Bullet lays around a cone
            break;
        case pliant::scene::RigidShape::Hull:
            makeHulls(group, holder);
            break;
    }
    return holder;
}

}  // namespace btPliantInternal
