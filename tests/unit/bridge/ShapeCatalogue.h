// SPDX-License-Identifier: Zlib
// One support of every kind of shape that reduced bodies touch, each with its top at y = 0.
#pragma once

#include <btBulletDynamicsCommon.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace pliant::test {

/// Radius of what is round, m: bodies lie on its top without tipping.
constexpr btScalar kRound = btScalar(3.0);

/// Bullet's shapes refer to each other and to the users' numbers: all of them live here.
struct Support {
    btCollisionShape* shape = nullptr;
    btTransform frame = btTransform::getIdentity();
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::unique_ptr<btTriangleMesh> mesh;
    std::vector<float> heights;

    template <class Shape, class... Arguments>
    Shape* add(Arguments&&... arguments) {
        auto made = std::make_unique<Shape>(std::forward<Arguments>(arguments)...);
        Shape* result = made.get();
        shapes.push_back(std::move(made));
        return result;
    }
};

/// The names that makeSupport() knows.
const std::vector<std::string>& supportNames();
std::unique_ptr<Support> makeSupport(const std::string& name);

/// What btSdfCollisionShape::initializeSDF() reads: the field on a grid of cells with 32 nodes each.
/// @param distance of a point to the surface, m, negative inside
std::vector<char> distanceFieldData(const btVector3& lower, const btVector3& upper, int cells,
                                    const std::function<double(const btVector3&)>& distance);

}  // namespace pliant::test
