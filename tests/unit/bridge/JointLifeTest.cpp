// SPDX-License-Identifier: Zlib
// Joints in the life of a world: chains, islands, sleep, removal, and what can be read of joints and contacts.
#include <gtest/gtest.h>

#include <cmath>

#include "BarPoints.h"
#include "DenseAlgebra.h"
#include "btPliant/btPliantJoints.h"

namespace pliant::test {
namespace {

// A spring between the tips of two anchored bars: Bullet has no island for it.
TEST(Joint, AnchoredBodiesPullAtEachOther) {
    const auto model = makeBar(anchoredBar());
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btPliantBody* a = scene.addBar(model, btVector3(0, 0, 0), dampedBar(20));
    btPliantBody* b = scene.addBar(model, btVector3(0, 1, 0), dampedBar(20));
    btPliantSpringConstraint spring(*a, *b, frameOnBar(0.5), frameOnBar(0.5));
    for (const int axis : {0, 1, 2, 3, 4, 5}) spring.setLimit(axis, 1, -1);
    spring.enableSpring(1, true);
    const double stiffness = 5;
    spring.setStiffness(1, static_cast<btScalar>(stiffness));
    scene.world.addConstraint(&spring);
    scene.step(600);
    const btVector3 tips = spring.getPivotPosition(1) - spring.getPivotPosition(0);
    const double distance = static_cast<double>(tips.y()), force = stiffness * distance;
    const MatrixX U = interpolateBasis({a->locate(onBar(0.5))}, model->basis);
    const VectorX q = solved(model->energy.linearStiffness, U.transpose() * Vector3(0, force, 0));
    // Each tip yields by c F, and the spring pulls with F = k d: d = 1 m - 2 c k d.
    const double yields = (U * q).y() / force, together = 1 - 1 / (1 + 2 * yields * stiffness);
    EXPECT_NEAR(1 - distance, together, 1e-2 * together) << "they come together";
    EXPECT_LT((a->getReducedCoordinates() - q).norm(), 1e-2 * q.norm());
    EXPECT_LT((b->getReducedCoordinates() + q).norm(), 1e-2 * q.norm());
    scene.world.removeConstraint(&spring);
}

/// Two bars that hang one below the other.
struct Chain {
    Chain() {
        btPliantBodyInfo info;
        info.m_damping.stiffness = 0.01;
        const btQuaternion down(btVector3(0, 0, 1), btScalar(-SIMD_HALF_PI));
        upper = scene.addBar(model, btVector3(0, btScalar(-0.5), 0), info, down);
        lower = scene.addBar(model, btVector3(0, btScalar(-1.5), 0), info, down);
        hook = std::make_unique<btPliantPoint2PointConstraint>(*upper, onBar(-0.5));
        link = std::make_unique<btPliantPoint2PointConstraint>(*upper, *lower, onBar(0.5), onBar(-0.5));
        scene.world.addConstraint(hook.get());
        scene.world.addConstraint(link.get(), true);
    }
    ~Chain() {
        scene.world.removeConstraint(hook.get());
        scene.world.removeConstraint(link.get());
    }
    void stayAwake() {
        for (btPliantBody* bar : {upper, lower}) bar->forceActivationState(DISABLE_DEACTIVATION);
    }
    std::shared_ptr<const ReducedModel> model = makeBar();
    TestWorld scene;
    btPliantBody *upper = nullptr, *lower = nullptr;
    std::unique_ptr<btPliantPoint2PointConstraint> hook, link;
};

TEST(Joint, DrivenBodiesCarryWhatHangsOnThem) {
    TestWorld scene;
    btPliantBodyInfo info = dampedBar(20);
    info.m_kinematic = true;
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, 0, 0), info);
    btRigidBody* ball =
        scene.addRigid(new btSphereShape(btScalar(0.05)), 0.3, btVector3(btScalar(0.5), btScalar(-0.3), 0));
    btPliantPoint2PointConstraint hook(*bar, *ball, onBar(0.5), btVector3(0, btScalar(0.3), 0));
    scene.world.addConstraint(&hook, true);
    const double speed = 0.5, h = 1.0 / 120;
    ball->setLinearVelocity(btVector3(static_cast<btScalar>(speed), 0, 0));
    for (int i = 0; i < 240; ++i) {
        btTransform transform = bar->getMeshTransform();
        transform.getOrigin() += btVector3(static_cast<btScalar>(speed * h), 0, 0);
        bar->setMeshTransform(transform);
        scene.step(1, h);
    }
    EXPECT_NEAR(ball->getLinearVelocity().x(), speed, 0.05);
    // Bullet has its kinematic bodies where they will be at the end of the step: a step ahead, and no further.
    EXPECT_LT(hook.getPivotPosition(0).distance(hook.getPivotPosition(1)), 1.05 * speed * h);
    EXPECT_NEAR(hook.getAppliedImpulse(), 0.3 * standardGravity * h, 0.05 * 0.3 * standardGravity * h);
    scene.world.removeConstraint(&hook);
}

TEST(Joint, FeedbackIsTheForceOnBothBodies) {
    Chain chain;
    chain.stayAwake();
    btJointFeedback feedback[2];
    chain.hook->setJointFeedback(&feedback[0]);
    chain.link->setJointFeedback(&feedback[1]);
    chain.scene.step(600);
    const double weight = chain.model->totalMass() * standardGravity;
    EXPECT_NEAR(feedback[0].m_appliedForceBodyA.y(), 2 * weight, 2e-3 * weight);
    EXPECT_NEAR(feedback[1].m_appliedForceBodyA.y(), -weight, 2e-3 * weight);
    EXPECT_NEAR(feedback[1].m_appliedForceBodyB.y(), weight, 2e-3 * weight);
    EXPECT_NEAR(chain.link->getLinearImpulse().y(), -weight / 120, 2e-3 * weight / 120);
    EXPECT_LT(chain.hook->getPivotPosition(0).length(), 1e-4) << "and nothing creeps";
}

// The load on a joint must not feed what moves across it: a disturbance of a hanging chain neither grows nor is damped
// by the joints, whose rows share their impulses with those that carry the weight.
TEST(Joint, HangingChainsDoNotBeginToSway) {
    for (const double h : {1.0 / 60, 1.0 / 120, 1.0 / 480}) {
        Chain chain;
        chain.stayAwake();
        chain.scene.step(static_cast<int>(2 / h), h);
        chain.lower->applyImpulseAt(onBar(0.5), btVector3(btScalar(1e-2), 0, 0));
        chain.scene.step(static_cast<int>(1 / h), h);
        double swing[2] = {0, 0};
        for (const int half : {0, 1})
            for (int i = 0; i < static_cast<int>(3 / h); ++i) {
                chain.scene.step(1, h);
                swing[half] = std::max(swing[half], static_cast<double>(chain.lower->getAngularVelocity().length()));
            }
        EXPECT_LT(swing[1], 1.05 * swing[0]) << h;
        EXPECT_GT(swing[1], 0.95 * swing[0]) << h;
    }
}

// A rope of ten light bars swings down with a heavy ball at its end: 25 : 1 at 1/60 s, 100 : 1 at 1/240 s.
TEST(Joint, LightRopesCarryHeavyWeights) {
    BarOptions options;
    options.frequencies = {200, 200, 600};
    const auto model = makeBar(options);
    struct Case {
        double share, h;
    };
    for (const Case& test : {Case{25, 1.0 / 60}, Case{100, 1.0 / 240}}) {
        TestWorld scene;
        btPliantBodyInfo info;
        info.m_damping.stiffness = 0.002;
        std::vector<btPliantBody*> bars;
        std::vector<std::unique_ptr<btPliantPoint2PointConstraint>> joints;
        for (int i = 0; i < 10; ++i) {
            bars.push_back(scene.addBar(model, btVector3(static_cast<btScalar>(0.5 + i), 0, 0), info));
            joints.push_back(i == 0
                                 ? std::make_unique<btPliantPoint2PointConstraint>(*bars[0], onBar(-0.5))
                                 : std::make_unique<btPliantPoint2PointConstraint>(
                                       *bars[static_cast<std::size_t>(i - 1)], *bars.back(), onBar(0.5), onBar(-0.5)));
        }
        btRigidBody* ball = scene.addRigid(new btSphereShape(btScalar(0.3)), test.share * model->totalMass(),
                                           btVector3(btScalar(10.3), 0, 0));
        joints.push_back(std::make_unique<btPliantPoint2PointConstraint>(*bars.back(), *ball, onBar(0.5),
                                                                         btVector3(btScalar(-0.3), 0, 0)));
        for (auto& joint : joints) scene.world.addConstraint(joint.get(), true);
        double gap = 0, fastest = 0;
        for (int i = 0; i < static_cast<int>(4 / test.h); ++i) {
            scene.step(1, test.h);
            for (auto& joint : joints)
                gap =
                    std::max(gap, static_cast<double>(joint->getPivotPosition(0).distance(joint->getPivotPosition(1))));
            fastest = std::max(fastest, static_cast<double>(ball->getLinearVelocity().length()));
        }
        EXPECT_LT(gap, 0.15) << test.share;
        EXPECT_LT(fastest, 1.1 * std::sqrt(2 * standardGravity * 10.3)) << test.share << ": no faster than it can fall";
        for (auto& joint : joints) scene.world.removeConstraint(joint.get());
    }
}

TEST(Joint, JoinedBodiesSleepAndWakeTogether) {
    Chain chain;
    int steps = 0;
    while ((chain.upper->isActive() || chain.lower->isActive()) && ++steps < 1200) chain.scene.step();
    ASSERT_LT(steps, 1200);
    EXPECT_FALSE(chain.upper->isActive());
    EXPECT_FALSE(chain.lower->isActive());
    chain.lower->applyImpulseAt(onBar(0.5), btVector3(1, 0, 0));
    chain.scene.step();
    EXPECT_TRUE(chain.upper->isActive()) << "one island";
    chain.scene.step(30);
    EXPECT_GT(chain.upper->getLinearVelocity().length(), 0.02);
    EXPECT_LT((chain.link->getPivotPosition(0) - chain.link->getPivotPosition(1)).length(), 0.02);
}

TEST(Joint, DestroyedBodiesTakeTheirJointsOutOfTheWorld) {
    TestWorld scene;
    const auto model = makeBar();
    btPliantBody* upper = scene.addBar(model, btVector3(0, 0, 0));
    btPliantBody* lower = scene.addBar(model, btVector3(1, 0, 0));
    btPliantPoint2PointConstraint hook(*upper, onBar(-0.5)), link(*upper, *lower, onBar(0.5), onBar(-0.5));
    btPoint2PointConstraint bullets(*lower, btVector3(0, 0, 0));
    scene.world.addConstraint(&hook);
    scene.world.addConstraint(&link, true);
    scene.world.addConstraint(&bullets);
    scene.step(30);
    scene.system->destroyBody(lower);
    EXPECT_EQ(scene.world.getNumConstraints(), 1);
    scene.step(30);
    EXPECT_EQ(upper->getNumConstraintRefs(), 0);
    EXPECT_LT(hook.getPivotPosition(0).distance(hook.getPivotPosition(1)), 0.02);
    scene.world.removeConstraint(&hook);
}

// Bullet's own joint on a reduced body holds its frame, whether or not it also forbids collisions.
TEST(Joint, BulletsOwnJointsHoldTheFrame) {
    const auto model = makeBar();
    double turned[2] = {0, 0};
    for (const bool disableCollisions : {false, true}) {
        TestWorld scene;
        btPliantBody* bar = scene.addBar(model, btVector3(0, 0, 0), dampedBar(20));
        btPoint2PointConstraint pin(*bar, btVector3(btScalar(-0.5), 0, 0));
        scene.world.addConstraint(&pin, disableCollisions);
        scene.step(60);
        const btVector3 held = bar->getCenterOfMassTransform() * btVector3(btScalar(-0.5), 0, 0);
        EXPECT_LT(held.distance(btVector3(btScalar(-0.5), 0, 0)), 0.02);
        turned[disableCollisions] = static_cast<double>(bar->getAngularVelocity().z());
        scene.world.removeConstraint(&pin);
    }
    EXPECT_LT(turned[0], -1.0);
    EXPECT_EQ(turned[0], turned[1]);
}

TEST(Contact, ImpulsesAtRestCarryTheWeight) {
    TestWorld scene;
    scene.addGround();
    const auto model = makeBar();
    btPliantBody* bar = scene.addBar(model, btVector3(0, btScalar(0.05), 0), dampedBar(20));
    bar->forceActivationState(DISABLE_DEACTIVATION);
    scene.step(480);
    btVector3 sum(0, 0, 0);
    for (int m = 0; m < scene.dispatcher.getNumManifolds(); ++m) {
        const btPersistentManifold* manifold = scene.dispatcher.getManifoldByIndexInternal(m);
        const btScalar sign = manifold->getBody0() == bar ? btScalar(1) : btScalar(-1);
        for (int c = 0; c < manifold->getNumContacts(); ++c) {
            const btManifoldPoint& point = manifold->getContactPoint(c);
            sum += (point.m_normalWorldOnB * point.m_appliedImpulse +
                    point.m_lateralFrictionDir1 * point.m_appliedImpulseLateral1 +
                    point.m_lateralFrictionDir2 * point.m_appliedImpulseLateral2) *
                   sign;
        }
    }
    const double weight = model->totalMass() * standardGravity / 120;
    EXPECT_LT((sum - btVector3(0, static_cast<btScalar>(weight), 0)).length(), 5e-3 * weight);
}

int added = 0, started = 0, ended = 0;

TEST(Contact, CallbacksTellOfReducedBodies) {
    added = started = ended = 0;
    gContactAddedCallback = [](btManifoldPoint&, const btCollisionObjectWrapper*, int, int,
                               const btCollisionObjectWrapper*, int, int) { return ++added > 0; };
    gContactStartedCallback = [](btPersistentManifold* const&) { ++started; };
    gContactEndedCallback = [](btPersistentManifold* const&) { ++ended; };
    {
        TestWorld scene;
        scene.addGround();
        btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, btScalar(0.3), 0), dampedBar(20));
        bar->setCollisionFlags(bar->getCollisionFlags() | btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK);
        scene.step(5);
        EXPECT_EQ(added + started + ended, 0) << "still in the air";
        scene.step(120);
        EXPECT_GT(added, 0);
        EXPECT_GT(started, 0);
        const int before = ended;
        bar->setLinearVelocity(btVector3(0, 5, 0));
        bar->activate(true);
        scene.step(30);
        EXPECT_GT(ended, before);
        EXPECT_GE(started, ended);
    }
    gContactAddedCallback = nullptr;
    gContactStartedCallback = nullptr;
    gContactEndedCallback = nullptr;
}

}  // namespace
}  // namespace pliant::test
