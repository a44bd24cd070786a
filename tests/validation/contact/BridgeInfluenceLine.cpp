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
/// From one contact sphere to the next, m, where `pliant reduce` makes them for a bar of 20 to 1.
constexpr double sphereSpacing = 1.0 / 30.0;

btRigidBody* addBall(TestWorld& scene) {
    btRigidBody* ball = scene.addRigid(new btSphereShape(btScalar(0.15)), ballMass,
                                       btVector3(btScalar(ballStart), btScalar(width / 2), btScalar(height + 0.149)));
    ball->setFriction(1);
    ball->setActivationState(DISABLE_DEACTIVATION);
    ball->setLinearFactor(btVector3(1, 0, 1));
    ball->setAngularFactor(btVector3(0, 1, 0));
    return ball;
}

/// Mean of a difference while the ball was over one spacing of the spheres.
struct Window {
    int place = 0, samples = 0;
    double sum = 0.0;
    double mean() const { return sum / samples; }
};

/// What the middle sinks by while the ball crosses the bridge, m.
struct Crossing {
    double largest = 0.0;
    double worstStatic = 0.0, worstTheory = 0.0;  ///< Farthest from the model's statics, and from beam theory.
    std::vector<Window> windows;                  ///< Of the difference to the model's statics.
    int samples = 0;
    double end = 0.0;  ///< Where the ball was last, m.
};

void addSample(double x, double sunk, double statics, Crossing& found) {
    found.largest = std::max(found.largest, sunk);
    found.worstStatic = std::max(found.worstStatic, std::abs(sunk - statics));
    found.worstTheory = std::max(found.worstTheory, std::abs(sunk - theory(x)));
    found.end = x;
    ++found.samples;
    const int place = static_cast<int>(x / sphereSpacing);
    if (found.windows.empty() || found.windows.back().place != place) found.windows.push_back({place, 0, 0.0});
    found.windows.back().sum += sunk - statics;
    ++found.windows.back().samples;
}

/// The first and the last window, over which the ball was for a part of its way only, are left out.
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
    if (found.windows.size() > 2) found.windows = {found.windows.begin() + 1, found.windows.end() - 1};
    return found;
}

/// In shares of the deepest of beam theory.
void print(const Crossing& found) {
    const double percent = 100.0 / theory(length / 2);
    double least = 0.0, most = 0.0;
    for (const Window& window : found.windows) {
        least = std::min(least, percent * window.mean());
        most = std::max(most, percent * window.mean());
    }
    std::printf(
        "deepest %.4f mm (beam theory %.4f mm); off the model's statics by %.2f %%, off beam theory by %.2f %%; "
        "means over a spacing of spheres off the statics by %.2f to %.2f %%; %d samples\n",
        1e3 * found.largest, 1e3 * theory(length / 2), percent * found.worstStatic, percent * found.worstTheory, least,
        most, found.samples);
}

/// It was looked at all the way to the other end: from 0.5 m to within a step of 1.7 m. What the ball goes by in a step
/// is what contacts leave of its speed, within `speedError` of it.
void expectWholeWay(const Crossing& found, double speedError) {
    const double way = length - ballStart - (ballStart + ballSpeed * settlingSteps * bridgeStep);
    const double steps = way / (ballSpeed * bridgeStep);
    EXPECT_NEAR(found.samples, steps, speedError * steps + 1.0);
    EXPECT_GT(found.end, length - ballStart - 2.0 * ballSpeed * bridgeStep);
    EXPECT_GE(found.windows.size() + 3, std::floor(way / sphereSpacing)) << "the last one, and the first that it is in";
}

Crossing cross(Contact contact) {
    const auto model = makeBridge(contact);
    EXPECT_FALSE(model->contactSurface.exists()) << "a strand collides as spheres";
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

// `pliant reduce` takes a bar of 20 to 1 for a strand, with spheres as large as the bar a thirtieth of a metre apart. A
// known defect (docs/validation.md): the load goes from one of them to the next and not along the segment between them,
// 6 times a second, which is what bridge and ball swing with. The middle is off the statics by 0.305 to 0.309 of its
// deepest, in 24 runs (starts within a spacing and within the way of a step, both precisions of Bullet): the bound is
// three times that scatter above. And the load stands behind the ball, on the sphere that it leaves: by up to a
// spacing (28 to 31 mm in the mean, weighted by the impulses of the contacts), where the influence line climbs by at
// most 3 / L of its deepest for each metre (at L / 4), which is 5 %. A window that has a step more of the swing than a
// whole one, of 36 steps or more, has a 36th of what a moment is off by beside it. Measured: from -5.2 % before the
// middle to +5.0 % behind it.
TEST(Bridge, BallRollsOverItAlongTheInfluenceLineInTheMean) {
    const Crossing found = cross(Contact::AsReduced);
    expectWholeWay(found, 0.06);  // the sphere behind it pushes it on: it is 5 % faster than it is told to be
    const double deepest = theory(length / 2), moment = 0.32 * deepest;
    EXPECT_LT(found.worstStatic, moment);
    for (const Window& window : found.windows) {
        EXPECT_GE(window.samples, 36);
        EXPECT_LT(std::abs(window.mean()), sphereSpacing * 3.0 / length * deepest + moment / 36.0) << window.place;
    }
}

TEST(Bridge, BallRollsOverItAlongTheInfluenceLine) {
    const Crossing found = cross(Contact::LaidByHand);
    expectWholeWay(found, 0.001);
    EXPECT_LT(found.worstStatic, 0.02 * found.largest);
    EXPECT_LT(found.worstTheory, 0.05 * found.largest);
    EXPECT_NEAR(found.largest, theory(length / 2), 0.05 * found.largest);
}

}  // namespace
