// SPDX-License-Identifier: Zlib
// A hand of its own rate beside a world: rigid bodies, friction, and damping of contacts.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "CubeModel.h"
#include "TestWorld.h"
#include "btPliant/btPliantHandThread.h"

namespace pliant::test {
namespace {

constexpr double kTip = 0.03;                     // m, radius of the ball in the hand
constexpr double kFrictionWorldStep = 1.0 / 125;  // s: eight cycles

HandSettings frictionHand() {
    HandSettings settings;
    settings.coupling.stiffness = 1000.0;
    settings.coupling.torqueStiffness = 5000.0;  // neither pads nor balls roll
    settings.limits.deviceForce = settings.limits.deviceTorque = settings.limits.energyCredit = 1e6;
    return settings;
}

btPliantTouchSettings roughLayer(double friction, double damping = 0.0) {
    btPliantTouchSettings touch;
    touch.m_stiffness = 1e8;
    touch.m_points = 2000;
    touch.m_friction = static_cast<btScalar>(friction);
    touch.m_damping = damping;
    return touch;
}

ToolPose tipAt(const Vector3& position) {
    ToolPose pose;
    pose.position = position;
    return pose;
}

/// A device that goes from one place to another within a second.
class Steady : public HandDevice {
public:
    Steady(const ToolPose& from, const Vector3& way) : m_from(from), m_way(way) {}
    bool read(double time, ToolPose& pose) override {
        pose = m_from;
        pose.position += std::min(time, 1.0) * m_way;
        return true;
    }
    void write(double, const Wrench&) override {}

private:
    ToolPose m_from;
    Vector3 m_way;
};

void stepBeside(TestWorld& scene, btPliantHandThread& hand, int steps, double step = kFrictionWorldStep) {
    for (int i = 0; i < steps; ++i) {
        hand.beforeStep(step);
        scene.step(1, step);
        hand.afterStep(step);
    }
}

/// The slope of an inclined box whose upper face goes through the origin, and which rises along x.
struct Incline {
    TestWorld scene;
    btRigidBody* body = nullptr;
    Vector3 up, along;  // normal of the face, and the steepest way down

    explicit Incline(double angle) {
        up = Vector3(-std::sin(angle), 0, std::cos(angle));
        along = Vector3(-std::cos(angle), 0, -std::sin(angle));
        body = scene.addRigid(new btBoxShape(btVector3(1, 1, btScalar(0.1))), 0, btVector3(0, 0, 0));
        btTransform place;
        place.setRotation(btQuaternion(btVector3(0, 1, 0), btScalar(-angle)));
        place.setOrigin(place.getBasis() * btVector3(0, 0, btScalar(-0.1)));
        body->setWorldTransform(place);
    }
};

/// What a hand feels that pulls a pad on an incline straight down by 10 mm, which is 10 N.
struct Pulled {
    double slid = 0.0;                 // m down the incline
    double normal = 0.0, along = 0.0;  // N on the tool, of the contact
    double creep = 0.0;                // m in the last second
};

constexpr double kPad = 0.02;  // m, half of its edges

ToolPose padOn(const Incline& incline, double angle) {
    ToolPose pose;
    pose.position = kPad * incline.up;
    pose.rotation = Rotation(Eigen::AngleAxisd(-angle, Vector3::UnitY()));
    return pose;
}

Pulled pullDown(double angle, double friction) {
    Incline incline(angle);
    const ToolPose start = padOn(incline, angle);
    const btBoxShape pad{btVector3(btScalar(kPad), btScalar(kPad), btScalar(kPad))};
    btPliantHandThread hand(pad, start, std::make_shared<Steady>(start, -0.01 * Vector3::UnitZ()), frictionHand());
    hand.addBody(*incline.body, roughLayer(friction));
    hand.afterStep(kFrictionWorldStep);
    stepBeside(incline.scene, hand, 250);
    const Vector3 before = hand.getThread().report().tool.position;
    stepBeside(incline.scene, hand, 125);
    const HandReport report = hand.getThread().report();
    return {(report.tool.position - start.position).dot(incline.along), report.contact.force.dot(incline.up),
            -report.contact.force.dot(incline.along), (report.tool.position - before).norm()};
}

// Held as long as tan(angle) < friction: all that the pad goes by is what its bristles bend by, 3 F_t / (k A). Beyond
// it the pad slides until the hand's spring, which pulls it back, lies on the cone: F_t = friction F_n.
TEST(HandFriction, HoldsAToolOnAnInclineUpToItsCoefficient) {
    const double k = frictionHand().coupling.stiffness;
    for (const double angle : {0.2, 0.4}) {
        const Pulled held = pullDown(angle, 1.05 * std::tan(angle));
        const double bent = 3.0 * held.along / (1e8 * 4.0 * kPad * kPad);
        EXPECT_GT(held.normal, 8.0) << "N";
        EXPECT_NEAR(held.along, k * (0.01 * std::sin(angle) - held.slid), 1e-3 * held.along) << angle;
        EXPECT_NEAR(held.slid, bent, 0.05 * bent) << angle;
        EXPECT_LT(held.creep, 1e-8) << "m in a second";
        for (const double share : {0.2, 0.8}) {
            const double friction = share * std::tan(angle);
            const Pulled slid = pullDown(angle, friction);
            // Feet that lean aside by two or three degrees hold a thousandth less; none holds more.
            EXPECT_LE(slid.along / slid.normal, friction * (1.0 + 1e-9)) << angle << ", " << share;
            EXPECT_GE(slid.along / slid.normal, 0.998 * friction) << angle << ", " << share;
            EXPECT_NEAR(slid.slid, 0.01 * std::sin(angle) - slid.along / k, 1e-6) << angle << ", " << share;
            EXPECT_LT(slid.creep, 1e-8) << "m in a second";
        }
    }
}

// The same on the points of a solid.
TEST(HandFriction, OfASolidHoldsUpToItsCoefficient) {
    SolidMaterial material;
    material.young = 1e9;
    const auto model = solidBox({kCubeSize, kCubeSize, kCubeSize}, material, 0.1);
    for (const double friction : {0.1, 0.5}) {
        TestWorld scene;
        scene.world.setGravity(btVector3(0, 0, 0));
        btPliantBodyInfo info = dampedCube();
        info.m_kinematic = true;
        btPliantBody* body = scene.system->createBody(model, info);
        scene.world.addRigidBody(body);
        const btBoxShape pad{btVector3(btScalar(kPad), btScalar(kPad), btScalar(kPad))};
        const ToolPose start = tipAt(Vector3(0, 0, 0.5 * kCubeSize + kPad));
        btPliantHandThread hand(pad, start, std::make_shared<Steady>(start, Vector3(0.003, 0, -0.01)), frictionHand());
        btPliantTouchSettings touch = roughLayer(friction);
        touch.m_points = 20000;
        hand.addBody(*body, touch);
        hand.afterStep(kFrictionWorldStep);
        stepBeside(scene, hand, 250);
        const HandReport report = hand.getThread().report();
        const double ratio = -report.contact.force.x() / report.contact.force.z();
        const double slid = report.tool.position.x();
        EXPECT_NEAR(-report.contact.force.x(), 1000.0 * (0.003 - slid), 0.01);
        if (friction > 0.3)
            EXPECT_LT(slid, 2e-4) << "m: held";
        else
            EXPECT_NEAR(ratio, friction, 5e-3 * friction);
    }
}

// A flat face of area A on a layer k, lowered at the speed v: k_c (v t - d) = k A d (1 + tau d') has the solution d = s
// t with k_c (v - s) = k A s (1 + tau s).
TEST(HandFriction, DampingAnswersTheSpeedOfTheWayIn) {
    class Lowered : public HandDevice {
    public:
        bool read(double time, ToolPose& pose) override {
            pose = tipAt(Vector3(0, 0, 0.02 - 0.05 * time));
            return true;
        }
        void write(double, const Wrench&) override {}
    };
    for (const double damping : {0.0, 20.0, 100.0}) {
        TestWorld scene;
        scene.world.setGravity(btVector3(0, 0, 0));
        btRigidBody* ground = scene.addRigid(new btStaticPlaneShape(btVector3(0, 0, 1), 0), 0, btVector3(0, 0, 0));
        ground->getCollisionShape()->setMargin(0);
        const btBoxShape box(btVector3(btScalar(0.02), btScalar(0.02), btScalar(0.02)));
        btPliantHandThread hand(box, tipAt(Vector3(0, 0, 0.02)), std::make_shared<Lowered>(), frictionHand());
        btPliantTouchSettings touch = roughLayer(0.0, damping);
        touch.m_stiffness = 1e6;
        hand.addBody(*ground, touch);
        hand.afterStep(kFrictionWorldStep);
        stepBeside(scene, hand, 25);
        const double time = 0.2, k = 1e6 * 0.04 * 0.04, kc = 1000.0, v = 0.05;
        // k tau s^2 + (k + kc) s - kc v = 0
        const double s =
            damping > 0.0 ? (std::sqrt((k + kc) * (k + kc) + 4 * k * damping * kc * v) - (k + kc)) / (2 * k * damping)
                          : kc * v / (k + kc);
        const double force = k * s * time * (1.0 + damping * s);
        // The product of depth and rate is taken to first order in a cycle, of the length dt: off by tau s dt / t.
        const double order = damping * s * 1e-3 / time;
        EXPECT_NEAR(hand.getThread().report().contact.force.z(), force, (1e-4 + order) * force) << damping;
    }
}

/// A block in the void is pushed and dragged by a ball.
struct Dragged {
    btVector3 momentum, angular, place;
    Vector3 passed;
    ToolPose tool;
};

Dragged drag(int threads, double step, int steps) {
    btPliantSystemInfo workers;
    workers.m_threads = threads;
    TestWorld scene(workers);
    scene.world.setGravity(btVector3(0, 0, 0));
    btRigidBody* block =
        scene.addRigid(new btBoxShape(btVector3(btScalar(0.2), btScalar(0.2), btScalar(0.1))), 3.0, btVector3(0, 0, 0));
    const btSphereShape ball{btScalar(kTip)};
    const Vector3 start(0.05, 0, 0.1 + kTip + 0.002);
    btPliantHandThread hand(ball, tipAt(start),
                            std::make_shared<IdentityDevice>(tipAt(start + Vector3(0.02, 0, -0.015))), frictionHand());
    hand.addBody(*block, roughLayer(0.4, 2e-3));
    hand.afterStep(step);
    stepBeside(scene, hand, steps, step);
    const HandReport report = hand.getThread().report();
    return {block->getLinearVelocity() * btScalar(3), block->getAngularVelocity(), block->getCenterOfMassPosition(),
            report.passed, report.tool};
}

TEST(HandFriction, PassesItsMomentumWhole) {
    const Dragged dragged = drag(1, kFrictionWorldStep, 40);
    EXPECT_GT(dragged.passed.z(), 0.05) << "N s: it presses";
    EXPECT_LT(dragged.passed.x(), -0.01) << "N s: it drags";
    const double tolerance = (doublePrecision ? 1e-12 : 1e-5) * dragged.passed.norm();
    for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(static_cast<double>(dragged.momentum[k]), -dragged.passed[k], tolerance) << k;
    EXPECT_GT(dragged.angular.y(), 0) << "rad/s: pushed down at x > 0 it turns about y";
}

TEST(HandFriction, GoesTheSameWayOnAnyNumberOfWorkers) {
    const Dragged one = drag(1, 1.0 / 60, 40);
    for (const int threads : {1, 2, 4}) {
        const Dragged other = drag(threads, 1.0 / 60, 40);
        EXPECT_EQ(one.place, other.place) << threads;
        EXPECT_EQ(one.momentum, other.momentum) << threads;
        EXPECT_EQ(one.passed, other.passed) << threads;
        EXPECT_EQ(one.tool.position, other.tool.position) << threads;
    }
}

/// A slab that slides freely along x swings below a ball that friction holds it by.
/// @param a h^2 k / m of the springs behind each other  @return largest speed in the last steps over that at first
double swingBelow(double a, int steps) {
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    constexpr double h = 1.0 / 125;
    HandSettings settings = frictionHand();
    // The bristles of a face of A = 16 cm^2 on 1e7 Pa/m are a third of 16,000 N/m.
    const double bristles = 1e7 * 0.04 * 0.04 / 3.0;
    const double k = 1.0 / (1.0 / settings.coupling.stiffness + 1.0 / bristles), mass = h * h * k / a;
    btRigidBody* slab =
        scene.addRigid(new btBoxShape(btVector3(1, 1, btScalar(0.1))), mass, btVector3(0, 0, btScalar(-0.1)));
    slab->setLinearFactor(btVector3(1, 0, 0));
    slab->setAngularFactor(btVector3(0, 0, 0));
    slab->setSleepingThresholds(0, 0);
    const btBoxShape box(btVector3(btScalar(0.02), btScalar(0.02), btScalar(0.02)));
    const Vector3 start(0, 0, 0.02);
    btPliantHandThread hand(box, tipAt(start), std::make_shared<IdentityDevice>(tipAt(start - Vector3(0, 0, 0.01))),
                            settings);
    btPliantTouchSettings touch = roughLayer(1.0);
    touch.m_stiffness = 1e7;
    hand.addBody(*slab, touch);
    hand.afterStep(h);
    stepBeside(scene, hand, 100, h);
    const btScalar speed = btScalar(1e-3 / h * 0.1);  // 0.1 mm a step: far from the limit of 10 N
    slab->setLinearVelocity(btVector3(speed, 0, 0));
    stepBeside(scene, hand, steps - 10, h);
    btScalar last = 0;
    for (int i = 0; i < 10; ++i) {
        stepBeside(scene, hand, 1, h);
        last = std::max(last, btFabs(slab->getLinearVelocity().x()));
    }
    return static_cast<double>(last / speed);
}

// As HandThread.IsStableUpToTheBoundOfStepStiffnessAndMass, of bristles in place of a surface. With n cycles in a step
// they are (n + 1) / 2n of a step ahead in the mean, b: the step is (1 - a, h (1 - b a); -a / h, 1 - b a), of the trace
// 2 - a - b a and the determinant 1 - b a, and stable for a < 4 / (1 + 2 b) = 4 / (2 + 1 / n). That is 1.882 of eight.
TEST(HandFriction, IsStableUpToTheBoundOfStepStiffnessAndMass) {
    const double bound = 4.0 / (2.0 + 1.0 / 8.0);
    for (const double a : {0.1, 0.5, 1.0, 0.97 * bound}) EXPECT_LT(swingBelow(a, 300), 0.3) << a;
    EXPECT_GT(swingBelow(1.05 * bound, 150), 3.0) << "the bound is one";
}

// Two hands hold a block between them, by friction alone, against its weight.
TEST(HandFriction, OfTwoHandsCarriesABlock) {
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, btScalar(-9.81)));
    btRigidBody* block =
        scene.addRigid(new btBoxShape(btVector3(btScalar(0.1), btScalar(0.1), btScalar(0.1))), 1.0, btVector3(0, 0, 0));
    const btBoxShape pad(btVector3(btScalar(0.02), btScalar(0.04), btScalar(0.04)));
    std::vector<std::unique_ptr<btPliantHandThread>> hands;
    for (const double side : {-1.0, 1.0}) {
        const Vector3 start(side * 0.12, 0, 0), behind(side * 0.1, 0, 0);
        hands.push_back(std::make_unique<btPliantHandThread>(
            pad, tipAt(start), std::make_shared<IdentityDevice>(tipAt(behind)), frictionHand()));
        btPliantTouchSettings touch = roughLayer(0.6, 2e-3);
        touch.m_stiffness = 1e7;
        hands.back()->addBody(*block, touch);
        hands.back()->afterStep(kFrictionWorldStep);
    }
    for (int i = 0; i < 500; ++i) {
        for (auto& hand : hands) hand->beforeStep(kFrictionWorldStep);
        scene.step(1, kFrictionWorldStep);
        for (auto& hand : hands) hand->afterStep(kFrictionWorldStep);
    }
    double carried = 0.0, squeezed = 0.0;
    for (auto& hand : hands) {
        const HandReport report = hand->getThread().report();
        carried += report.coupling.force.z();
        squeezed += std::abs(report.coupling.force.x());
    }
    EXPECT_NEAR(carried, 9.81, 0.01);
    EXPECT_GT(squeezed, 30.0) << "N";
    EXPECT_GT(block->getCenterOfMassPosition().z(), btScalar(-0.01)) << "m: the springs give way by 5 mm";
    EXPECT_LT(block->getLinearVelocity().length(), btScalar(1e-4));
}

// In a thread, beside a world that goes on: what it settles at is the same.
TEST(HandFriction, InAThreadHoldsAToolOnAnInclineToo) {
    Incline incline(0.4);
    const double friction = 0.5 * std::tan(0.4);
    const ToolPose start = padOn(incline, 0.4);
    const btBoxShape pad{btVector3(btScalar(kPad), btScalar(kPad), btScalar(kPad))};
    btRigidBody* loose = incline.scene.addRigid(new btSphereShape(btScalar(0.05)), 1.0, btVector3(0, 0, btScalar(0.5)));
    btPliantHandThread hand(pad, start, std::make_shared<Steady>(start, -0.01 * Vector3::UnitZ()), frictionHand());
    hand.addBody(*incline.body, roughLayer(friction));
    hand.addBody(*loose, roughLayer(friction));
    hand.afterStep(kFrictionWorldStep);
    hand.getThread().start();
    for (int i = 0; i < 150; ++i) {
        stepBeside(incline.scene, hand, 1);
        std::this_thread::sleep_for(std::chrono::duration<double>(kFrictionWorldStep));
    }
    hand.removeBody(*loose);
    stepBeside(incline.scene, hand, 10);
    hand.getThread().stop();
    const HandReport report = hand.getThread().report();
    const double ratio = -report.contact.force.dot(incline.along) / report.contact.force.dot(incline.up);
    EXPECT_NEAR(ratio, friction, 0.01 * friction);
}

}  // namespace
}  // namespace pliant::test
