// SPDX-License-Identifier: Zlib
// Contact by a penalty [HSO03], asked for with Bullet's setContactStiffnessAndDamping().
#include <gtest/gtest.h>

#include <cmath>

#include "BarPoints.h"
#include "CubeModel.h"

namespace pliant::test {
namespace {

constexpr double kBarRadius = 0.05;  // m, of the bar

/// Contacts that carry something, of all pairs.
int loadedContacts(TestWorld& scene) {
    int count = 0;
    for (int m = 0; m < scene.dispatcher.getNumManifolds(); ++m) {
        const btPersistentManifold& manifold = *scene.dispatcher.getManifoldByIndexInternal(m);
        for (int i = 0; i < manifold.getNumContacts(); ++i)
            count += manifold.getContactPoint(i).getAppliedImpulse() > 0 ? 1 : 0;
    }
    return count;
}

/// Without the springs of the contacts, from the ground on.
double energyAboveGround(const btPliantBody& bar) {
    return bar.getKineticEnergy() + bar.getStrainEnergy() +
           bar.getModel().totalMass() * standardGravity * static_cast<double>(bar.getCenterOfMassPosition().y());
}

TEST(PenaltyContact, SinksInByWeightOverStiffness) {
    const auto model = makeBar(stiffBar());
    const double weight = model->totalMass() * standardGravity;
    for (const double stiffness : {2e3, 1e5}) {
        TestWorld scene;
        scene.addGround();
        btPliantBody* bar = scene.addBar(model, btVector3(0, btScalar(kBarRadius), 0));
        bar->setContactStiffnessAndDamping(static_cast<btScalar>(stiffness), btScalar(20));
        bar->forceActivationState(DISABLE_DEACTIVATION);
        scene.step(1200, 1.0 / 240.0);
        const int contacts = loadedContacts(scene);
        ASSERT_GT(contacts, 1);
        const double depth = kBarRadius - static_cast<double>(bar->getCenterOfMassPosition().y());
        EXPECT_NEAR(depth, weight / (contacts * stiffness), 0.02 * weight / (contacts * stiffness) + 2e-7) << stiffness;
        EXPECT_LT(bar->getLinearVelocity().length(), 1e-4);
    }
}

// A mass on a spring for half a period. The step at its end brakes like a damper of the ratio omega h / 2, which leaves
// exp(-pi omega h / 2) of the speed.
TEST(PenaltyContact, ReboundsAsASpring) {
    const auto model = makeBar(stiffBar());
    const double h = 1.0 / 2000.0, stiffness = 1e3;
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    scene.addGround();
    btPliantBodyInfo info;
    info.m_linearVelocity = btVector3(0, btScalar(-0.5), 0);
    btPliantBody* bar = scene.addBar(model, btVector3(0, btScalar(kBarRadius + 0.002), 0), info);
    bar->setContactStiffnessAndDamping(static_cast<btScalar>(stiffness), 0);
    int contacts = 0;
    for (int i = 0; i < 400 && bar->getLinearVelocity().y() <= 0; ++i) {
        scene.step(1, h);
        contacts = std::max(contacts, loadedContacts(scene));
    }
    scene.step(400, h);
    const double omega = std::sqrt(contacts * stiffness / model->totalMass());
    EXPECT_NEAR(bar->getLinearVelocity().y(), 0.5 * std::exp(-SIMD_PI * omega * h / 2), 0.01 * 0.5);
}

// Its springs are others, by area (SolidSpringsTest.cpp). What they give back is no energy that contacts bring in
// (SolidWork.h), and it leaves.
TEST(PenaltyContact, ASolidIsThrownBack) {
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btRigidBody* ground = scene.addGround();  // kinematic, so that what it does to the solid has an account
    ground->setCollisionFlags(ground->getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
    btPliantBodyInfo info;
    info.m_linearVelocity = btVector3(0, btScalar(-0.5), 0);
    btPliantBody* body = scene.addBar(cube(), btVector3(0, btScalar(0.5 * kCubeSize + 0.002), 0), info);
    body->setContactStiffnessAndDamping(btScalar(1e3), 0);
    scene.step(800, 1.0 / 2000.0);
    EXPECT_NEAR(body->getLinearVelocity().y(), 0.5, 0.01);
}

// However stiff the penalty is against the step: h^2 k / m from 1e-4 to 1e6.
TEST(PenaltyContact, ASoftBarNeverGainsEnergy) {
    const auto model = makeBar();
    const double h = 1.0 / 240.0;
    for (const double share : {1e-3, 1e-1, 1e1, 1e3, 1e6}) {
        TestWorld scene;
        scene.addGround();
        btPliantBody* bar = scene.addBar(model, btVector3(0, btScalar(0.3), 0), btPliantBodyInfo(),
                                         btQuaternion(btVector3(0, 0, 1), btScalar(0.3)));
        bar->setContactStiffnessAndDamping(static_cast<btScalar>(share * model->totalMass() / (h * h)), 0);
        const double start = energyAboveGround(*bar);
        for (int i = 0; i < 480; ++i) {
            scene.step(1, h);
            ASSERT_LT(energyAboveGround(*bar), 1.002 * start) << "h^2 k / m = " << share << ", step " << i;
        }
        EXPECT_TRUE(std::isfinite(bar->getCenterOfMassPosition().y()));
    }
}

}  // namespace
}  // namespace pliant::test
