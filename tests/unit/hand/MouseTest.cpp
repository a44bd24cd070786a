// SPDX-License-Identifier: Zlib
// A mouse as a state machine that is fed with events.
#include <gtest/gtest.h>

#include <limits>

#include "pliant/hand/MouseDevice.h"

namespace pliant::test {
namespace {

/// Looks along y, x to the right, with 2 m by 1 m to see.
MouseView alongY() {
    return {Vector3::UnitX(), Vector3::UnitZ(), 1.0, 0.5};
}

MouseHand closedHand() {
    MouseHand hand(ToolPose{});
    hand.look(alongY());
    hand.setClutch(true);
    return hand;
}

TEST(Mouse, MovesAcrossThePictureAndIntoIt) {
    MouseHand hand = closedHand();
    hand.move(0.25, -0.5);
    EXPECT_TRUE(hand.pose().position.isApprox(Vector3(0.25, 0, -0.25), 1e-15));
    hand.wheel(2);
    EXPECT_TRUE(hand.pose().position.isApprox(Vector3(0.25, 0.1, -0.25), 1e-15)) << "away from the user";
    EXPECT_TRUE(hand.pose().rotation.isApprox(Rotation::Identity()));
}

TEST(Mouse, TurnsWhatOneSeesAlongWithThePointer) {
    MouseHand hand = closedHand();
    hand.setTurning(true);
    const Vector3 front(0, -1, 0);
    hand.move(0.01, 0);
    EXPECT_GT((hand.pose().rotation * front).x(), 0.03);
    hand.move(-0.01, 0.01);
    EXPECT_GT((hand.pose().rotation * front).z(), 0.03);
    EXPECT_EQ(hand.pose().position.norm(), 0.0);
    hand.setTurning(false);
    hand.move(0.1, 0);
    EXPECT_GT(hand.pose().position.x(), 0.0);
}

TEST(Mouse, RestsWhileTheClutchIsOpen) {
    MouseHand hand = closedHand();
    hand.setTurning(true);
    hand.setClutch(false);
    EXPECT_FALSE(hand.isTurning());
    hand.setTurning(true);
    EXPECT_FALSE(hand.isTurning()) << "a button that is pressed elsewhere is not the hand's";
    hand.move(1, 1);
    hand.wheel(3);
    EXPECT_EQ(hand.pose().position.norm(), 0.0);
    hand.setClutch(true);
    hand.move(0.1, 0);
    EXPECT_NEAR(hand.pose().position.x(), 0.1, 1e-15) << "it goes on from where it rested";
}

TEST(Mouse, PassesOverWhatIsNoNumber) {
    MouseHand hand = closedHand();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    hand.move(nan, 0);
    hand.wheel(nan);
    hand.look({Vector3::Constant(nan), Vector3::UnitZ(), 1, 1});
    hand.move(0.5, 0);
    EXPECT_TRUE(hand.pose().position.isApprox(Vector3(0.5, 0, 0)));
}

TEST(Mouse, IsADeviceThatAlwaysHasAPose) {
    MouseDevice device(ToolPose{Vector3(1, 2, 3), Rotation::Identity()});
    ToolPose pose;
    EXPECT_TRUE(device.read(0, pose));
    EXPECT_EQ(pose.position, Vector3(1, 2, 3));
    device.feed([](MouseHand& hand) {
        hand.look(alongY());
        hand.setClutch(true);
        hand.move(1, 0);
    });
    EXPECT_TRUE(device.read(0.1, pose));
    EXPECT_EQ(pose.position, Vector3(2, 2, 3));
    device.write(0.1, {Vector3(0, 0, 4), Vector3::Zero()});
    EXPECT_EQ(device.felt().force.z(), 4.0);
}

}  // namespace
}  // namespace pliant::test
