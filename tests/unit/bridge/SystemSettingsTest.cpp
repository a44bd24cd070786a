// SPDX-License-Identifier: Zlib
// Settings that cannot be are refused where they are given, and a system finds its solver again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "TestWorld.h"
#include "pliant/math/Error.h"

namespace pliant::test {
namespace {

using ::testing::HasSubstr;

const btScalar kNotANumber = std::numeric_limits<btScalar>::quiet_NaN();

TEST(SystemSettings, ThatCannotBeAreRefused) {
    const std::vector<std::pair<std::function<void(btPliantSystemInfo&)>, const char*>> wrong = {
        {[](auto& info) { info.m_threads = 100000; }, "m_threads"},
        {[](auto& info) { info.m_threads = -1; }, "m_threads"},
        {[](auto& info) { info.m_margin = kNotANumber; }, "m_margin"},
        {[](auto& info) { info.m_margin = btScalar(-1); }, "m_margin"},
        {[](auto& info) { info.m_speculativeRadii = kNotANumber; }, "m_speculativeRadii"},
        {[](auto& info) { info.m_penetrationSlop = kNotANumber; }, "m_penetrationSlop"},
        {[](auto& info) { info.m_penetrationRecovery = btScalar(5); }, "m_penetrationRecovery"},
        {[](auto& info) { info.m_maxContacts = -1; }, "m_maxContacts"},
        {[](auto& info) { info.m_maxContactsPerPair = 0; }, "m_maxContactsPerPair"},
        {[](auto& info) { info.m_sleepingEnergy = std::nan(""); }, "m_sleepingEnergy"}};
    for (std::size_t i = 0; i < wrong.size(); ++i) {
        btPliantSystemInfo info;
        wrong[i].first(info);
        try {
            const TestWorld world(info);
            ADD_FAILURE() << "nothing was refused in case " << i;
        } catch (const Error& problem) {
            EXPECT_THAT(problem.what(), HasSubstr(wrong[i].second));
        }
    }
}

TEST(SystemSettings, OfBodiesThatCannotBeAreRefused) {
    TestWorld scene;
    const auto model = makeBar();
    const auto refuses = [&](const std::function<void(btPliantBodyInfo&)>& change) {
        btPliantBodyInfo info;
        change(info);
        try {
            scene.system->createBody(model, info);
        } catch (const Error&) {
            return scene.system->getNumBodies() == 0;
        }
        return false;
    };
    EXPECT_TRUE(refuses([](auto& info) { info.m_friction = btScalar(-1); }));
    EXPECT_TRUE(refuses([](auto& info) { info.m_restitution = kNotANumber; }));
    EXPECT_TRUE(refuses([](auto& info) { info.m_linearDamping = std::numeric_limits<btScalar>::infinity(); }));
    for (const double scale : {0.0, 0.5, 1.1, -1.0})
        EXPECT_TRUE(refuses([&](auto& info) {
            const auto s = static_cast<btScalar>(scale);
            info.m_meshTransform.setBasis(btMatrix3x3(s, 0, 0, 0, s, 0, 0, 0, s));
        })) << scale;
    btPliantBody* body = scene.system->createBody(model);
    btTransform twice = btTransform::getIdentity();
    twice.setBasis(btMatrix3x3(2, 0, 0, 0, 2, 0, 0, 0, 2));
    body->setMeshTransform(twice);
    EXPECT_NEAR(static_cast<double>(body->getMeshTransform().getBasis().determinant()), 1.0, 1e-5);
    EXPECT_FALSE(scene.system->getStatus().empty());
}

TEST(SystemSettings, ThereIsNoBodyBeyondTheLast) {
    TestWorld scene;
    EXPECT_EQ(scene.system->getBody(0), nullptr);
    btPliantBody* body = scene.system->createBody(makeBar());
    EXPECT_EQ(scene.system->getBody(0), body);
    for (const int number : {-1, 1}) EXPECT_EQ(scene.system->getBody(number), nullptr);
}

/// Whether a bar that falls onto the ground bends.
bool bends(TestWorld& scene) {
    btPliantBody* bar =
        scene.addBar(makeBar(), btVector3(0, btScalar(0.3), 0), {}, btQuaternion(btVector3(0, 0, 1), 0.3f));
    double most = 0.0;
    for (int i = 0; i < 60; ++i) {
        scene.step();
        most = std::max(most, bar->getReducedCoordinates().norm());
    }
    scene.system->destroyBody(bar);
    return most > 1e-5;
}

TEST(SystemSettings, ASystemTakesOverASolverThatIsFree) {
    TestWorld scene;
    scene.addGround();
    scene.system = std::make_unique<btPliantSystem>(&scene.world, TestWorld::oneThread());
    EXPECT_FALSE(scene.system->isConnected()) << "made before the one that it takes the place of has gone";
    scene.step();
    EXPECT_TRUE(scene.system->isConnected());
    EXPECT_TRUE(bends(scene));
}

TEST(SystemSettings, AWorldMayBeGivenAnotherSolver) {
    TestWorld scene;
    scene.addGround();
    btSequentialImpulseConstraintSolver plain;
    scene.world.setConstraintSolver(&plain);
    EXPECT_TRUE(bends(scene)) << "one way";
    EXPECT_FALSE(scene.system->isConnected());
    EXPECT_THAT(scene.system->getStatus(), HasSubstr("another solver"));
    scene.world.setConstraintSolver(&scene.solver);
    scene.step();
    EXPECT_TRUE(scene.system->isConnected());
    EXPECT_TRUE(bends(scene));
}

}  // namespace
}  // namespace pliant::test
