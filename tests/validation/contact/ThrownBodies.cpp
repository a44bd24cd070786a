// SPDX-License-Identifier: Zlib
// Fifty bodies thrown at each other without gravity, strands and solids and a rigid one: contacts of every kind,
// default settings (penetration is taken back by split impulses), and nothing from outside. Momenta stay what they
// were.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "SolidBodies.h"
#include "unit/bridge/TestWorld.h"

namespace pliant::test {
namespace {

constexpr int kBodies = 50;
constexpr double kStep = 1.0 / 120.0;  // s

class ThrownBodies : public testing::TestWithParam<unsigned> {
protected:
    /// Uniform in (-1, 1), the same everywhere.
    btScalar draw() { return static_cast<btScalar>(static_cast<double>(m_random()) / 2147483648.0 - 1.0); }
    btVector3 drawVector() {
        const btScalar x = draw(), y = draw(), z = draw();
        return {x, y, z};
    }

    /// Throws a body from a place of a grid to the middle.
    void throwBody(int number, const std::shared_ptr<const ReducedModel>& model) {
        const btVector3 place(static_cast<btScalar>(number % 4 - 1.5), static_cast<btScalar>(number / 4 % 4 - 1.5),
                              static_cast<btScalar>(number / 16 - 1.5));
        btPliantBodyInfo info;
        info.m_linearVelocity = -place * btScalar(2) + drawVector() * btScalar(0.5);
        info.m_angularVelocity = drawVector() * btScalar(4);
        info.m_friction = btScalar(0.5);
        const btVector3 axis = drawVector() + btVector3(0, 0, btScalar(1.5));
        const btQuaternion turn(axis.normalized(), draw() * btScalar(3));
        scene.addBar(model, place * btScalar(0.7), info, turn)->setActivationState(DISABLE_DEACTIVATION);
    }

    btVector3 linear() const {
        btVector3 sum = rigid->getLinearVelocity() / rigid->getInvMass();
        for (int i = 0; i < scene.system->getNumBodies(); ++i) sum += linearMomentum(*scene.system->getBody(i));
        return sum;
    }
    btVector3 angular() const {
        const btVector3 spin = rigid->getAngularVelocity() / rigid->getInvInertiaDiagLocal().x();
        return totalAngularMomentum(scene) + spin +
               rigid->getCenterOfMassPosition().cross(rigid->getLinearVelocity() / rigid->getInvMass());
    }

    double energy() const {
        double sum = static_cast<double>(rigid->getLinearVelocity().length2() / rigid->getInvMass() +
                                         rigid->getAngularVelocity().length2() / rigid->getInvInertiaDiagLocal().x()) /
                     2;
        for (int i = 0; i < scene.system->getNumBodies(); ++i) {
            const btPliantBody& body = *scene.system->getBody(i);
            sum += static_cast<double>(body.getKineticEnergy() + body.getStrainEnergy());
        }
        return sum;
    }

    std::mt19937 m_random{GetParam()};
    TestWorld scene;
    btRigidBody* rigid = nullptr;
};

TEST_P(ThrownBodies, KeepTheirMomenta) {
    BarOptions shortBar;
    shortBar.length = 0.5;
    shortBar.halfThickness = 0.03;
    const auto bar = makeBar(shortBar), box = solidBox({0.2, 0.15, 0.1}), sphere = solidSphere(0.1);
    scene.world.setGravity(btVector3(0, 0, 0));
    for (int i = 0; i < kBodies - 1; ++i) throwBody(i, i % 2 == 0 ? bar : i % 4 == 1 ? box : sphere);
    rigid = scene.addRigid(new btSphereShape(btScalar(0.15)), 2.0, btVector3(0, 0, 0));
    rigid->setAngularVelocity(btVector3(1, 2, 3));
    rigid->setActivationState(DISABLE_DEACTIVATION);
    const btVector3 P = linear(), L = angular();
    double speed = 0, spin = 0;  // sums of all bodies' own, which these would be measured by
    for (int i = 0; i < scene.system->getNumBodies(); ++i) {
        const btPliantBody& body = *scene.system->getBody(i);
        speed += static_cast<double>(linearMomentum(body).length());
        spin += static_cast<double>(
            (body.getAngularMomentum() + body.getCenterOfMassPosition().cross(linearMomentum(body))).length());
    }
    const double start = energy();
    int contacts = 0;
    double gain = 0, last = start, lostLinear = 0, lostAngular = 0;
    for (int i = 0; i < 240; ++i) {
        scene.step(1, kStep);
        contacts += scene.system->getStats().m_contacts;
        const double now = energy();
        gain = std::max(gain, (now - last) / start);
        last = now;
        lostLinear = std::max(lostLinear, static_cast<double>((linear() - P).length()) / speed);
        lostAngular = std::max(lostAngular, static_cast<double>((angular() - L).length()) / spin);
    }
    RecordProperty("contacts", contacts);
    std::printf("%d contacts: linear momentum %.1e, angular %.1e of the sum; gain of a step %.1e, left %.3f\n",
                contacts, lostLinear, lostAngular, gain, last / start);
    EXPECT_GT(contacts, 500);
    EXPECT_LT(lostLinear, doublePrecision ? 1e-13 : 1e-5);
    EXPECT_LT(lostAngular, doublePrecision ? 1e-9 : 1e-4);
    EXPECT_LT(gain, 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Seeds, ThrownBodies, testing::Values(1U, 2U));

}  // namespace
}  // namespace pliant::test
