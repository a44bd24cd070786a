// SPDX-License-Identifier: Zlib
// Strands and solids fall on every kind of shape and come to rest on it.
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "CubeModel.h"
#include "ShapeCatalogue.h"
#include "TestWorld.h"
#include "btPliant/narrowphase/ShapeCollider.h"

namespace pliant::test {
namespace {

constexpr double kThickness = 0.05;  // m, radius of the bar's segments

constexpr double kTilt = 0.1;  ///< rad, that bodies are let go with

class Shapes : public testing::TestWithParam<std::string> {
protected:
    Shapes() : m_support(makeSupport(GetParam())) {
        if (!m_support->shape) return;
        btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, m_support->shape);
        info.m_startWorldTransform = m_support->frame;
        m_scene.rigid.push_back(std::make_unique<btRigidBody>(info));
        m_scene.world.addRigidBody(m_scene.rigid.back().get());
    }

    /// Whether a body that rolls on the support goes on rocking.
    bool isRound() const {
        static const std::set<std::string> round = {"sphere", "capsule", "multi_sphere"};
        return round.count(GetParam()) > 0;
    }

    /// Drops a body and checks that it lies where it should. @param speed m/s, that it may have at the end
    void drop(const std::shared_ptr<const ReducedModel>& model, const btPliantBodyInfo& info, double height,
              double tolerance, double speed = 0.02) {
        ASSERT_TRUE(m_support->shape);
        const btVector3 start(btScalar(0.02), btScalar(height + 0.1), btScalar(0.01));
        btPliantBody* body = m_scene.addBar(model, start, info, btQuaternion(btVector3(0, 0, 1), btScalar(kTilt)));
        btPliantContactSensorInfo watched;
        watched.m_of = {body};
        watched.m_timeConstant = 0.1;
        btPliantContactSensor* sensor = m_scene.system->createContactSensor(watched);
        btVector3 before(0, 0, 0);
        for (int i = 0; i < 480; ++i) {
            if (i == 240) {
                sensor->resetAccumulated();
                body->setActivationState(DISABLE_DEACTIVATION);  // sleep takes what velocity is left
                before = linearMomentum(*body);
            }
            m_scene.step();
            ASSERT_GT(body->getCenterOfMassPosition().y(), 0.5 * height) << "step " << i;
        }
        EXPECT_NEAR(body->getCenterOfMassPosition().y(), height, tolerance);
        EXPECT_NEAR(body->getCenterOfMassPosition().x(), 0, 0.1);
        EXPECT_NEAR(body->getCenterOfMassPosition().z(), 0, 0.1);
        EXPECT_LT(body->getLinearVelocity().length(), speed);
        EXPECT_LT(m_scene.system->getStats().m_largestPenetration, 0.2);
        EXPECT_EQ(m_scene.system->getStatus(), "");
        checkWeight(*body, *sensor, linearMomentum(*body) - before);
    }

    /// What a contact sensor has felt in two seconds, and feels in the end.
    /// @param gained momentum in these two seconds
    void checkWeight(const btPliantBody& body, const btPliantContactSensor& sensor, const btVector3& gained) {
        const auto weight = static_cast<btScalar>(9.81 * body.getModel().totalMass());
        const btVector3 carried = sensor.getAccumulatedImpulse() - gained;
        EXPECT_LT((carried - btVector3(0, 2 * weight, 0)).length(), (doublePrecision ? 1e-9 : 2e-5) * 2 * weight);
        if (isRound()) return;
        EXPECT_LT((sensor.getFilteredForce() - btVector3(0, weight, 0)).length(), 1e-3 * weight);
    }

    void shoot(const std::shared_ptr<const ReducedModel>& model) {
        ASSERT_TRUE(m_support->shape);
        btPliantBodyInfo info = dampedCube();
        info.m_linearVelocity = btVector3(0, -40, 0);
        btPliantBody* body = m_scene.addBar(model, btVector3(btScalar(0.02), btScalar(1), 0), info);
        for (int i = 0; i < 30; ++i) {
            m_scene.step(1, 1.0 / 60.0);
            ASSERT_GT(body->getCenterOfMassPosition().y(), -0.2) << "step " << i;
        }
    }

    std::unique_ptr<Support> m_support;  // outlives the world
    TestWorld m_scene;
};

TEST_P(Shapes, AStrandComesToRest) {
    btPliantBodyInfo info = dampedCube();
    info.m_rollingFriction = btScalar(0.1);  // a bar is round
    drop(makeBar(), info, kThickness, 0.006);
}

// A cube that rolls on a ball of radius R through a tilt p has omega^2 = (3 / 5) g (R - b) / b^2, b half of its edge,
// and the speed b p omega, which nothing damps but the landing. An eighth of what the tilt that it is let go with would
// give without that is 0.05 m/s; found are 0.02 to 0.04, by how it lands.
TEST_P(Shapes, ASolidComesToRest) {
    const double rocking = kTilt * std::sqrt(0.6 * 9.81 * (static_cast<double>(kRound) - kCubeSize / 2));
    drop(cube(), dampedCube(), kCubeSize / 2, 0.002, isRound() ? rocking / 8 : 0.02);
}

// What comes farther in a step than it is thick.
TEST_P(Shapes, AFastStrandStops) {
    shoot(makeBar());
}

TEST_P(Shapes, AFastSolidStops) {
    shoot(cube());
}

INSTANTIATE_TEST_SUITE_P(Of, Shapes, testing::ValuesIn(supportNames()), [](const auto& each) { return each.param; });

/// Each kind of shape has the row of its own name; compounds have none, since Bullet asks for their children.
TEST(ShapeTable, HasARowForEachKind) {
    const std::map<std::string, std::string> others = {
        {"hull", "polyhedron"},       {"multi_sphere", "multi-sphere"}, {"mesh", "triangles"},
        {"scaled_mesh", "triangles"}, {"height_field", "triangles"},    {"distance_field", "distance field"}};
    for (const std::string& name : supportNames()) {
        const std::unique_ptr<Support> support = makeSupport(name);
        btCollisionObject object;
        object.setCollisionShape(support->shape);
        const btCollisionObjectWrapper wrap(nullptr, support->shape, &object, support->frame, -1, -1);
        const btPliantInternal::ShapeCollider* row = btPliantInternal::colliderOf(wrap);
        if (support->shape->isCompound()) {
            EXPECT_EQ(row, nullptr);
            continue;
        }
        ASSERT_TRUE(row) << name;
        EXPECT_EQ(row->name, others.count(name) ? others.at(name) : name);
        EXPECT_TRUE(row->discrete && row->continuous) << name;
    }
}

/// Smaller than the distance between the points of the cube's surface: the cube's field carries them.
TEST(SmallShapes, RestOnASolid) {
    constexpr btScalar radius = btScalar(0.01);
    for (const bool rounded : {true, false}) {
        TestWorld scene;
        scene.addGround();
        btPliantBody* body = scene.addBar(cube(), btVector3(0, btScalar(kCubeSize / 2), 0), dampedCube());
        btCollisionShape* shape = rounded ? static_cast<btCollisionShape*>(new btSphereShape(radius))
                                          : new btBoxShape(btVector3(radius, radius, radius));
        const btScalar start = btScalar(kCubeSize) + 2 * radius;
        const btRigidBody* small = scene.addRigid(shape, 0.02, btVector3(btScalar(0.013), start, btScalar(0.017)));
        scene.step(240);
        EXPECT_NEAR(body->getCenterOfMassPosition().y(), kCubeSize / 2, 1e-3);
        EXPECT_NEAR(small->getCenterOfMassPosition().y(), kCubeSize + static_cast<double>(radius), 1e-3) << rounded;
    }
}

/// Share of the contacts of a cube that slides that were there in the step before.
double shareOfOldContacts(btCollisionShape* floor, btScalar height) {
    TestWorld scene;
    scene.addRigid(floor, 0, btVector3(0, height, 0));
    btPliantBody* body = scene.addBar(cube(), btVector3(-1, btScalar(kCubeSize / 2), 0), dampedCube());
    body->setFriction(btScalar(0.01));
    body->setLinearVelocity(btVector3(1, 0, 0));
    int all = 0, old = 0;
    for (int i = 0; i < 60; ++i) {
        scene.step(1);
        if (i < 10) continue;
        for (int k = 0; k < scene.dispatcher.getNumManifolds(); ++k) {
            const btPersistentManifold& manifold = *scene.dispatcher.getManifoldByIndexInternal(k);
            for (int j = 0; j < manifold.getNumContacts(); ++j) {
                ++all;
                old += manifold.getContactPoint(j).getLifeTime() > 1;
            }
        }
    }
    EXPECT_GT(all, 100);
    return static_cast<double>(old) / std::max(1, all);
}

/// Bullet had dropped them there before it asked the part again: what slid on a compound began each step without the
/// impulses of the last, and what its friction had slipped.
TEST(CompoundShapes, KeepTheContactsOfWhatSlides) {
    const btVector3 half(3, btScalar(0.1), 3);
    EXPECT_GT(shareOfOldContacts(new btBoxShape(half), btScalar(-0.1)), 0.9);
    btBoxShape part(half);
    auto* compound = new btCompoundShape;
    btTransform below = btTransform::getIdentity();
    below.setOrigin(btVector3(0, btScalar(-0.1), 0));
    compound->addChildShape(below, &part);
    EXPECT_GT(shareOfOldContacts(compound, 0), 0.9);
}

TEST(UnsupportedShapes, AreToldByTheStatus) {
    TestWorld scene;
    btPliantBody* inside = scene.system->createBody(makeBar());
    auto* compound = new btCompoundShape;
    compound->addChildShape(btTransform::getIdentity(), inside->getCollisionShape());
    scene.addRigid(compound, 0, btVector3(0, 0, 0));
    EXPECT_EQ(scene.system->getStatus(), "");
    for (int i = 0; i < 2; ++i) scene.addBar(makeBar(), btVector3(0, btScalar(0.05), btScalar(0.3 * i)), dampedCube());
    scene.step(5);
    const std::string status = scene.system->getStatus();
    EXPECT_NE(status.find("do not touch a Pliant"), std::string::npos) << status;
    EXPECT_EQ(status.find("do not touch"), status.rfind("do not touch")) << "once for each kind: " << status;
}

}  // namespace
}  // namespace pliant::test
