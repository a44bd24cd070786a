// SPDX-License-Identifier: Zlib
// Spinning elastic bodies in a Bullet world, alone and in collision. Momenta are summed over the points of mass as they
// are seen from outside, not taken from what the bodies carry.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "unit/bridge/TestWorld.h"

namespace {

using Eigen::Vector3d;
using pliant::test::BarOptions;
using pliant::test::doublePrecision;
using pliant::test::makeBar;
using pliant::test::TestWorld;

constexpr double step = 1.0 / 240.0;
constexpr int steps = 2000;

Vector3d vector(const btVector3& v) {
    return {static_cast<double>(v.x()), static_cast<double>(v.y()), static_cast<double>(v.z())};
}

/// Linear and angular momentum (about the world's origin) of the lumped masses of a bar.
struct Momenta {
    Vector3d linear = Vector3d::Zero(), angular = Vector3d::Zero();
    void add(const btPliantBody& body) {
        const pliant::ReducedModel& model = body.getModel();
        const int n = model.mesh.vertexCount();
        const double corner = model.totalMass() / (2.0 * n - 8.0);  // of one brick; inner vertices have two bricks
        for (int v = 0; v < n; ++v) {
            pliant::MaterialPoint point;
            point.vertex[0] = v;
            point.weight[0] = 1.0;
            const double mass = v < 4 || v >= n - 4 ? corner : 2.0 * corner;
            const Vector3d p = mass * vector(body.getPointVelocity(point));
            linear += p;
            angular += vector(body.getPointPosition(point)).cross(p);
        }
    }
};

btPliantSystemInfo withoutRecovery() {
    btPliantSystemInfo info = TestWorld::oneThread();
    info.m_settings.doublePrecision = doublePrecision;
    info.m_penetrationRecovery = 0;  // moves masses without velocity
    return info;
}

btPliantBodyInfo spinning(const Vector3d& axis) {
    btPliantBodyInfo info;
    info.m_newmark.iterations = 3;
    const Vector3d W = 6.0 * axis.normalized();
    info.m_angularVelocity =
        btVector3(static_cast<btScalar>(W.x()), static_cast<btScalar>(W.y()), static_cast<btScalar>(W.z()));
    return info;
}

double energy(const TestWorld& scene) {
    double sum = 0.0;
    for (int i = 0; i < scene.system->getNumBodies(); ++i)
        sum += scene.system->getBody(i)->getKineticEnergy() + scene.system->getBody(i)->getStrainEnergy();
    return sum;
}

Momenta momenta(const TestWorld& scene) {
    Momenta sum;
    for (int i = 0; i < scene.system->getNumBodies(); ++i) sum.add(*scene.system->getBody(i));
    return sum;
}

TEST(SpinningBodies, AloneKeepsMomentumAndEnergy) {
    TestWorld scene(withoutRecovery());
    scene.world.setGravity(btVector3(0, 0, 0));
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, 0, 0), spinning(Vector3d(0.6, 0.48, 0.64)));
    const Momenta before = momenta(scene);
    const double start = energy(scene);
    double worstEnergy = 0.0, worstMomentum = 0.0, bent = 0.0;
    for (int i = 0; i < steps; ++i) {
        scene.step(1, step);
        worstEnergy = std::max(worstEnergy, std::abs(energy(scene) - start) / start);
        worstMomentum =
            std::max(worstMomentum, (momenta(scene).angular - before.angular).norm() / before.angular.norm());
        bent = std::max(bent, bar->getReducedCoordinates().norm());
    }
    std::printf("energy within %.2e, angular momentum within %.2e\n", worstEnergy, worstMomentum);
    EXPECT_LT(worstMomentum, doublePrecision ? 1e-9 : 1e-4);
    EXPECT_LT(worstEnergy, 1e-3);
    EXPECT_GT(bent, 1e-4) << "the spin must bend it";
}

TEST(SpinningBodies, CollidingTheyKeepMomentumAndGainNothing) {
    TestWorld scene(withoutRecovery());
    scene.world.setGravity(btVector3(0, 0, 0));
    const auto model = makeBar();
    btPliantBodyInfo info = spinning(Vector3d(0.3, 1.0, -0.4));
    info.m_linearVelocity = btVector3(0, -1, btScalar(0.2));
    scene.addBar(model, btVector3(btScalar(0.2), btScalar(0.6), 0), info,
                 btQuaternion(btVector3(0, 1, 0), btScalar(1.2)));
    info = spinning(Vector3d(0.1, 0.2, 1.0));
    info.m_linearVelocity = btVector3(0, btScalar(0.5), 0);
    scene.addBar(model, btVector3(0, 0, 0), info);
    const Momenta before = momenta(scene);
    const double start = energy(scene), size = before.angular.norm() + before.linear.norm();
    double last = start, worstGain = 0.0, worstMomentum = 0.0;
    int contacts = 0;
    for (int i = 0; i < steps; ++i) {
        scene.step(1, step);
        contacts += scene.system->getStats().m_contacts;
        const double now = energy(scene);
        worstGain = std::max(worstGain, (now - last) / start);
        last = std::min(last, now);
        const Momenta present = momenta(scene);
        worstMomentum = std::max({worstMomentum, (present.angular - before.angular).norm() / size,
                                  (present.linear - before.linear).norm() / size});
    }
    std::printf("%d contacts; momentum within %.2e, largest gain of energy %.2e, %.3f of it left\n", contacts,
                worstMomentum, worstGain, last / start);
    EXPECT_GT(contacts, 0);
    EXPECT_LT(worstMomentum, doublePrecision ? 1e-9 : 1e-4);
    EXPECT_LT(worstGain, 1e-3);
    EXPECT_GT(last, 0.3 * start);
}

}  // namespace
