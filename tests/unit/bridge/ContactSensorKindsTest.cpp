// SPDX-License-Identifier: Zlib
// Contact sensors of the less common kinds of contact: a body with itself, springs, ragdolls, triangle meshes, worlds
// with Bullet's own solver, and links of multibodies.
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "OneWayWorld.h"
#include "RagdollWorld.h"
#include "WatchedWorld.h"
#include "btPliant/body/Ragdolls.h"

namespace pliant::test {
namespace {

// Tongs that are pressed together at their tips: what these do to each other is the force on each less what bends the
// tongs, F - k (closing)^2, k the stiffness of the one shape that closes them. It is no force on the body as a whole.
TEST(ContactSensorKinds, TongsFeelTheirTipsPress) {
    constexpr double kApart = 0.2, kTipRadius = kApart / 8, kClosing = kApart - 2 * kTipRadius;  // m
    constexpr double kSqueeze = 60.0;                                                            // N
    BarOptions options;
    options.tongs = kApart;
    options.halfThickness = kApart / 2;
    options.frequencies = {8, 60, 200};
    options.anchored = true;
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btPliantBodyInfo info;
    info.m_selfContact = true;
    info.m_damping.mass = 20;
    const auto model = makeBar(options);
    btPliantBody* body = scene.addBar(model, btVector3(0, 0, 0), info);
    const Vector3 tip = options.meshOffset + Vector3(options.length / 2, kApart / 2, 0);
    const auto upper = body->locate(btVector3(btScalar(tip.x()), btScalar(tip.y()), btScalar(tip.z())));
    const auto lower = body->locate(btVector3(btScalar(tip.x()), btScalar(tip.y() - kApart), btScalar(tip.z())));
    const btPliantContactSensor* all = watch(scene, {body});
    btPliantContactSensorInfo wanted = all->getInfo();
    wanted.m_lower = btVector3(-9, btScalar(tip.y() - kApart / 2), -9);
    wanted.m_upper = btVector3(9, 9, 9);
    const btPliantContactSensor* ofUpper = scene.system->createContactSensor(wanted);
    wanted.m_lower = btVector3(-9, -9, -9);
    wanted.m_upper = btVector3(9, btScalar(tip.y() - kApart / 2), 9);
    const btPliantContactSensor* ofLower = scene.system->createContactSensor(wanted);
    for (int i = 0; i < 1200; ++i) {
        body->applyForceAt(upper, btVector3(0, btScalar(-kSqueeze), 0));
        body->applyForceAt(lower, btVector3(0, btScalar(kSqueeze), 0));
        scene.step(1, 1.0 / 240);
    }
    // What a unit of q_0 opens the tips by, m; other shapes move both alike.
    const int spheres = model->skeleton.sphereCount();
    const double opens = static_cast<double>(model->skeleton.basis(3 * (spheres - 1) + 1, 0) -
                                             model->skeleton.basis(3 * (spheres / 2 - 1) + 1, 0));
    const double stiffness = model->energy.linearStiffness(0, 0) / (opens * opens);
    const double apart = static_cast<double>((body->getPointPosition(upper) - body->getPointPosition(lower)).length());
    EXPECT_NEAR(kApart - apart, kClosing, 0.01 * kTipRadius) << "the tips touch";
    const double expected = kSqueeze - stiffness * (kApart - apart);
    ASSERT_GT(expected, 0.3 * kSqueeze);
    // With the closing as it is, what is left is rounding: both places are numbers of the order of a metre, which makes
    // 2^-22 k in the force, and the filter sums some hundred readings of 2^-24 each.
    const double rounded = 1e-5 * expected;
    EXPECT_NEAR(all->getFilteredNormalForce(), expected, rounded);
    EXPECT_GT(all->getCount(), 0);
    EXPECT_EQ(all->getForce(), btVector3(0, 0, 0));
    for (const btPliantContactReading& reading : all->getContacts()) EXPECT_TRUE(reading.m_isInternal);
    EXPECT_NEAR(ofUpper->getFilteredForce().y(), expected, rounded);
    EXPECT_EQ(ofUpper->getForce(), -ofLower->getForce());
}

// Springs carry weights as other contacts do, and an impact on them is the change of momentum.
TEST(ContactSensorKinds, SpringsCarryWeightAndMomentum) {
    for (const bool solid : {false, true}) {
        const auto model = solid ? cube() : makeBar();
        TestWorld rest;
        rest.addGround();
        btPliantBody* body = rest.addBar(model, btVector3(0, btScalar(solid ? 0.1 : 0.05), 0), damped());
        body->setContactStiffnessAndDamping(btScalar(2e4), btScalar(200));
        body->setActivationState(DISABLE_DEACTIVATION);
        const btPliantContactSensor* sensor = watch(rest, {body});
        rest.step(480);
        // Four seconds are forty times the filter's constant: it has forgotten the fall by e^-40, and its last hundred
        // readings are each rounded to 2^-24, which would make 6e-6 were they all of one sign.
        const double rounded = 1e-5 * weight(*body);
        EXPECT_NEAR(sensor->getFilteredForce().y(), weight(*body), rounded) << solid;
        EXPECT_LT(sensor->getFilteredTorque().length(), rounded) << solid;

        TestWorld impact;
        impact.world.setGravity(btVector3(0, 0, 0));
        impact.addGround();
        btPliantBody* thrownAt = impact.addBar(model, btVector3(0, btScalar(0.2), 0), thrown(btVector3(0, -1, 0)));
        thrownAt->setContactStiffnessAndDamping(btScalar(2e4), 0);
        const btPliantContactSensor* felt = watch(impact, {thrownAt});
        const btVector3 before = linearMomentum(*thrownAt);
        impact.step(120, 1.0 / 480);
        const btVector3 change = linearMomentum(*thrownAt) - before;
        // Springs without damping throw it back: the cube, which is stiff beside them, with the speed that it came
        // with; the bar keeps some in its shapes, and goes up all the same.
        EXPECT_GT(change.y(), (solid ? 1.99 : 1.0) * before.length()) << solid;
        // A hundred and twenty roundings of a velocity to 2^-25 would make 3.6e-6 were they all of one sign.
        EXPECT_LT((felt->getAccumulatedImpulse() - change).length(), (doublePrecision ? 1e-11 : 3e-6) * change.length())
            << solid;
    }
}

// Limbs that fall on a plane: in each step the changes of momentum and of its moment about the world's origin are those
// of gravity and of what the sensor reads.
TEST(ContactSensorKinds, ARagdollFeelsWhatItsLimbsFallOn) {
    RagdollWorld w;
    w.addGround();
    btPliantCharacter* bar = w.addNodding(btVector3(0, btScalar(0.35), 0), 0.4, 0.003);
    ASSERT_EQ(bar->startRagdoll(), "");
    bar->setActivationState(DISABLE_DEACTIVATION);
    const btPliantContactSensor* sensor = watch(w, {bar}, {}, 0.5);
    btPliantInternal::BodyData& data = btPliantInternal::dataOf(*bar);
    const double h = 1.0 / 240.0, mass = 40.0;  // kg, of the bar
    double largest = 0.0;
    for (int i = 0; i < 720; ++i) {
        Vector3 before, turning, linear, angular;
        btPliantInternal::momentaOf(data, Vector3::Zero(), before, turning);
        const Vector3 centre = btPliantInternal::centreOfRagdoll(data);
        w.step(1, h);
        btPliantInternal::momentaOf(data, Vector3::Zero(), linear, angular);
        const Vector3 felt = btPliantInternal::toEigen(sensor->getImpulse());
        const Vector3 fall = mass * h * Vector3(0, -kGravity, 0);
        Vector3 turn = centre.cross(fall);
        for (const btPliantContactReading& reading : sensor->getContacts())
            turn += btPliantInternal::toEigen(reading.m_position.cross(reading.getImpulse()));
        largest = std::max(largest, felt.norm());
        // Velocities of up to 2.7 m/s rounded to 2^-24 before and after the step, and the impulses of a dozen contacts:
        // 16 * 2.7 * 2^-24 in single precision.
        const double rounding = (doublePrecision ? 1e-9 : 2.6e-6) * mass;
        EXPECT_LT((linear - before - fall - felt).norm(), rounding) << i;
        EXPECT_LT((angular - turning - turn).norm(), rounding) << i;
        if (HasFailure()) break;
    }
    EXPECT_GT(largest, 0.1 * mass) << "it fell";
    // The bar falls for 0.3 s without a force. The filter of 0.5 s knows that after three seconds as a share of
    // e^-(3 - 0.3) / 0.5 = 0.0045 of the weight at most.
    EXPECT_NEAR(static_cast<double>(sensor->getFilteredForce().y()), mass * kGravity, 0.0045 * mass * kGravity);
}

// With Bullet's own solver the readings are those of its rows: they are what a falling, sliding, turning body gets.
TEST(ContactSensorKinds, BulletsOwnSolverIsReadAlike) {
    for (const bool solid : {false, true}) {
        const auto model = solid ? cube() : makeBar();
        OneWayWorld scene;
        scene.addGround();
        btPliantBodyInfo info = damped();
        info.m_damping.mass = 0;
        info.m_linearVelocity = btVector3(1, -1, btScalar(0.5));
        info.m_angularVelocity = btVector3(1, 2, 3);
        btPliantBody* body =
            scene.addBar(model, btVector3(0, btScalar(0.5), 0), info, btQuaternion(btVector3(0, 0, 1), btScalar(0.4)));
        body->setActivationState(DISABLE_DEACTIVATION);
        const btPliantContactSensor* sensor = watch(scene, {body});
        const double mass = model->totalMass();
        int touching = 0;
        double fastest = 0.0;  // up or down in the last second, m/s
        for (int i = 0; i < 480; ++i) {
            const btVector3 before = linearMomentum(*body), turning = body->getAngularMomentum();
            scene.step();
            const btVector3 gained =
                linearMomentum(*body) - before - btVector3(0, static_cast<btScalar>(-mass * kGravity * kStep), 0);
            touching += sensor->getCount() > 0 ? 1 : 0;
            if (i >= 360) fastest = std::max(fastest, std::fabs(static_cast<double>(body->getLinearVelocity().y())));
            // Ten iterations round velocities to 2^-24 each, gravity and the reading once more.
            const double rounding = (doublePrecision ? 1e-11 : 1e-6) * (1.0 + static_cast<double>(before.length()));
            EXPECT_LT(static_cast<double>((gained - sensor->getImpulse()).length()), rounding) << solid << ", " << i;
            const btVector3 turned = body->getAngularMomentum() - turning;
            EXPECT_LT(static_cast<double>((turned - sensor->getTorque() * btScalar(kStep)).length()), rounding)
                << solid << ", " << i;
            if (HasFailure()) break;
        }
        EXPECT_GT(touching, 50);
        // The force is the weight and the change of momentum, whose mean by the filter of 0.1 s is within twice the
        // largest momentum over 0.1 s. What was a second ago counts by e^-10.
        EXPECT_LT(fastest, 1e-3) << solid << ": it rests";
        const double mostOff = 2.0 * fastest / (0.1 * kGravity) + std::exp(-10.0);
        EXPECT_NEAR(static_cast<double>(sensor->getFilteredForce().y()), weight(*body), mostOff * weight(*body))
            << solid;
    }
}

/// A valley of triangles along z, whose walls fall towards it by a third; cut into strips.
btTriangleMesh* valley() {
    auto* mesh = new btTriangleMesh;
    for (int strip = -4; strip < 4; ++strip) {
        const btScalar from = btScalar(0.25) * btScalar(strip), to = from + btScalar(0.25);
        for (const btScalar side : {btScalar(-1), btScalar(1)}) {
            const btVector3 low[2] = {{0, 0, from}, {0, 0, to}};
            const btVector3 high[2] = {{side, btScalar(1.0 / 3), from}, {side, btScalar(1.0 / 3), to}};
            mesh->addTriangle(low[0], low[1], high[0]);
            mesh->addTriangle(high[0], low[1], high[1]);
        }
    }
    return mesh;
}

// What lies on many triangles at once is carried by all of them together: on a plain of triangles and in a valley,
// whose walls push inwards as well, from both sides.
TEST(ContactSensorKinds, ATriangleMeshCarriesTheWeight) {
    for (const bool isValley : {false, true})
        for (const bool solid : {false, true}) {
            TestWorld scene;
            std::unique_ptr<btTriangleMesh> mesh(isValley ? valley() : new btTriangleMesh);
            for (int i = 0; !isValley && i < 64; ++i) {
                const btScalar x = btScalar(0.25) * btScalar(i % 8 - 4), z = btScalar(0.25) * btScalar(i / 8 - 4);
                const btVector3 a(x, 0, z), b(x + btScalar(0.25), 0, z), c(x, 0, z + btScalar(0.25));
                mesh->addTriangle(a, c, b);
                mesh->addTriangle(b, c, b + c - a);
            }
            const btRigidBody* floor =
                scene.addRigid(new btBvhTriangleMeshShape(mesh.get(), true), 0, btVector3(0, 0, 0));
            btPliantBodyInfo info = damped();
            info.m_friction = btScalar(0.5);
            const double above = isValley ? (solid ? 0.15 : 0.06) : (solid ? 0.1 : 0.05);
            // A strand lies across the valley's strips, along it.
            const btQuaternion turn(btVector3(0, 1, 0), isValley && !solid ? SIMD_HALF_PI : btScalar(0.3));
            btPliantBody* body = scene.addBar(solid ? cube() : makeBar(), btVector3(0, btScalar(above), 0), info,
                                              isValley && solid ? btQuaternion::getIdentity() : turn);
            body->setActivationState(DISABLE_DEACTIVATION);
            const btPliantContactSensor *all = watch(scene, {body}), *onFloor = watch(scene, {floor}, {body});
            scene.step(720);
            const double expected = weight(*body);
            EXPECT_NEAR(static_cast<double>(all->getFilteredForce().y()), expected, 2e-3 * expected)
                << isValley << ", " << solid;
            EXPECT_LT(std::fabs(static_cast<double>(all->getFilteredForce().x())), 2e-3 * expected);
            EXPECT_EQ((all->getForce() + onFloor->getForce()).length(), 0) << "opposite to the last bit";
            EXPECT_LT(static_cast<double>(all->getFilteredTorque().length()), 2e-3 * expected);
            btVector3 sum(0, 0, 0);
            double inwards[2] = {0, 0};
            for (const btPliantContactReading& reading : all->getContacts()) {
                EXPECT_EQ(reading.m_other, floor);
                sum += reading.getImpulse();
                inwards[reading.m_normal.x() > 0 ? 1 : 0] +=
                    static_cast<double>(reading.m_normal.x() * reading.m_normalImpulse);
            }
            EXPECT_LT(static_cast<double>((sum - all->getImpulse()).length()), 1e-5 * expected * kStep);
            EXPECT_GT(all->getCount(), isValley && !solid ? 1 : 2);
            if (isValley) {
                EXPECT_GT(inwards[1], 0.02 * expected * kStep) << "of the left wall";
                EXPECT_LT(inwards[0], -0.02 * expected * kStep) << "of the right one";
            }
        }
}

/// A table that is a multibody: a base that stands, and its link, a box whose top is at y = 0, which slides up and down
/// on a spring.
class SprungTable {
public:
    static constexpr double kMass = 2.0, kSpring = 2000.0;  // kg, N/m

    explicit SprungTable(btMultiBodyDynamicsWorld& world)
        : m_world(world),
          m_shape(btVector3(btScalar(0.5), btScalar(0.05), btScalar(0.5))),
          m_body(1, 0, btVector3(0, 0, 0), true, false) {
        btVector3 inertia;
        m_shape.calculateLocalInertia(btScalar(kMass), inertia);
        m_body.setupPrismatic(0, btScalar(kMass), inertia, -1, btQuaternion::getIdentity(), btVector3(0, 1, 0),
                              btVector3(0, 0, 0), btVector3(0, btScalar(-0.05), 0), true);
        m_body.finalizeMultiDof();
        m_body.setLinearDamping(0);
        m_body.setAngularDamping(0);
        m_link = std::make_unique<btMultiBodyLinkCollider>(&m_body, 0);
        m_link->setCollisionShape(&m_shape);
        m_link->setWorldTransform(btTransform(btQuaternion::getIdentity(), btVector3(0, btScalar(-0.05), 0)));
        m_body.getLink(0).m_collider = m_link.get();
        world.addCollisionObject(m_link.get());
        world.addMultiBody(&m_body);
    }
    ~SprungTable() {
        m_world.removeMultiBody(&m_body);
        m_world.removeCollisionObject(m_link.get());
    }
    SprungTable(const SprungTable&) = delete;
    SprungTable& operator=(const SprungTable&) = delete;

    /// Before each step; it carries the table itself.
    void push() {
        const double away = static_cast<double>(m_body.getJointPos(0)),
                     speed = static_cast<double>(m_body.getJointVel(0));
        m_body.addJointTorque(0, static_cast<btScalar>(kMass * kGravity - kSpring * away - 60.0 * speed));
    }
    double lowered() const { return -static_cast<double>(m_body.getJointPos(0)); }
    const btCollisionObject* link() const { return m_link.get(); }

private:
    btMultiBodyDynamicsWorld& m_world;
    btBoxShape m_shape;
    btMultiBody m_body;
    std::unique_ptr<btMultiBodyLinkCollider> m_link;
};

// The world of multibodies has a solver of its own, which couples reduced bodies one way. Its link gives way by the
// weight over the spring, and sensors read the same force.
TEST(ContactSensorKinds, ALinkOfAMultibodyCarriesTheWeight) {
    for (const bool solid : {false, true}) {
        btDefaultCollisionConfiguration configuration;
        btCollisionDispatcher dispatcher(&configuration);
        btDbvtBroadphase broadphase;
        btMultiBodyConstraintSolver solver;
        btMultiBodyDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
        world.setGravity(btVector3(0, static_cast<btScalar>(-kGravity), 0));
        btPliantSystem system(&world, TestWorld::oneThread());
        SprungTable table(world);
        const auto model = solid ? cube() : makeBar();
        btPliantBodyInfo info = damped();
        const Vector3 offset = model->meshFromBody.translation;
        info.m_meshTransform.setIdentity();
        info.m_meshTransform.setOrigin(btVector3(static_cast<btScalar>(-offset.x()),
                                                 static_cast<btScalar>((solid ? 0.1 : 0.05) - offset.y()),
                                                 static_cast<btScalar>(-offset.z())));
        btPliantBody* body = system.createBody(model, info);
        world.addRigidBody(body);
        body->setActivationState(DISABLE_DEACTIVATION);
        btPliantContactSensorInfo wanted;
        wanted.m_of = {body};
        wanted.m_with = {table.link()};
        wanted.m_timeConstant = 0.1;
        const btPliantContactSensor* sensor = system.createContactSensor(wanted);
        for (int i = 0; i < 720; ++i) {
            table.push();
            world.stepSimulation(static_cast<btScalar>(kStep), 0);
        }
        const double expected = weight(*body);
        EXPECT_NEAR(table.lowered(), expected / SprungTable::kSpring, 1e-3 * expected / SprungTable::kSpring) << solid;
        EXPECT_NEAR(static_cast<double>(sensor->getFilteredForce().y()), expected, 1e-3 * expected) << solid;
    }
}

}  // namespace
}  // namespace pliant::test
