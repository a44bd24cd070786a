// SPDX-License-Identifier: Zlib
// Distributed contact in one solve with a hinge and a pile: a plank that is hinged to the world at one end and lies
// with the other on a post, by distributed contact; two cubes stand on it, on each other, by everyday contact.
#include <gtest/gtest.h>

#include <cmath>

#include "WatchedWorld.h"
#include "btPliant/btPliantJoints.h"

namespace pliant::test {
namespace {

constexpr double kPlank = 0.6, kThick = 0.04, kDeep = 0.2;  // m, along x, y and z
constexpr double kPileCube = 0.1;                           // m
constexpr double kPostAt = 0.25, kPost = 0.02;              // m, from the plank's middle, and its width
constexpr double kPileAt = 0.05;                            // m, from the plank's middle
constexpr double kLayer = 5e7;                              // Pa/m

std::shared_ptr<const ReducedModel> hardBox(const Vector3& size) {
    SolidMaterial material;
    material.young = 1e9;
    return solidBox(size, material, 0.05);
}

btVector3 placeAt(double x, double y) {
    return {static_cast<btScalar>(x), static_cast<btScalar>(y), 0};
}

struct LoadedPlank {
    TestWorld scene;
    btPliantBody *plank = nullptr, *lower = nullptr, *upper = nullptr;
    btRigidBody* post = nullptr;
    std::unique_ptr<btPliantHingeConstraint> hinge;

    explicit LoadedPlank(const btPliantSystemInfo& info = TestWorld::oneThread()) : scene(info) {
        static const auto board = hardBox({kPlank, kThick, kDeep}), cube = hardBox(Vector3::Constant(kPileCube));
        btPliantBodyInfo still = damped();
        still.m_friction = btScalar(0.5);
        plank = scene.addBar(board, placeAt(0, kThick / 2), still);
        lower = scene.addBar(cube, placeAt(kPileAt, kThick + kPileCube / 2), still);
        upper = scene.addBar(cube, placeAt(kPileAt, kThick + 1.5 * kPileCube), still);
        post = scene.addRigid(new btBoxShape(btVector3(btScalar(kPost / 2), btScalar(0.05), btScalar(0.2))), 0,
                              placeAt(kPostAt, -0.05));
        for (btPliantBody* body : {plank, lower, upper}) body->setActivationState(DISABLE_DEACTIVATION);
        const Vector3 end = board->meshFromBody.translation + Vector3(-kPlank / 2, 0, 0);
        hinge = std::make_unique<btPliantHingeConstraint>(
            *plank, btVector3(btScalar(end.x()), btScalar(end.y()), btScalar(end.z())), btVector3(0, 0, 1));
        scene.world.addConstraint(hinge.get());
        btPliantTouchSettings touch;
        touch.m_stiffness = kLayer;
        touch.m_damping = 0.02;
        touch.m_points = 10000;
        scene.system->setTouch(*plank, post, touch);
    }
    ~LoadedPlank() { scene.world.removeConstraint(hinge.get()); }
    LoadedPlank(const LoadedPlank&) = delete;
    LoadedPlank& operator=(const LoadedPlank&) = delete;
};

// About the hinge the moments of all weights are that of the post, whose force acts where its pressure does.
TEST(TouchAmongOthers, PostHingeAndPileCarryWhatStaticsSays) {
    LoadedPlank w;
    const btPliantContactSensor *onPlank = watch(w.scene, {w.plank}, {w.lower}),
                                *onLower = watch(w.scene, {w.lower}, {w.upper}),
                                *onPost = watch(w.scene, {w.post}, {w.plank});
    w.scene.step(720, 1.0 / 240);
    btPliantContactPatch patch;
    ASSERT_TRUE(w.scene.system->getContactPatch(*w.plank, *w.post, patch));
    const double board = weight(*w.plank), cube = weight(*w.upper);
    const double arm = static_cast<double>(patch.m_centroid.x()) + kPlank / 2;
    EXPECT_NEAR(arm, kPostAt + kPlank / 2, kPost / 2) << "on the post";
    const double pile = static_cast<double>(w.lower->getCenterOfMassPosition().x()) + kPlank / 2;
    EXPECT_NEAR(pile, kPileAt + kPlank / 2, 1e-3) << "where it was put";
    const double post = (board * kPlank / 2 + 2 * cube * pile) / arm, all = board + 2 * cube;
    EXPECT_NEAR(static_cast<double>(patch.m_force.y()), post, 2e-3 * all);
    EXPECT_NEAR(static_cast<double>(onPost->getFilteredForce().y()), -post, 2e-3 * all);
    EXPECT_NEAR(static_cast<double>(w.hinge->getLinearImpulse().y()) * 240, all - post, 2e-3 * all);
    EXPECT_NEAR(static_cast<double>(onPlank->getFilteredForce().y()), -2 * cube, 2e-3 * all);
    EXPECT_NEAR(static_cast<double>(onLower->getFilteredForce().y()), -cube, 2e-3 * all);
    // The layer is as deep as pressure over stiffness says, on the part of the post's face that it covers.
    EXPECT_NEAR(patch.m_area, kPost * kDeep, 0.1 * kPost * kDeep) << "a millimetre at each edge, of pieces of 5";
    double force = 0;
    for (const auto& point : patch.m_points) force += kLayer * point.m_depth * point.m_area * point.m_normal.y();
    EXPECT_NEAR(force, post, 5e-3 * post);
    EXPECT_LT(static_cast<double>(w.plank->getLinearVelocity().length()), 1e-4);
}

TEST(TouchAmongOthers, HaveTheSameBitsForAnyNumberOfWorkers) {
    std::vector<double> ofOne;
    for (const int threads : {1, 3}) {
        btPliantSystemInfo info;
        info.m_threads = threads;
        LoadedPlank w(info);
        w.scene.step(120, 1.0 / 240);
        std::vector<double> bits;
        for (const btPliantBody* body : {w.plank, w.lower, w.upper}) {
            for (int k = 0; k < 3; ++k) bits.push_back(static_cast<double>(body->getCenterOfMassPosition()[k]));
            for (const double q : body->getReducedCoordinates()) bits.push_back(q);
        }
        if (threads == 1) ofOne = bits;
        EXPECT_EQ(bits, ofOne) << threads;
    }
}

}  // namespace
}  // namespace pliant::test
