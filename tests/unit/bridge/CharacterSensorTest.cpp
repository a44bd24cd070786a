// SPDX-License-Identifier: Zlib
// Contact sensors of characters under Bullet's own solver.
#include <gtest/gtest.h>

#include "CharacterWorld.h"
#include "OneWayWorld.h"
#include "btPliant/btPliantContactSensor.h"

namespace pliant::test {
namespace {

constexpr double kStep = 1.0 / 120.0;

// Readings come when Bullet has moved the frames. A clip or a pose moves a character's, at any velocity of the body.
TEST(CharacterSensor, TorquesAreAboutWhereItsRootWas) {
    OneWayWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btPliantCharacter* bar = scene.system->createCharacter(barCharacter(), standing());
    scene.world.addRigidBody(bar, btBroadphaseProxy::DefaultFilter, btBroadphaseProxy::AllFilter);
    btRigidBody* ball = scene.addRigid(new btSphereShape(btScalar(0.05)), 0.2,
                                       btVector3(btScalar(0.3), btScalar(0.16), btScalar(0.02)));
    ball->setActivationState(DISABLE_DEACTIVATION);
    btPliantContactSensorInfo watched;
    watched.m_of = {bar};
    const btPliantContactSensor* sensor = scene.system->createContactSensor(watched);
    const btVector3 velocity(0, 2, 0);
    double most = 0.0;
    for (int i = 1; i <= 12; ++i) {
        const btVector3 before = bar->getWorldTransform().getOrigin();
        bar->setMeshTransform(btTransform(btQuaternion::getIdentity(), velocity * btScalar(i * kStep)));
        scene.step();
        ASSERT_GT((bar->getWorldTransform().getOrigin() - before).length(), btScalar(0.01));
        btVector3 expected(0, 0, 0);
        for (const btPliantContactReading& reading : sensor->getContacts())
            expected += (reading.m_position - before)
                            .cross(reading.m_normal * reading.m_normalImpulse + reading.m_frictionImpulse);
        const btVector3 told = sensor->getTorque() * btScalar(kStep);
        EXPECT_LT((told - expected).length(), btScalar(1e-5) * (btScalar(1e-3) + expected.length())) << i;
        most = std::max(most, static_cast<double>(sensor->getImpulse().length()));
    }
    EXPECT_GT(most, 0.01) << "the ball is hit";
}

}  // namespace
}  // namespace pliant::test
