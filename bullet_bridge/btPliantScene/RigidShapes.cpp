// SPDX-License-Identifier: Zlib
#include "btPliantScene/RigidShapes.h"

#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>
#include <LinearMath/btConvexHullComputer.h>
#include <btBulletCollisionCommon.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

#include "btPliantScene/btPliantConversions.h"
#include "pliant/math/Error.h"
#include "pliant/scene/RigidSurface.h"

namespace btPliantInternal {

using pliant::toBullet;
using pliant::scene::RigidGroup;
using pliant::scene::RigidShape;

RigidShapeHolder::RigidShapeHolder() = default;
RigidShapeHolder::~RigidShapeHolder() = default;
RigidShapeHolder::RigidShapeHolder(RigidShapeHolder&&) noexcept = default;
RigidShapeHolder& RigidShapeHolder::operator=(RigidShapeHolder&&) noexcept = default;

namespace {

void makeMesh(const RigidGroup& group, RigidShapeHolder& holder) {
    if (group.mass > 0.0)
        throw pliant::Error(group.where, "a mesh has no mass: triangles have no inside", "write shape: hull");
    const pliant::SurfaceMesh& mesh = pliant::scene::surfaceOf(group);
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

using Points = pliant::Points;

/// How thick a cloud of points is across its flattest direction, m: of points in one plane, zero but for rounding.
double thickness(const Points& points) {
    const Points about = points.colwise() - points.rowwise().mean();
    const pliant::Matrix3 spread = about * about.transpose();
    const pliant::Vector3 flattest = Eigen::SelfAdjointEigenSolver<pliant::Matrix3>(spread).eigenvectors().col(0);
    const Eigen::RowVectorXd along = flattest.transpose() * about;
    return along.maxCoeff() - along.minCoeff();
}

/// @param piece what messages call it
[[noreturn]] void refuseFlat(const RigidGroup& group, const std::vector<int>& vertices, const std::string& piece) {
    throw pliant::Error(group.where,
                        '"' + group.file + "\" has no hull: " + piece + " has no inside (" +
                            std::to_string(vertices.size()) + " vertices in a plane, the first is number " +
                            std::to_string(vertices.front() + 1) + ')',
                        "give it a thickness, take it out, or write shape: mesh");
}

/// The hull of some points. Bullet lays its margin around a hull, so the hull is as much smaller.
/// @param all of the surface, in the body's frame
std::unique_ptr<btCollisionShape> makeHull(const RigidGroup& group, const Points& all, const std::vector<int>& vertices,
                                           const std::string& piece) {
    constexpr double kFlat = 1.0e-5;  // of the size; single precision has seven digits
    const Points points = all(Eigen::all, vertices);
    const pliant::Vector3 extent = points.rowwise().maxCoeff() - points.rowwise().minCoeff();
    if (!(thickness(points) > kFlat * extent.maxCoeff())) refuseFlat(group, vertices, piece);
    std::vector<btVector3> corners;
    for (Eigen::Index i = 0; i < points.cols(); ++i) corners.push_back(toBullet(pliant::Vector3(points.col(i))));
    const btScalar margin = std::min(btScalar(0.04), static_cast<btScalar>(0.05 * extent.minCoeff()));
    btConvexHullComputer computer;
    const btScalar shrunk = computer.compute(corners[0].m_floats, static_cast<int>(sizeof(btVector3)),
                                             static_cast<int>(corners.size()), margin, btScalar(0.25));
    if (shrunk < 0 || computer.vertices.size() < 4) refuseFlat(group, vertices, piece);
    auto hull = std::make_unique<btConvexHullShape>();
    for (int i = 0; i < computer.vertices.size(); ++i) hull->addPoint(computer.vertices[i], false);
    hull->setMargin(shrunk);
    hull->recalcLocalAabb();
    return hull;
}

/// The body lies along the principal axes of the group's inertia. @return them, columns in the file's frame
pliant::Matrix3 setAxes(const RigidGroup& group, RigidShapeHolder& holder) {
    const pliant::Matrix3 axes = pliant::scene::principalAxes(group.inertiaOfKilogram);
    holder.axes = toBullet(pliant::RigidTransform{axes, pliant::Vector3::Zero()}).getBasis();
    const pliant::Matrix3 turned = axes.transpose() * group.inertiaOfKilogram * axes;
    holder.inertiaOfKilogram = toBullet(pliant::Vector3(turned.diagonal()));
    return axes;
}

void makeHulls(const RigidGroup& group, RigidShapeHolder& holder) {
    const pliant::SurfaceMesh& surface = pliant::scene::surfaceOf(group);
    const pliant::Matrix3 axes = setAxes(group, holder);
    const Points points = axes.transpose() * surface.positions;
    if (!group.inPieces) {
        holder.shape = makeHull(group, points, pliant::scene::usedVertices(surface), "the surface");
        return;
    }
    auto compound = std::make_unique<btCompoundShape>();
    const std::vector<std::vector<int>> pieces = pliant::scene::piecesOf(surface);
    for (const std::vector<int>& piece : pieces) {
        const std::string name =
            "piece " + std::to_string(holder.parts.size() + 1) + " of " + std::to_string(pieces.size());
        holder.parts.push_back(makeHull(group, points, piece, name));
        compound->addChildShape(btTransform::getIdentity(), holder.parts.back().get());
    }
    holder.shape = std::move(compound);
}

/// A shape of a few numbers. @param Sized a RigidGroup or a RigidPart
template <class Sized>
std::unique_ptr<btCollisionShape> makeSimple(const Sized& sized) {
    const auto radius = static_cast<btScalar>(sized.radius), height = static_cast<btScalar>(sized.height);
    switch (sized.shape) {
        case RigidShape::Box: {
            const pliant::Vector3 half = 0.5 * sized.size;
            return std::make_unique<btBoxShape>(toBullet(half));
        }
        case RigidShape::Capsule:
            return std::make_unique<btCapsuleShapeZ>(radius, height);
        case RigidShape::Cylinder:
            return std::make_unique<btCylinderShapeZ>(btVector3(radius, radius, btScalar(0.5) * height));
        case RigidShape::Cone: {
            auto cone = std::make_unique<btConeShapeZ>(radius, height);
            cone->setMargin(btScalar(0.002) * std::min(radius, height));  // which Bullet lays around a cone
            return cone;
        }
        case RigidShape::Sphere:
            return std::make_unique<btSphereShape>(radius);
        case RigidShape::Mesh:
        case RigidShape::Hull:
        case RigidShape::MultiSphere:
        case RigidShape::Compound:
        case RigidShape::HeightField:
        case RigidShape::Plane:
            break;
    }
    throw pliant::Error("part of a compound", "it is none of the shapes that a compound is made of");
}

void makeCompound(const RigidGroup& group, RigidShapeHolder& holder) {
    if (group.parts.empty()) throw pliant::Error(group.where, "a compound has no parts", "give it some");
    setAxes(group, holder);
    auto compound = std::make_unique<btCompoundShape>();
    for (const pliant::scene::RigidPart& part : group.parts) {
        holder.parts.push_back(makeSimple(part));
        compound->addChildShape(btTransform(holder.axes.transpose()) * toBullet(part.place), holder.parts.back().get());
    }
    holder.shape = std::move(compound);
}

void makeMultiSphere(const RigidGroup& group, RigidShapeHolder& holder) {
    if (group.parts.empty()) throw pliant::Error(group.where, "a multisphere has no spheres", "give it some");
    std::vector<btVector3> centres;
    std::vector<btScalar> radii;
    for (const pliant::scene::RigidPart& part : group.parts) {
        centres.push_back(toBullet(part.place.translation));
        radii.push_back(static_cast<btScalar>(part.radius));
    }
    holder.shape = std::make_unique<btMultiSphereShape>(centres.data(), radii.data(), static_cast<int>(radii.size()));
}

void makeHeightField(const RigidGroup& group, RigidShapeHolder& holder) {
    if (!group.heights) throw pliant::Error(group.where, "a height field has no heights", "give it some");
    if (group.mass > 0.0) throw pliant::Error(group.where, "a height field has no mass: it has no inside");
    const pliant::scene::HeightTable& table = *group.heights;
    holder.heights = group.heights;
    // Bullet puts the middle of the least and the most height at the origin: with these, the file's zero.
    float most = 0.0f;
    for (const float height : table.heights) most = std::max(most, std::abs(height));
    const auto bound = static_cast<btScalar>(most);
    auto field = std::make_unique<btHeightfieldTerrainShape>(table.columns, table.rows, table.heights.data(),
                                                             btScalar(1), -bound, bound, 2, PHY_FLOAT, false);
    const auto spacing = static_cast<btScalar>(table.spacing);
    field->setLocalScaling(btVector3(spacing, spacing, 1));
    holder.shape = std::move(field);
}

}  // namespace

RigidShapeHolder makeRigidShape(const RigidGroup& group) {
    RigidShapeHolder holder;
    switch (group.shape) {
        case RigidShape::Mesh:
            makeMesh(group, holder);
            break;
        case RigidShape::Hull:
            makeHulls(group, holder);
            break;
        case RigidShape::Compound:
            makeCompound(group, holder);
            break;
        case RigidShape::MultiSphere:
            makeMultiSphere(group, holder);
            break;
        case RigidShape::HeightField:
            makeHeightField(group, holder);
            break;
        case RigidShape::Plane:
            if (group.mass > 0.0) throw pliant::Error(group.where, "a plane has no mass: it has no end");
            holder.shape = std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), btScalar(0));
            break;
        case RigidShape::Box:
        case RigidShape::Sphere:
        case RigidShape::Capsule:
        case RigidShape::Cylinder:
        case RigidShape::Cone:
            holder.shape = makeSimple(group);
            break;
    }
    return holder;
}

}  // namespace btPliantInternal
