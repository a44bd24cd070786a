// SPDX-License-Identifier: Zlib
#include "Rigid.h"

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btBvhTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>

#include <cmath>

#include "btPliantScene/btPliantConversions.h"
#include "osgPliant/Primitives.h"
#include "pliant/math/Error.h"

namespace pliant::python {
namespace {

double positive(double number, const char* name) {
    if (!(number >= kSmallest && number <= kLargest)) throw Error(name, "it has to be from 1e-15 to 1e15");
    return number;
}

double finite(double number, const char* name) {
    if (!(std::abs(number) <= kLargest)) throw Error(name, "it is not finite, or beyond 1e15");
    return number;
}

btScalar scalar(double number) {
    return static_cast<btScalar>(number);
}

osgPliant::PrimitiveLook ground() {
    osgPliant::PrimitiveLook look;
    look.colour.set(0.42f, 0.44f, 0.47f, 1.0f);
    look.grid = 0.5f;
    return look;
}

btRigidBody::btRigidBodyConstructionInfo infoOf(btCollisionShape& shape, const RigidSettings& settings) {
    constexpr double kLeast = 1e-37, kMost = 1e37;  // which single precision still divides by
    btVector3 inertia(0, 0, 0);
    if (settings.mass != 0.0) {
        if (!(settings.mass >= kSmallest && settings.mass <= kLargest))
            throw Error("mass", "it has to be 0, which is static, or from 1e-15 to 1e15");
        shape.calculateLocalInertia(scalar(settings.mass), inertia);
        for (int axis = 0; axis < 3; ++axis)
            if (!(double(inertia[axis]) >= kLeast && double(inertia[axis]) <= kMost))
                throw Error("mass", "moments of inertia have to be from 1e-37 to 1e37 kg m^2");
    }
    btRigidBody::btRigidBodyConstructionInfo info(scalar(settings.mass), nullptr, &shape, inertia);
    info.m_startWorldTransform = toBullet(RigidTransform{settings.rotation, settings.position});
    info.m_friction = scalar(finite(settings.friction, "friction"));
    info.m_restitution = scalar(finite(settings.restitution, "restitution"));
    return info;
}

}  // namespace

Rigid::Rigid(std::unique_ptr<btCollisionShape> shape, const RigidSettings& settings, Look look,
             std::unique_ptr<btTriangleMesh> mesh)
    : m_mesh(std::move(mesh)),
      m_shape(std::move(shape)),
      m_body(std::make_unique<btRigidBody>(infoOf(*m_shape, settings))),
      m_look(std::move(look)) {}

bool Rigid::isPlane() const {
    return m_shape->getShapeType() == STATIC_PLANE_PROXYTYPE;
}

std::unique_ptr<Rigid> createPlane(const Vector3& normal, double offset, const RigidSettings& settings) {
    constexpr float kHalfSize = 30.0f;
    if (!(normal.norm() > 0.0)) throw Error("normal", "it has no direction");
    const Vector3 n = normal.normalized();
    const osg::Vec3f up(static_cast<float>(n.x()), static_cast<float>(n.y()), static_cast<float>(n.z()));
    const double distance = finite(finite(offset, "offset") / normal.norm(), "offset / |normal|");
    const float d = static_cast<float>(distance);
    return std::make_unique<Rigid>(std::make_unique<btStaticPlaneShape>(toBullet(n), scalar(distance)), settings,
                                   [=] { return osgPliant::createPlane(up, d, kHalfSize, ground()); });
}

std::unique_ptr<Rigid> createBox(const Vector3& size, const RigidSettings& settings) {
    for (int axis = 0; axis < 3; ++axis) positive(size[axis], "size");
    const Vector3 half = 0.5 * size;
    const osg::Vec3f extents(static_cast<float>(half.x()), static_cast<float>(half.y()), static_cast<float>(half.z()));
    return std::make_unique<Rigid>(std::make_unique<btBoxShape>(toBullet(half)), settings,
                                   [=] { return osgPliant::createBox(extents); });
}

std::unique_ptr<Rigid> createSphere(double radius, const RigidSettings& settings) {
    positive(radius, "radius");
    return std::make_unique<Rigid>(std::make_unique<btSphereShape>(scalar(radius)), settings,
                                   [=] { return osgPliant::createSphere(static_cast<float>(radius)); });
}

std::unique_ptr<Rigid> createCapsule(double radius, double height, const RigidSettings& settings) {
    positive(radius, "radius"), positive(height, "height");
    return std::make_unique<Rigid>(std::make_unique<btCapsuleShapeZ>(scalar(radius), scalar(height)), settings, [=] {
        return osgPliant::createCapsule(static_cast<float>(radius), static_cast<float>(height), 2);
    });
}

std::unique_ptr<Rigid> createCylinder(double radius, double height, const RigidSettings& settings) {
    positive(radius, "radius"), positive(height, "height");
    return std::make_unique<Rigid>(
        std::make_unique<btCylinderShapeZ>(btVector3(scalar(radius), scalar(radius), scalar(0.5 * height))), settings,
        [=] { return osgPliant::createCylinder(static_cast<float>(radius), static_cast<float>(height), 2); });
}

std::unique_ptr<Rigid> createMesh(const Numbers& vertices, const py::object& triples, const RigidSettings& settings) {
    if (vertices.ndim() != 2 || vertices.shape(1) != 3) throw Error("vertices", "an array of shape (n, 3) is wanted");
    const py::array corners = py::array::ensure(triples);
    if (!corners) PyErr_Clear();
    const char kind = corners ? corners.dtype().kind() : '-';
    if (!corners || corners.ndim() != 2 || corners.shape(1) != 3 || corners.shape(0) == 0 ||
        (kind != 'i' && kind != 'u'))
        throw Error("triangles", "an array of whole numbers of shape (m, 3), m > 0, is wanted");
    const py::array_t<std::int64_t, py::array::c_style | py::array::forcecast> triangles(corners);
    if (settings.mass > 0.0) throw Error("mass", "a mesh does not move freely", "reduce() it, or take a box or a hull");
    toRows(vertices, vertices.shape(0), 3, "vertices");
    std::vector<osg::Vec3f> points;
    for (py::ssize_t i = 0; i < vertices.shape(0); ++i)
        points.emplace_back(static_cast<float>(vertices.at(i, 0)), static_cast<float>(vertices.at(i, 1)),
                            static_cast<float>(vertices.at(i, 2)));
    std::vector<unsigned int> indices;
    auto mesh = std::make_unique<btTriangleMesh>();
    for (py::ssize_t t = 0; t < triangles.shape(0); ++t) {
        btVector3 corner[3];
        for (py::ssize_t k = 0; k < 3; ++k) {
            const std::int64_t vertex = triangles.at(t, k);
            if (vertex < 0 || vertex >= vertices.shape(0))
                throw Error("triangles", "triangle " + std::to_string(t) + " names vertex " + std::to_string(vertex) +
                                             " of " + std::to_string(vertices.shape(0)));
            indices.push_back(static_cast<unsigned int>(vertex));
            corner[k].setValue(scalar(vertices.at(vertex, 0)), scalar(vertices.at(vertex, 1)),
                               scalar(vertices.at(vertex, 2)));
        }
        mesh->addTriangle(corner[0], corner[1], corner[2]);
    }
    auto shape = std::make_unique<btBvhTriangleMeshShape>(mesh.get(), true);
    return std::make_unique<Rigid>(
        std::move(shape), settings, [=] { return osgPliant::createTriangles(points, indices); }, std::move(mesh));
}

}  // namespace pliant::python
