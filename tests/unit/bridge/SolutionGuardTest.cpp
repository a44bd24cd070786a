// SPDX-License-Identifier: Zlib
// The guard over solutions leaves alone what a solve takes back of the impulses that it has begun with, of contacts and
// of couplings.
#include <gtest/gtest.h>

#include <algorithm>

#include "CharacterWorld.h"
#include "btPliant/joints/JointWriteBack.h"

namespace {

using namespace pliant::test;

constexpr double kThickness = 0.1;  // m, from the bones to the surface

// Bones press flesh into the ground and rise from it: the impulses that have held it are taken back within a few steps,
// which changes q' by as much as they have given, while hardly anything moves.
TEST(SolutionGuard, ALoadThatGoesIsNotDivergence) {
    constexpr double h = 1.0 / 240.0, depth = 0.02;
    for (const double speed : {0.02, 0.05, 0.1, 0.2}) {
        CharacterWorld w;
        w.addGround()->setFriction(btScalar(0.8));
        btPliantCharacterInfo info = standing({}, btVector3(0, btScalar(kThickness), 0));
        info.m_damping = {4.0, 0.002};
        btPliantCharacter* bar = w.add(info);
        double height = kThickness;
        const auto rise = [&](double by) {
            height += by;
            bar->setMeshTransform(
                btTransform(btQuaternion::getIdentity(), btVector3(0, static_cast<btScalar>(height), 0)));
            w.step(1, h);
        };
        for (int i = 0; i < 240; ++i) rise(-depth / 240);
        for (int i = 0; i < 240; ++i) rise(0.0);
        const double pressed = bar->getReducedCoordinates().norm();
        ASSERT_GT(w.system->getStats().m_contacts, 0);
        for (int i = 0; i < std::min(240.0, 2.0 * depth / (speed * h)); ++i) {
            rise(speed * h);
            ASSERT_EQ(bar->getStatus(), pliant::BodyStatus::Ok) << speed << " m/s, step " << i;
        }
        EXPECT_LT(bar->getReducedCoordinates().norm(), 0.3 * pressed) << speed << " m/s: nothing has pressed it";
    }
}

/// J, of one row of a tool's coupling. @param start, end its impulse before the solve and behind it, N s
double workOfCoupling(double start, double end) {
    btPliantInternal::JointConstraints all;
    btPliantInternal::JointConstraintRow row;
    row.isCoupling = true;
    row.frameInverseMass = btScalar(0.5);  // 1/kg
    row.modalInverseMass = btScalar(0.25);
    row.targetVelocity = row.freeFrameVelocity = btScalar(1e3);  // what rows with a velocity to reach are asked for
    row.startImpulse = static_cast<btScalar>(start);
    row.row.impulse = static_cast<btScalar>(end);
    all.rows.push_back(row);
    return btPliantInternal::workOfJoints(all);
}

// What the impulses of a coupling may move is d'W d of their change d: modes begin with the impulses of the step
// before, frames without, and the larger change counts. A device that lets go has no impulse in the end.
TEST(SolutionGuard, CountsWhatACouplingTakesBack) {
    constexpr double mobility = 0.75, rounding = 1e-5;
    EXPECT_NEAR(workOfCoupling(0.0, 2.0), 4.0 * mobility, rounding);
    EXPECT_NEAR(workOfCoupling(2.0, 2.0), 4.0 * mobility, rounding) << "frames begin without";
    EXPECT_NEAR(workOfCoupling(2.0, 0.0), 4.0 * mobility, rounding) << "it lets go";
    EXPECT_NEAR(workOfCoupling(2.0, -1.0), 9.0 * mobility, rounding);
}

}  // namespace
