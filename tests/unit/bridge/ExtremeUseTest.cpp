// SPDX-License-Identifier: Zlib
// Public calls in random order with numbers that nobody means: nothing crashes, what cannot be is refused by an Error
// or passed over, and what is left in the world goes on with finite coordinates and places.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "TestWorld.h"
#include "btPliant/btPliantJoints.h"
#include "pliant/math/Error.h"

namespace {

using pliant::VectorX;
using pliant::test::makeBar;
using pliant::test::TestWorld;

/// A world, and whoever uses it without reading.
class CarelessUser {
public:
    explicit CarelessUser(unsigned seed) : m_engine(seed) {
        m_scene.addGround();
        m_scene.addRigid(new btSphereShape(btScalar(0.1)), 1, btVector3(0, btScalar(0.5), 0));
        m_models = {makeBar(), makeBar(pliant::test::anchoredBar())};
        for (const double height : {0.06, 0.2})
            m_scene.addBar(m_models[0], btVector3(0, static_cast<btScalar>(height), 0));
        m_scene.world.setDebugDrawer(nullptr);
    }
    ~CarelessUser() { dropJoints(); }

    void act() {
        try {
            call(below(18));
        } catch (const pliant::Error&) {
            ++refused;
        }
    }

    /// After the user has gone: bodies that stood outside join in; coordinates, places and energies are numbers.
    void expectSound() {
        btPliantSystem& system = *m_scene.system;
        for (int i = 0; i < system.getNumBodies(); ++i)
            if (!system.getBody(i)->isInWorld()) m_scene.world.addRigidBody(system.getBody(i));
        for (const auto& rigid : m_scene.rigid) {  // nobody guards Bullet's own bodies against steps that are no number
            rigid->setWorldTransform(btTransform(btQuaternion::getIdentity(), btVector3(0, 50, 0)));
            rigid->setInterpolationWorldTransform(rigid->getWorldTransform());
            rigid->setLinearVelocity(btVector3(0, 0, 0));
            rigid->setAngularVelocity(btVector3(0, 0, 0));
            rigid->setInterpolationLinearVelocity(btVector3(0, 0, 0));
            rigid->setInterpolationAngularVelocity(btVector3(0, 0, 0));
            rigid->clearForces();
            rigid->setDeactivationTime(0);
        }
        m_scene.step(2);
        for (int i = 0; i < system.getNumBodies(); ++i) {
            const btPliantBody& body = *system.getBody(i);
            EXPECT_TRUE(body.getReducedCoordinates().allFinite()) << i;
            EXPECT_TRUE(body.getReducedVelocities().allFinite()) << i;
            const btVector3 p = body.getCenterOfMassPosition();
            EXPECT_TRUE(std::isfinite(p.x()) && std::isfinite(p.y()) && std::isfinite(p.z())) << i;
            EXPECT_TRUE(std::isfinite(body.getStrainEnergy())) << i;
        }
        const btPliantStats& stats = system.getStats();
        EXPECT_TRUE(std::isfinite(stats.totalEnergy()))
            << "kinetic " << stats.m_kineticEnergy << ", elastic " << stats.m_elasticEnergy << ", potential "
            << stats.m_potentialEnergy;
    }

    int refused = 0;

private:
    int below(int count) { return static_cast<int>(m_engine() % static_cast<unsigned>(count)); }

    double number() {
        static const std::array<double, 16> extremes{0.0,    -0.0,     1.0,       -1.0,        0.1,   1e-30,
                                                     1e12,   1e30,     -1e30,     1e38,        -1e38, 1e300,
                                                     -1e300, HUGE_VAL, -HUGE_VAL, std::nan("")};
        return extremes[static_cast<std::size_t>(below(static_cast<int>(extremes.size())))];
    }
    btScalar scalar() { return static_cast<btScalar>(number()); }
    btVector3 vector() {
        const btScalar x = scalar(), y = scalar();
        return btVector3(x, y, scalar());
    }
    btTransform frame() {
        btTransform t(btQuaternion(scalar(), scalar(), scalar(), scalar()), vector());
        return t;
    }
    btPliantBody* body() {
        const int count = m_scene.system->getNumBodies();
        return count == 0 ? nullptr : m_scene.system->getBody(below(count));
    }

    void dropJoints() {
        for (auto& joint : m_joints) m_scene.world.removeConstraint(joint.get());
        m_joints.clear();
    }

    void add() {
        if (m_scene.system->getNumBodies() > 6) return;
        btPliantBodyInfo info;
        info.m_meshTransform.setOrigin(vector());
        info.m_linearVelocity = vector();
        info.m_friction = scalar();
        if (below(2)) info.m_damping.stiffness = number();
        info.m_kinematic = below(4) == 0;
        info.m_selfContact = below(3) == 0;
        m_scene.world.addRigidBody(m_scene.system->createBody(m_models[static_cast<std::size_t>(below(2))], info));
    }

    void join(btPliantBody& b) {
        std::unique_ptr<btTypedConstraint> joint;
        if (below(2))
            joint = std::make_unique<btPliantPoint2PointConstraint>(b, vector());
        else
            joint = std::make_unique<btPliantFixedConstraint>(b, frame());
        m_scene.world.addConstraint(joint.get());
        m_joints.push_back(std::move(joint));
    }

    void touch(btPliantBody& b) {
        btPliantTouchSettings settings;
        settings.m_stiffness = number();
        settings.m_damping = number();
        settings.m_friction = scalar();
        settings.m_points = below(2) ? 100 : -2147483647;
        settings.m_levels = below(100) - 50;
        m_scene.system->setTouch(b, below(2) ? static_cast<const btCollisionObject*>(&b) : m_scene.rigid[0].get(),
                                 settings);
    }

    void sense() {
        if (m_scene.system->getNumContactSensors() > 4) return;
        btPliantContactSensorInfo info;
        if (body()) info.m_of = {body()};
        if (below(2)) info.m_material = "none of these";
        info.m_lower = vector();
        info.m_upper = vector();
        info.m_timeConstant = number();
        m_scene.system->createContactSensor(info);
    }

    void restore(btPliantBody& b) {
        std::vector<std::byte> blob;
        b.saveState(blob);
        if (below(2) && !blob.empty()) blob[m_engine() % blob.size()] ^= std::byte{4};
        b.restoreState(blob.data(), static_cast<std::size_t>(below(static_cast<int>(blob.size()) + 1)));
    }

    void call(int which) {
        if (which == 0) return add();
        if (which == 1) return sense();
        if (which == 2) return m_scene.step(1, number());
        if (which == 3) return m_scene.step(3);
        if (which == 4 && m_scene.system->getNumContactSensors() > 0)
            return m_scene.system->destroyContactSensor(m_scene.system->getContactSensor(0));
        if (which == 5) return dropJoints();
        btPliantBody* b = body();
        if (!b) return;
        const VectorX q = VectorX::Constant(b->getModel().dimension() + (below(8) == 0 ? 1 : 0), number());
        switch (which) {
            case 6:
                return b->applyImpulseAt(vector(), vector());
            case 7:
                return b->applyForceAt(vector(), vector());
            case 8:
                return b->setReducedCoordinates(q);
            case 9:
                return b->setReducedVelocities(q);
            case 10:
                return b->setMeshTransform(frame());
            case 11:
                return b->setDetail(below(40) - 20);
            case 12:
                return touch(*b);
            case 13:
                return join(*b);
            case 14:
                return restore(*b);
            case 15:
                return m_scene.world.addRigidBody(b);
            case 16:
                return m_scene.world.removeRigidBody(b);
            case 17:
                dropJoints();  // Bullet's joints refer to their bodies
                return below(2) ? m_scene.system->destroyBody(b) : delete b;
            default:
                return;
        }
    }

    std::mt19937 m_engine;
    TestWorld m_scene;
    std::vector<std::shared_ptr<const pliant::ReducedModel>> m_models;
    std::vector<std::unique_ptr<btTypedConstraint>> m_joints;
};

class ExtremeUse : public ::testing::TestWithParam<unsigned> {};

TEST_P(ExtremeUse, NothingCrashesAndNumbersStayFinite) {
    int refused = 0;
    for (unsigned i = 0; i < 20; ++i) {
        SCOPED_TRACE(i);
        CarelessUser user(1000 * GetParam() + i);
        for (int k = 0; k < 60; ++k) user.act();
        user.expectSound();
        refused += user.refused;
        if (HasFailure()) return;
    }
    EXPECT_GT(refused, 0) << "what cannot be is told";
}

INSTANTIATE_TEST_SUITE_P(Seeds, ExtremeUse, ::testing::Range(1U, 6U));

}  // namespace
