// SPDX-License-Identifier: Zlib
#include "ShapeCatalogue.h"

#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>
#include <BulletCollision/CollisionShapes/btScaledBvhTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btSdfCollisionShape.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <map>

namespace pliant::test {
namespace {

constexpr btScalar kHalf = btScalar(1.5);  ///< m, half a side of what is flat

btTransform at(btScalar y, const btQuaternion& turn = btQuaternion::getIdentity()) {
    return btTransform(turn, btVector3(0, y, 0));
}

void addBox(Support& support) {
    support.shape = support.add<btBoxShape>(btVector3(kHalf, btScalar(0.25), kHalf));
    support.frame = at(btScalar(-0.25));
}

void addSphere(Support& support) {
    support.shape = support.add<btSphereShape>(kRound);
    support.frame = at(-kRound);
}

/// Lies along z, across the bars.
void addCapsule(Support& support) {
    support.shape = support.add<btCapsuleShapeZ>(kRound, btScalar(2));
    support.frame = at(-kRound);
}

void addCylinder(Support& support) {
    support.shape = support.add<btCylinderShape>(btVector3(kHalf, btScalar(0.25), kHalf));
    support.frame = at(btScalar(-0.25));
}

/// Stands on its tip; Bullet's cones have their margin outside.
void addCone(Support& support) {
    support.shape = support.add<btConeShape>(kHalf, btScalar(1));
    support.frame = at(btScalar(-0.5) - support.shape->getMargin(), btQuaternion(btVector3(1, 0, 0), SIMD_PI));
}

/// A wedge with a flat top, whose margin stands above its corners.
void addHull(Support& support) {
    auto* hull = support.add<btConvexHullShape>();
    for (const btScalar x : {-kHalf, kHalf}) {
        for (const btScalar z : {-kHalf, kHalf}) hull->addPoint(btVector3(x, 0, z), false);
        hull->addPoint(btVector3(x, btScalar(-0.5), 0), false);
    }
    hull->recalcLocalAabb();
    support.shape = hull;
    support.frame = at(-hull->getMargin());
}

void addMultiSphere(Support& support) {
    const btVector3 centres[2] = {btVector3(0, 0, -1), btVector3(0, 0, 1)};
    const btScalar radii[2] = {kRound, kRound};
    support.shape = support.add<btMultiSphereShape>(centres, radii, 2);
    support.frame = at(-kRound);
}

btCompoundShape* twoBoxes(Support& support, btScalar halfWidth) {
    auto* half = support.add<btBoxShape>(btVector3(halfWidth, btScalar(0.25), kHalf));
    auto* compound = support.add<btCompoundShape>();
    for (const btScalar side : {btScalar(-1), btScalar(1)})
        compound->addChildShape(
            btTransform(btQuaternion::getIdentity(), btVector3(side * halfWidth, btScalar(-0.25), 0)), half);
    return compound;
}

void addCompound(Support& support) {
    support.shape = twoBoxes(support, kHalf / 2);
}

void addCompoundOfCompounds(Support& support) {
    btCompoundShape* inner = twoBoxes(support, kHalf / 4);
    auto* outer = support.add<btCompoundShape>();
    for (const btScalar side : {btScalar(-1), btScalar(1)})
        outer->addChildShape(btTransform(btQuaternion::getIdentity(), btVector3(side * kHalf / 2, 0, 0)), inner);
    support.shape = outer;
}

btBvhTriangleMeshShape* grid(Support& support, btScalar half) {
    constexpr int cells = 11;
    support.mesh = std::make_unique<btTriangleMesh>();
    const auto corner = [half](int i, int j) {
        const btScalar unit = 2 * half / btScalar(cells);
        return btVector3(unit * btScalar(i) - half, 0, unit * btScalar(j) - half);
    };
    for (int i = 0; i < cells; ++i)
        for (int j = 0; j < cells; ++j) {
            support.mesh->addTriangle(corner(i, j), corner(i, j + 1), corner(i + 1, j));
            support.mesh->addTriangle(corner(i + 1, j), corner(i, j + 1), corner(i + 1, j + 1));
        }
    auto* shape = support.add<btBvhTriangleMeshShape>(support.mesh.get(), true);
    shape->setMargin(btScalar(0.01));
    return shape;
}

void addMesh(Support& support) {
    support.shape = grid(support, kHalf);
    support.frame = at(-support.shape->getMargin());
}

void addScaledMesh(Support& support) {
    btBvhTriangleMeshShape* small = grid(support, kHalf / 3);
    support.shape = support.add<btScaledBvhTriangleMeshShape>(small, btVector3(3, 1, 3));
    support.frame = at(-support.shape->getMargin());
}

void addHeightField(Support& support) {
    constexpr int side = 49;  // so many that numbers of its parts are large
    support.heights.assign(side * side, 0.0f);
    auto* field =
        support.add<btHeightfieldTerrainShape>(side, side, support.heights.data(), btScalar(-1), btScalar(1), 1, false);
    field->setLocalScaling(btVector3(btScalar(0.075), 1, btScalar(0.075)));
    field->setMargin(btScalar(0.01));
    support.shape = field;
    support.frame = at(-field->getMargin());
}

/// A slab in a distance field whose cells meet at its faces, so that it is exact above them.
void addDistanceField(Support& support) {
    const auto slab = [](const btVector3& p) {
        const double out[3] = {std::fabs(static_cast<double>(p.x())) - 1.5,
                               std::fabs(static_cast<double>(p.y()) + 0.5) - 0.5,
                               std::fabs(static_cast<double>(p.z())) - 1.5};
        double outside = 0;
        for (const double o : out) outside += o > 0 ? o * o : 0;
        return std::sqrt(outside) + std::min(0.0, std::max(out[0], std::max(out[1], out[2])));
    };
    auto* field = support.add<btSdfCollisionShape>();
    const std::vector<char> data = distanceFieldData(btVector3(-2, -2, -2), btVector3(2, 2, 2), 16, slab);
    if (!field->initializeSDF(data.data(), static_cast<int>(data.size()))) return;
    support.shape = field;
}

void addPlane(Support& support) {
    support.shape = support.add<btStaticPlaneShape>(btVector3(0, 1, 0), btScalar(0));
}

using Maker = void (*)(Support&);
const std::vector<std::pair<std::string, Maker>>& makers() {
    static const std::vector<std::pair<std::string, Maker>> all = {{"box", addBox},
                                                                   {"sphere", addSphere},
                                                                   {"capsule", addCapsule},
                                                                   {"cylinder", addCylinder},
                                                                   {"cone", addCone},
                                                                   {"hull", addHull},
                                                                   {"compound", addCompound},
                                                                   {"compound_of_compounds", addCompoundOfCompounds},
                                                                   {"mesh", addMesh},
                                                                   {"scaled_mesh", addScaledMesh},
                                                                   {"height_field", addHeightField},
                                                                   {"multi_sphere", addMultiSphere},
                                                                   {"distance_field", addDistanceField},
                                                                   {"plane", addPlane}};
    return all;
}

/// Places of the 32 nodes of a cell, each coordinate from -1 to 1: its corners, then two points on every edge.
std::array<btVector3, 32> nodePlaces() {
    std::array<btVector3, 32> places;
    for (std::size_t i = 0; i < 8; ++i) places[i] = btVector3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    // Of the other two axes, that which changes first from edge to edge.
    const int first[3] = {2, 0, 1}, second[3] = {1, 2, 0};
    std::size_t next = 8;
    for (int axis = 0; axis < 3; ++axis)
        for (int edge = 0; edge < 4; ++edge)
            for (const double along : {-1.0 / 3.0, 1.0 / 3.0}) {
                btVector3& place = places[next++];
                place[axis] = static_cast<btScalar>(along);
                place[first[axis]] = btScalar(edge & 1 ? 1 : -1);
                place[second[axis]] = btScalar(edge & 2 ? 1 : -1);
            }
    return places;
}

template <class T>
void append(std::vector<char>& data, const T& value) {
    const auto* bytes = reinterpret_cast<const char*>(&value);
    data.insert(data.end(), bytes, bytes + sizeof(T));
}

}  // namespace

const std::vector<std::string>& supportNames() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const auto& maker : makers()) all.push_back(maker.first);
        return all;
    }();
    return names;
}

std::unique_ptr<Support> makeSupport(const std::string& name) {
    auto support = std::make_unique<Support>();
    for (const auto& maker : makers())
        if (maker.first == name) maker.second(*support);
    return support;
}

std::vector<char> distanceFieldData(const btVector3& lower, const btVector3& upper, int cells,
                                    const std::function<double(const btVector3&)>& distance) {
    std::vector<char> data;
    const btVector3 size = (upper - lower) / static_cast<btScalar>(cells);
    const auto appendVector = [&data](const btVector3& v) {
        for (int k = 0; k < 3; ++k) append(data, static_cast<double>(v[k]));
    };
    appendVector(lower);
    appendVector(upper);
    for (int k = 0; k < 3; ++k) append(data, static_cast<std::uint32_t>(cells));
    appendVector(size);
    appendVector(btVector3(1, 1, 1) / size);
    const auto count = static_cast<std::uint64_t>(cells) * static_cast<std::uint64_t>(cells * cells);
    append(data, count);
    for (int i = 0; i < 2; ++i) append(data, std::uint64_t(1));  // fields: their number, and that of their node lists
    append(data, std::uint64_t(32 * count));
    const std::array<btVector3, 32> places = nodePlaces();
    for (int k = 0; k < cells; ++k)
        for (int j = 0; j < cells; ++j)
            for (int i = 0; i < cells; ++i) {
                const btVector3 cell(static_cast<btScalar>(i), static_cast<btScalar>(j), static_cast<btScalar>(k));
                for (const btVector3& place : places)
                    append(data, distance(lower + size * (cell + (place + btVector3(1, 1, 1)) * btScalar(0.5))));
            }
    append(data, std::uint64_t(1));
    append(data, count);
    for (std::uint32_t node = 0; node < 32 * count; ++node) append(data, node);
    append(data, std::uint64_t(1));
    append(data, count);
    for (std::uint32_t cell = 0; cell < count; ++cell) append(data, cell);
    return data;
}

}  // namespace pliant::test
