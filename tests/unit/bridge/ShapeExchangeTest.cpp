// SPDX-License-Identifier: Zlib
// Shapes of Bullet's objects that are exchanged while the object is in the world, where Bullet keeps its algorithms.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <string>

#include "TestWorld.h"

namespace {

using pliant::test::makeBar;
using pliant::test::TestWorld;

btPliantBodyInfo restsSoon() {
    btPliantBodyInfo info;
    info.m_damping.mass = 5.0;
    info.m_damping.stiffness = 1e-3;
    return info;
}

// As characters of games crouch: the object stays in the world, and Bullet keeps the algorithms of its pairs.
TEST(ShapeExchange, InContact) {
    TestWorld scene;
    const auto lying = [](const btVector3& half) { return std::make_unique<btBoxShape>(half); };
    auto box = lying(btVector3(2, btScalar(0.1), 2));
    btRigidBody base(0, nullptr, box.get());
    scene.world.addRigidBody(&base);
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, btScalar(0.16), 0), restsSoon());
    const auto heightOn = [&](btCollisionShape& shape) {
        base.setCollisionShape(&shape);
        scene.world.updateSingleAabb(&base);
        bar->activate(true);
        scene.step(240);
        return static_cast<double>(bar->getCenterOfMassPosition().y());
    };
    EXPECT_NEAR(heightOn(*box), 0.15, 5e-3);
    auto low = lying(btVector3(2, btScalar(0.05), 2));
    EXPECT_NEAR(heightOn(*low), 0.1, 5e-3) << "of the same kind";
    box.reset();
    btCylinderShape round(btVector3(2, btScalar(0.1), 2));
    btTransform raised = bar->getMeshTransform();
    raised.getOrigin() += btVector3(0, btScalar(0.1), 0);
    bar->setMeshTransform(raised);
    EXPECT_NEAR(heightOn(round), 0.15, 5e-3) << "of another kind";
    low.reset();
    btEmptyShape none;
    EXPECT_LT(heightOn(none), -1.0) << "nothing is there";
    raised.getOrigin().setY(raised.getOrigin().y() + btScalar(0.1));
    bar->setMeshTransform(raised);
    bar->setLinearVelocity(btVector3(0, 0, 0));
    EXPECT_NEAR(heightOn(round), 0.15, 5e-3) << "there again";
    scene.world.removeRigidBody(&base);
}

/// A bar that is let go above an object again and again, each time of another shape.
struct BarAboveShapes {
    explicit BarAboveShapes(btCollisionShape* first) : base(0, nullptr, first) {
        scene.world.addRigidBody(&base);
        bar = scene.addBar(makeBar(), btVector3(0, btScalar(0.16), 0), restsSoon());
        start = bar->getMeshTransform();
        scene.step(1);
    }
    /// @param cleans whether Bullet is told to forget the algorithms of the object's pairs
    double heightOn(btCollisionShape& shape, bool cleans) {
        base.setCollisionShape(&shape);
        scene.world.updateSingleAabb(&base);
        if (cleans) scene.world.getPairCache()->cleanProxyFromPairs(base.getBroadphaseHandle(), &scene.dispatcher);
        bar->setMeshTransform(start);
        bar->setLinearVelocity(btVector3(0, 0, 0));
        bar->activate(true);
        scene.step(240);
        return static_cast<double>(bar->getCenterOfMassPosition().y());
    }
    void removeBase() { scene.world.removeRigidBody(&base); }

    TestWorld scene;
    btRigidBody base;
    btPliantBody* bar = nullptr;
    btTransform start;
};

// An allocator likes to give the place of a deleted shape to the next one, whatever kind it is of.
TEST(ShapeExchange, AShapeOfAnotherKindAtTheSameAddressIsAnotherShape) {
    alignas(16) std::array<std::byte, 512> place{};
    static_assert(sizeof(btBoxShape) <= sizeof place && sizeof(btStaticPlaneShape) <= sizeof place);
    btCollisionShape* shape = new (place.data()) btEmptyShape;
    BarAboveShapes bar(shape);
    const auto heightOn = [&](btCollisionShape* present) {
        shape = present;
        return bar.heightOn(*shape, false);
    };
    // The boxes of all three overlap the bar's in every step, so that Bullet keeps the pair's algorithm.
    shape->~btCollisionShape();
    EXPECT_NEAR(heightOn(new (place.data()) btBoxShape(btVector3(2, btScalar(0.1), 2))), 0.15, 5e-3) << "box";
    shape->~btCollisionShape();
    EXPECT_NEAR(heightOn(new (place.data()) btStaticPlaneShape(btVector3(0, 1, 0), btScalar(0.08))), 0.13, 5e-3)
        << "plane";
    shape->~btCollisionShape();
    EXPECT_NEAR(heightOn(new (place.data()) btSphereShape(btScalar(0.1))), 0.15, 5e-3) << "ball";
    bar.removeBase();
    shape->~btCollisionShape();
}

// Of a compound Bullet keeps another algorithm, and of no compound ours: programs have it forget them.
TEST(ShapeExchange, CompoundsWantThePairsCleaned) {
    btBoxShape box(btVector3(2, btScalar(0.1), 2));
    btCompoundShape compound;
    compound.addChildShape(btTransform::getIdentity(), &box);
    BarAboveShapes bar(&box);
    EXPECT_NEAR(bar.heightOn(compound, true), 0.15, 5e-3);
    EXPECT_NEAR(bar.heightOn(box, true), 0.15, 5e-3);
    const btPliantSystem& system = *bar.scene.system;
    EXPECT_EQ(system.getStatus(), "");
    EXPECT_LT(bar.heightOn(compound, false), -1.0);
    EXPECT_NE(system.getStatus().find("cleanProxyFromPairs"), std::string::npos) << system.getStatus();
    bar.removeBase();
}

}  // namespace
