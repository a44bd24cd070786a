// SPDX-License-Identifier: Zlib
// A rigid ball that is rolled slowly over a bridge, held at both ends, bends it as the static influence line says. By
// Maxwell and Betti, what the middle sinks while the load is at x is what x would sink under the load in the middle.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "DenseAlgebra.h"
#include "TruthModels.h"
#include "unit/bridge/TestWorld.h"

namespace {

using pliant::Vector3;
using pliant::test::BlockShape;
using pliant::test::Contact;
using pliant::test::TestWorld;

constexpr double length = 2.0, width = 0.1, height = 0.1, youngsModulus = 2e7, ballMass = 2.0, g = 9.81;

std::shared_ptr<const pliant::ReducedModel> makeBridge(Contact contact) {
    BlockShape shape;
    shape.a = 120;
    shape.b = shape.c = 2;
    shape.size = Vector3(length, width, height);
    shape.young = youngsModulus;
    shape.density = 100.0;
    const pliant::VolumeMesh mesh = pliant::test::blockMesh(shape);
    std::vector<int> ends;
    for (int v = 0; v < mesh.vertexCount(); ++v)
        if (mesh.positions(0, v) < 1e-9 || mesh.positions(0, v) > length - 1e-9) ends.push_back(v);
    pliant::ReduceOptions options;
    options.modes = 14;
    options.derivatives = pliant::DerivativeForm::Static;
    options.dimension = 40;
    auto model = pliant::test::reduceMesh(mesh, options, ends);
    if (contact == Contact::LaidByHand) pliant::test::setBlockSkeleton(*model, shape, 40, 2, 1, 1e-3);
    return model;
}

/// Deflection of the middle under P at x <= L / 2, both ends clamped: P x^2 (3 L - 4 x) / (48 E I).
double theory(double x) {
    const double a = std::min(x, length - x), I = width * height * height * height / 12.0;
    return ballMass * g * a * a * (3.0 * length - 4.0 * a) / (48.0 * youngsModulus * I);
}

/// What the middle sinks by, by the model's own statics, under the ball at x: q = K^-1 U_x' P, sunk = n' U_m q.
class Statics {
public:
    Statics(const pliant::ReducedModel& model, const btPliantBody& bridge) : m_model(model), m_bridge(bridge) {
        m_middle = pliant::test::inverseOf(model.energy.linearStiffness) * row(length / 2);
    }
    double sunkUnder(double x) const { return ballMass * g * m_middle.dot(row(x)); }

private:
    /// Row of U that moves the upper edge at x along z.
    pliant::VectorX row(double x) const {
        const pliant::MaterialPoint point =
            m_bridge.locate(btVector3(static_cast<btScalar>(x), btScalar(width / 2), btScalar(height)));
        const pliant::MatrixX U = pliant::interpolateBasis({point}, m_model.basis);
        return U.transpose() * (m_model.meshFromBody.rotation.transpose() * Vector3(0, 0, 1));
    }

    const pliant::ReducedModel& m_model;
    const btPliantBody& m_bridge;
    pliant::VectorX m_middle;
};

btRigidBody* addBall(TestWorld& scene, double start) {
    btRigidBody* ball = scene.addRigid(new btSphereShape(btScalar(0.15)), ballMass,
                                       btVector3(btScalar(start), btScalar(width / 2), btScalar(height + 0.149)));
    ball->setFriction(1);
    ball->setActivationState(DISABLE_DEACTIVATION);
    ball->setLinearFactor(btVector3(1, 0, 1));
    ball->setAngularFactor(btVector3(0, 1, 0));
    return ball;
}

/// What the middle sinks by while the ball crosses the bridge, m.
struct Crossing {
    double largest = 0.0;
    double worstStatic = 0.0, worstTheory = 0.0;  ///< Farthest from the model's statics, and from beam theory.
    double meanStatic = 0.0;                      ///< Mean of the difference to the statics.
};

Crossing cross(Contact contact) {
    const auto model = makeBridge(contact);
    btPliantSystemInfo settings = TestWorld::oneThread();
    settings.m_settings.doublePrecision = true;
    TestWorld scene(settings);
    scene.world.setGravity(btVector3(0, 0, static_cast<btScalar>(-g)));
    btPliantBodyInfo info;
    info.m_damping.mass = 20;
    info.m_friction = 1;
    btPliantBody* bridge = scene.system->createBody(model, info);
    scene.world.addRigidBody(bridge);
    bridge->forceActivationState(DISABLE_DEACTIVATION);
    scene.step(240, 1.0 / 240.0);  // it sags by its own weight
    const auto middle = bridge->locate(btVector3(btScalar(length / 2), btScalar(width / 2), btScalar(height / 2)));
    const double rest = static_cast<double>(bridge->getPointPosition(middle).z());
    const double start = 0.3, speed = 0.2;
    btRigidBody* ball = addBall(scene, start);
    const Statics statics(*model, *bridge);
    Crossing found;
    int samples = 0;
    for (int i = 0; i < 1900; ++i) {
        ball->setLinearVelocity(btVector3(static_cast<btScalar>(speed), 0, ball->getLinearVelocity().z()));
        scene.step(1, 1.0 / 240.0);
        if (i < 240) continue;
        const double x = static_cast<double>(ball->getCenterOfMassPosition().x());
        if (x > length - start) break;
        const double sunk = rest - static_cast<double>(bridge->getPointPosition(middle).z());
        const double off = sunk - statics.sunkUnder(x);
        found.largest = std::max(found.largest, sunk);
        found.worstStatic = std::max(found.worstStatic, std::abs(off));
        found.worstTheory = std::max(found.worstTheory, std::abs(sunk - theory(x)));
        found.meanStatic += off;
        ++samples;
    }
    found.meanStatic /= std::max(samples, 1);
    std::printf(
        "deepest %.4f mm (beam theory %.4f mm); off the influence line by %.2f %% (statics; mean %.2f %%), %.2f %% "
        "(theory)\n",
        1e3 * found.largest, 1e3 * theory(length / 2), 100 * found.worstStatic / found.largest,
        100 * found.meanStatic / found.largest, 100 * found.worstTheory / found.largest);
    return found;
}

// `pliant reduce` takes a bar of 20 to 1 for a strand, with spheres as large as the bar a thirtieth of a metre apart.
// The load goes from one of them to the next and not along the segment between them, 6 times a second, which is what
// bridge and ball swing with: the mean carries the weight, each moment does not (docs/validation.md).
TEST(Bridge, BallRollsOverItAlongTheInfluenceLineInTheMean) {
    const Crossing found = cross(Contact::AsReduced);
    EXPECT_LT(std::abs(found.meanStatic), 0.02 * theory(length / 2));
}

TEST(Bridge, BallRollsOverItAlongTheInfluenceLine) {
    const Crossing found = cross(Contact::LaidByHand);
    EXPECT_LT(found.worstStatic, 0.02 * found.largest);
    EXPECT_LT(found.worstTheory, 0.05 * found.largest);
    EXPECT_NEAR(found.largest, theory(length / 2), 0.05 * found.largest);
}

}  // namespace
