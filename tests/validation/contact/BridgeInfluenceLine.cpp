// SPDX-License-Identifier: Zlib
// A rigid ball that is rolled slowly over a bridge, held at both ends, bends it as the static influence line says. By
// Maxwell and Betti, what the middle sinks while the load is at x is what x would sink under the load in the middle.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

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

constexpr double ballStart = 0.3, ballSpeed = 0.2, bridgeStep = 1.0 / 240.0;  // of the ball, m, m/s; s
constexpr int settlingSteps = 240;  // of the ball's first second, which is not compared

btRigidBody* addBall(TestWorld& scene) {
    btRigidBody* ball = scene.addRigid(new btSphereShape(btScalar(0.15)), ballMass,
                                       btVector3(btScalar(ballStart), btScalar(width / 2), btScalar(height + 0.149)));
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
    int samples = 0;
    double end = 0.0;  ///< Where the ball was last, m.
};

void addSample(double x, double sunk, double statics, Crossing& found) {
    found.largest = std::max(found.largest, sunk);
    found.worstStatic = std::max(found.worstStatic, std::abs(sunk - statics));
    found.worstTheory = std::max(found.worstTheory, std::abs(sunk - theory(x)));
    found.end = x;
    ++found.samples;
}

Crossing roll(TestWorld& scene, btRigidBody& ball, const btPliantBody& bridge, const Statics& statics, double rest) {
    const auto middle = bridge.locate(btVector3(btScalar(length / 2), btScalar(width / 2), btScalar(height / 2)));
    Crossing found;
    for (int i = 0; i < 1900; ++i) {
        ball.setLinearVelocity(btVector3(static_cast<btScalar>(ballSpeed), 0, ball.getLinearVelocity().z()));
        scene.step(1, bridgeStep);
        if (i < settlingSteps) continue;
        const double x = static_cast<double>(ball.getCenterOfMassPosition().x());
        if (x > length - ballStart) break;
        addSample(x, rest - static_cast<double>(bridge.getPointPosition(middle).z()), statics.sunkUnder(x), found);
    }
    return found;
}

/// In shares of the deepest of beam theory.
void print(const Crossing& found) {
    const double percent = 100.0 / theory(length / 2);
    std::printf(
        "deepest %.4f mm (beam theory %.4f mm); off the model's statics by %.2f %%, off beam theory by %.2f %%; "
        "%d samples\n",
        1e3 * found.largest, 1e3 * theory(length / 2), percent * found.worstStatic, percent * found.worstTheory,
        found.samples);
}

/// It was looked at all the way to the other end: from 0.5 m to within a step of 1.7 m. What the ball goes by in a step
/// is what contacts leave of its speed.
void expectWholeWay(const Crossing& found) {
    constexpr double speedError = 0.001;
    const double way = length - ballStart - (ballStart + ballSpeed * settlingSteps * bridgeStep);
    const double steps = way / (ballSpeed * bridgeStep);
    EXPECT_NEAR(found.samples, steps, speedError * steps + 1.0);
    EXPECT_GT(found.end, length - ballStart - 2.0 * ballSpeed * bridgeStep);
}

Crossing cross(Contact contact) {
    const auto model = makeBridge(contact);
    EXPECT_EQ(model->contactSurface.exists(), contact == Contact::AsReduced);
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
    scene.step(240, bridgeStep);  // it sags by its own weight
    const auto middle = bridge->locate(btVector3(btScalar(length / 2), btScalar(width / 2), btScalar(height / 2)));
    const double rest = static_cast<double>(bridge->getPointPosition(middle).z());
    btRigidBody* ball = addBall(scene);
    const Crossing found = roll(scene, *ball, *bridge, Statics(*model, *bridge), rest);
    print(found);
    return found;
}

void expectInfluenceLine(const Crossing& found) {
    expectWholeWay(found);
    EXPECT_LT(found.worstStatic, 0.02 * found.largest);
    EXPECT_LT(found.worstTheory, 0.05 * found.largest);
    EXPECT_NEAR(found.largest, theory(length / 2), 0.05 * found.largest);
}

// A bar of 20 to 1 whose sides meet at sharp edges is a solid (reduce/StrandShape.h). The ball stands between its
// surface points nearly everywhere: carried by the nearest one it shook the bridge by 31 % of its deepest.
TEST(Bridge, BallRollsOverItAlongTheInfluenceLine) {
    expectInfluenceLine(cross(Contact::AsReduced));
}

TEST(Bridge, BallRollsOverSpheresLaidByHand) {
    expectInfluenceLine(cross(Contact::LaidByHand));
}

}  // namespace
