// SPDX-License-Identifier: Zlib
// Bodies come, sleep, wake and go, in contact or not; worlds without our solver do not mind.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "TestWorld.h"
#include "pliant/math/Error.h"

namespace {

using pliant::test::makeBar;
using pliant::test::TestWorld;

btPliantBodyInfo stronglyDamped() {
    btPliantBodyInfo info;
    info.m_damping.mass = 5.0;
    info.m_damping.stiffness = 1e-3;
    return info;
}

TEST(Lifetime, RemovedWhileInContact) {
    TestWorld scene;
    scene.addGround();
    const auto model = makeBar();
    btPliantBody* lower = scene.addBar(model, btVector3(0, btScalar(0.06), 0), stronglyDamped());
    btPliantBody* upper = scene.addBar(model, btVector3(0, btScalar(0.17), 0), stronglyDamped(),
                                       btQuaternion(btVector3(0, 1, 0), btScalar(1.5)));
    scene.step(60);
    ASSERT_GT(scene.system->getStats().m_contacts, 3);
    scene.world.removeRigidBody(lower);
    scene.step(120);
    EXPECT_LT(upper->getCenterOfMassPosition().y(), 0.08);
    scene.system->destroyBody(lower);
    scene.step(10);
    scene.world.removeRigidBody(upper);
    scene.step(2);
    scene.world.addRigidBody(upper);
    scene.step(30);
    EXPECT_GT(upper->getCenterOfMassPosition().y(), 0.04);
    scene.system->destroyBody(upper);  // the last body of the model, still in the world
    scene.step(2);
    EXPECT_EQ(scene.system->getNumBodies(), 0);
    EXPECT_EQ(scene.dispatcher.getNumManifolds(), 0);
    btPliantBody* again = scene.addBar(model, btVector3(0, btScalar(0.2), 0), stronglyDamped());
    scene.step(60);
    EXPECT_GT(again->getCenterOfMassPosition().y(), 0.04);
    EXPECT_LT(again->getCenterOfMassPosition().y(), 0.2);
}

TEST(Lifetime, OtherObjectRemovedWhileInContact) {
    TestWorld scene;
    btRigidBody* ground = scene.addGround();
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, btScalar(0.06), 0), stronglyDamped());
    scene.step(30);
    scene.world.removeRigidBody(ground);
    scene.step(30);
    EXPECT_LT(bar->getCenterOfMassPosition().y(), -0.1);
}

TEST(Lifetime, SystemGoesBeforeTheWorld) {
    TestWorld scene;
    scene.addGround();
    scene.addBar(makeBar(), btVector3(0, btScalar(0.06), 0));
    scene.addRigid(new btSphereShape(btScalar(0.1)), 1, btVector3(0, btScalar(0.3), 0));
    scene.step(30);
    scene.system.reset();
    scene.step(30);  // a plain Bullet world again
    EXPECT_NEAR(scene.rigid.back()->getCenterOfMassPosition().y(), 0.1, 0.02);
}

// Not the order that the documentation asks for.
TEST(Lifetime, AWorldThatGoesFirstIsLeftAlone) {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    auto solver = std::make_unique<btPliantConstraintSolver>();
    auto world = std::make_unique<btDiscreteDynamicsWorld>(&dispatcher, &broadphase, solver.get(), &configuration);
    auto system = std::make_unique<btPliantSystem>(world.get());
    btPliantBodyInfo info;
    for (int i = 0; i < 3; ++i) {
        info.m_meshTransform.setOrigin(btVector3(0, btScalar(0.11 * i), 0));
        world->addRigidBody(system->createBody(makeBar(), info));
    }
    system->createBody(makeBar());  // not in the world
    for (int i = 0; i < 10; ++i) world->stepSimulation(btScalar(1.0 / 120.0), 0);
    solver.reset();
    EXPECT_FALSE(system->isConnected());
    EXPECT_NE(system->getStatus().find("solver was destroyed"), std::string::npos);
    world.reset();
    system.reset();
    EXPECT_EQ(dispatcher.getNumManifolds(), 0);
}

/// Taken away before the world has stepped with both of its entries.
TEST(Lifetime, ABodyThatIsAddedTwiceIsGoneAtOnce) {
    for (const bool isDestroyed : {false, true}) {
        TestWorld scene;
        scene.addGround();
        btPliantBody* body = scene.addBar(makeBar(), btVector3(0, btScalar(0.2), 0), stronglyDamped());
        scene.world.addRigidBody(body);
        EXPECT_EQ(scene.world.getNumCollisionObjects(), 2);
        if (isDestroyed)
            scene.system->destroyBody(body);
        else
            scene.world.removeRigidBody(body);
        EXPECT_EQ(scene.world.getNumCollisionObjects(), 1);
        EXPECT_EQ(scene.world.getNonStaticRigidBodies().size(), 0);
        scene.step(5);
    }
}

TEST(Lifetime, ABodyThatIsAddedTwiceIsThereOnce) {
    TestWorld scene, once;
    btPliantBody* body = nullptr;
    for (TestWorld* world : {&scene, &once}) {
        world->addGround();
        body = world->addBar(makeBar(), btVector3(0, btScalar(0.2), 0), stronglyDamped());
        if (world == &scene) world->world.addRigidBody(body);
        world->step(60);
        EXPECT_EQ(world->world.getNumCollisionObjects(), 2);
        EXPECT_EQ(world->world.getNonStaticRigidBodies().size(), 1);
    }
    EXPECT_NE(scene.system->getStatus().find("added to its world twice"), std::string::npos);
    EXPECT_EQ(once.system->getStatus(), "");
    EXPECT_NEAR(scene.system->getBody(0)->getCenterOfMassPosition().y(), body->getCenterOfMassPosition().y(), 1e-4);
    body = scene.system->getBody(0);
    scene.world.removeRigidBody(body);
    scene.world.addRigidBody(body);  // as it should be
    scene.step(10);
    scene.system->destroyBody(body);
    scene.step(10);
    EXPECT_EQ(scene.world.getNumCollisionObjects(), 1);
    EXPECT_EQ(scene.dispatcher.getNumManifolds(), 0);
}

// The body has moved up in the world's list since its box was last asked for, and comes to where it was.
TEST(Lifetime, ABodyThatIsAddedTwiceAfterAnotherHasGoneIsThereOnce) {
    TestWorld scene;
    scene.addGround();
    btRigidBody* other = scene.addRigid(new btSphereShape(btScalar(0.1)), 1, btVector3(0, 2, 0));
    btPliantBody* body = scene.addBar(makeBar(), btVector3(0, btScalar(0.2), 0), stronglyDamped());
    scene.step(1);
    scene.world.removeRigidBody(other);
    scene.world.addRigidBody(body);
    EXPECT_EQ(scene.world.getNumCollisionObjects(), 2);
    scene.world.removeRigidBody(body);
    EXPECT_EQ(scene.world.getNumCollisionObjects(), 1);
    scene.step(2);
}

TEST(Lifetime, ABodyMayBeDeletedDirectly) {
    TestWorld scene;
    scene.addGround();
    const auto model = makeBar();
    btPliantBody* lower = scene.addBar(model, btVector3(0, btScalar(0.06), 0), stronglyDamped());
    scene.addBar(model, btVector3(0, btScalar(0.17), 0), stronglyDamped(),
                 btQuaternion(btVector3(0, 1, 0), btScalar(1.5)));
    scene.step(60);
    delete lower;
    EXPECT_EQ(scene.system->getNumBodies(), 1);
    EXPECT_EQ(scene.world.getNumCollisionObjects(), 2);
    scene.step(120);
    EXPECT_LT(scene.system->getBody(0)->getCenterOfMassPosition().y(), 0.08);
    delete scene.system->getBody(0);  // the last one of its model
    scene.step(2);
    EXPECT_EQ(scene.dispatcher.getNumManifolds(), 0);
}

TEST(Sleep, RestingBarSleepsAndWakes) {
    TestWorld scene;
    scene.addGround();
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, btScalar(0.2), 0), stronglyDamped(),
                                     btQuaternion(btVector3(0, 0, 1), btScalar(0.2)));
    int steps = 0;
    while (bar->isActive() && steps < 1200) {
        scene.step();
        ++steps;
    }
    ASSERT_EQ(bar->getActivationState(), ISLAND_SLEEPING);
    EXPECT_GT(steps, 240);  // Bullet waits for two seconds
    const pliant::VectorX q = bar->getReducedCoordinates();
    scene.step(10);
    EXPECT_EQ(bar->getReducedVelocities().norm(), 0.0);
    EXPECT_EQ((bar->getReducedCoordinates() - q).norm(), 0.0);
    EXPECT_EQ(scene.system->getStats().m_awakeBodies, 0);
    scene.addRigid(new btBoxShape(btVector3(btScalar(0.1), btScalar(0.1), btScalar(0.1))), 1.0,
                   btVector3(0, btScalar(0.4), 0));
    scene.step(60);
    EXPECT_TRUE(bar->isActive());
    EXPECT_GT((bar->getReducedCoordinates() - q).norm(), 0.0);
}

TEST(Sleep, VibratingBarStaysAwake) {
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, 0, 0));
    pliant::VectorX v = pliant::VectorX::Zero(bar->getModel().dimension());
    v[0] = 0.5;
    bar->setReducedVelocities(v);
    scene.step(480);
    EXPECT_TRUE(bar->isActive());
}

TEST(Solver, OtherSolverIsReportedAndHarmless) {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver stock;
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &stock, &configuration);
    btStaticPlaneShape plane(btVector3(0, 1, 0), 0);
    btRigidBody ground(btRigidBody::btRigidBodyConstructionInfo(0, nullptr, &plane));
    world.addRigidBody(&ground);
    {
        btPliantSystem system(&world);
        EXPECT_FALSE(system.isConnected());
        EXPECT_NE(system.getStatus().find("btPliantConstraintSolver"), std::string::npos);
        btPliantBodyInfo info;
        info.m_meshTransform.setOrigin(btVector3(0, 1, 0));
        btPliantBody* bar = system.createBody(makeBar(), info);
        world.addRigidBody(bar);
        for (int i = 0; i < 120; ++i) world.stepSimulation(btScalar(1.0 / 120.0), 0);
        EXPECT_GT(bar->getCenterOfMassPosition().y(), 0.02);
        EXPECT_GT(bar->getReducedCoordinates().norm(), 0.0);
    }
    world.removeRigidBody(&ground);
}

TEST(Solver, PlainWorldsBehaveAsWithBulletsOwn) {
    const auto fall = [](btConstraintSolver* solver) {
        btDefaultCollisionConfiguration configuration;
        btCollisionDispatcher dispatcher(&configuration);
        btDbvtBroadphase broadphase;
        btDiscreteDynamicsWorld world(&dispatcher, &broadphase, solver, &configuration);
        btStaticPlaneShape plane(btVector3(0, 1, 0), 0);
        btBoxShape box(btVector3(btScalar(0.1), btScalar(0.2), btScalar(0.3)));
        btRigidBody ground(btRigidBody::btRigidBodyConstructionInfo(0, nullptr, &plane));
        btVector3 inertia;
        box.calculateLocalInertia(1, inertia);
        btRigidBody::btRigidBodyConstructionInfo info(1, nullptr, &box, inertia);
        info.m_startWorldTransform = btTransform(btQuaternion(btVector3(1, 2, 3).normalized(), 1), btVector3(0, 1, 0));
        btRigidBody body(info);
        world.addRigidBody(&ground);
        world.addRigidBody(&body);
        for (int i = 0; i < 100; ++i) world.stepSimulation(btScalar(1.0 / 60.0), 0);
        const btTransform end = body.getWorldTransform();
        world.removeRigidBody(&body);
        world.removeRigidBody(&ground);
        return end;
    };
    btSequentialImpulseConstraintSolver stock;
    btPliantConstraintSolver ours;
    EXPECT_TRUE(fall(&stock) == fall(&ours));
}

TEST(Precision, MismatchIsRefusedWithASentence) {
    EXPECT_NO_THROW(btPliantCheckScalarSize(sizeof(btScalar)));
    try {
        btPliantCheckScalarSize(pliant::test::doublePrecision ? sizeof(float) : sizeof(double));
        FAIL();
    } catch (const pliant::Error& error) {
        EXPECT_NE(std::string(error.what()).find("precision"), std::string::npos);
        EXPECT_NE(std::string(error.what()).find("link Pliant::"), std::string::npos);
    }
}

TEST(Determinism, OneOrTwoWorkersGiveTheSameBits) {
    const auto run = [](int threads) {
        btPliantSystemInfo info;
        info.m_threads = threads;
        TestWorld scene(info);
        scene.world.getDispatchInfo().m_deterministicOverlappingPairs = true;
        scene.addGround();
        const auto model = makeBar();
        for (int i = 0; i < 12; ++i)
            scene.addBar(model, btVector3(btScalar(0.1 * (i % 3)), btScalar(0.2 + 0.13 * i), 0), stronglyDamped(),
                         btQuaternion(btVector3(0, 1, 0), btScalar(0.7 * i)));
        scene.step(150);
        std::vector<double> bits;
        for (int i = 0; i < 12; ++i) {
            const btPliantBody& body = *scene.system->getBody(i);
            for (int k = 0; k < 3; ++k) bits.push_back(static_cast<double>(body.getCenterOfMassPosition()[k]));
            for (const double q : body.getReducedCoordinates()) bits.push_back(q);
        }
        return bits;
    };
    const std::vector<double> one = run(1), two = run(2), again = run(1);
    EXPECT_EQ(one, again);
    EXPECT_EQ(one, two);
}

/// Models that come from files have been checked; those made in memory are by the first body.
TEST(Lifetime, ABrokenModelMakesNoBody) {
    using Break = void (*)(pliant::ReducedModel&);
    const std::pair<const char*, Break> cases[] = {
        {"basis", [](pliant::ReducedModel& m) { m.basis(0, 0) = std::nan(""); }},
        {"energy", [](pliant::ReducedModel& m) { m.energy.quartic[0] = HUGE_VAL; }},
        {"energy", [](pliant::ReducedModel& m) { m.energy.cubic.conservativeResize(m.energy.cubic.size() - 1); }},
        {"inertia", [](pliant::ReducedModel& m) { m.inertia.mass = 0.0; }},
        {"inertia", [](pliant::ReducedModel& m) { m.inertia.rotation(0, 0) = std::nan(""); }},
        {"skeleton", [](pliant::ReducedModel& m) { m.skeleton.basis(0, 0) = std::nanf(""); }},
        {"skeleton", [](pliant::ReducedModel& m) { m.skeleton.segments(0, 0) = 1000000; }},
        {"skeleton_tree", [](pliant::ReducedModel& m) { m.skeletonTree.restRadii[0] = std::nanf(""); }},
    };
    TestWorld scene;
    for (const auto& [section, spoil] : cases) {
        const auto model = std::make_shared<pliant::ReducedModel>(*makeBar());
        spoil(*model);
        try {
            scene.system->createBody(model);
            ADD_FAILURE() << "a body of a broken " << section;
        } catch (const pliant::Error& error) {
            EXPECT_NE(std::string(error.what()).find("'" + std::string(section) + "'"), std::string::npos)
                << error.what();
        }
        EXPECT_EQ(scene.system->getNumBodies(), 0);
    }
    EXPECT_NE(scene.system->createBody(makeBar()), nullptr);
}

// A pair that has had contacts is looked at in every step as long as it keeps their manifolds.
TEST(Lifetime, ManifoldsOfContactsThatHaveEndedAreGivenBack) {
    TestWorld scene;
    scene.addGround();
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, btScalar(0.06), 0));
    scene.step(60);
    ASSERT_GT(scene.dispatcher.getNumManifolds(), 0);
    EXPECT_EQ(scene.dispatcher.getNumManifolds(), scene.system->getStats().m_manifolds);
    btTransform up = bar->getWorldTransform();
    up.getOrigin() += btVector3(0, 1, 0);
    bar->setWorldTransform(up);
    bar->activate(true);
    scene.step(2);
    EXPECT_EQ(scene.system->getStats().m_contacts, 0);
    EXPECT_EQ(scene.dispatcher.getNumManifolds(), 0) << "the plane's box is met, the plane is not";
    scene.step(180);
    EXPECT_GT(scene.dispatcher.getNumManifolds(), 0);
}

}  // namespace
