// SPDX-License-Identifier: Zlib
// Devices that say how fast and not where: gamepads and caps.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <linux/input.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmath>
#include <limits>
#include <memory>

#include "pliant/hand/DeviceGuard.h"
#include "pliant/hand/GamepadDevice.h"
#include "pliant/hand/SpaceMouseDevice.h"
#include "pliant/math/Error.h"

namespace pliant::test {
namespace {

constexpr double kQuarter = 1.5707963267948966;

TEST(RateHand, GoesAsFastAsItIsDeflected) {
    RateHand hand({}, {});
    hand.at(3.0);
    hand.deflect(1, 1.0);
    for (int i = 1; i <= 100; ++i) hand.at(3.0 + 0.01 * i);
    EXPECT_TRUE(hand.at(4.0).position.isApprox(Vector3(0, 0.3, 0), 1e-12)) << "0.3 m/s, away";
    hand.deflect(1, 0.0);
    hand.deflect(5, -1.0);
    for (int i = 1; i <= 100; ++i) hand.at(4.0 + 0.01 * i);
    EXPECT_NEAR(poseGap({}, hand.at(5.0))[5], -kQuarter, 1e-12) << "90 degrees a second";
}

TEST(RateHand, RestsInItsDeadZoneAndAfterPauses) {
    RateHand hand({}, {});
    hand.at(0.0);
    hand.deflect(0, 0.1);
    hand.deflect(1, std::numeric_limits<double>::quiet_NaN());
    hand.deflect(9, 1.0);
    EXPECT_EQ(hand.at(0.1).position.norm(), 0.0);
    hand.deflect(0, 5.0);
    EXPECT_NEAR(hand.at(60.0).position.x(), 0.03, 1e-12) << "a tenth of a second at most";
    EXPECT_NEAR(hand.at(1.0).position.x(), 0.03, 1e-12) << "time does not go back";
}

/// A gamepad at the other end of a socket.
struct Pad {
    Pad() {
        int ends[2];
        EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
        own = ends[0];
        device = std::make_unique<GamepadDevice>(ToolPose(), RateSettings(), 8.0, ends[1]);
    }
    ~Pad() { unplug(); }
    void unplug() {
        if (own >= 0) close(own);
        own = -1;
    }
    void send(int type, int code, int value) const {
        input_event event{};
        event.type = static_cast<__u16>(type);
        event.code = static_cast<__u16>(code);
        event.value = value;
        EXPECT_EQ(write(own, &event, sizeof event), static_cast<ssize_t>(sizeof event));
    }
    /// After a tenth of a second more.
    ToolPose pose() {
        ToolPose read;
        EXPECT_TRUE(device->read(time += 0.1, read));
        return read;
    }
    int own = -1;
    double time = 0.0;
    std::unique_ptr<GamepadDevice> device;
};

TEST(Gamepad, SticksAndTriggersMoveTheHand) {
    Pad pad;
    EXPECT_EQ(pad.pose().position.norm(), 0.0);
    pad.send(EV_ABS, ABS_X, 32767);
    pad.send(EV_ABS, ABS_Y, -32768);
    pad.send(EV_ABS, ABS_RZ, 255);
    EXPECT_TRUE(pad.pose().position.isApprox(Vector3(0.03, 0.03, 0.03), 1e-3));
    pad.send(EV_ABS, ABS_X, 0);
    pad.send(EV_ABS, ABS_Y, 0);
    pad.send(EV_ABS, ABS_Z, 255);  // both triggers
    const ToolPose rest = pad.pose();
    pad.send(EV_ABS, ABS_RX, 32767);
    EXPECT_GT((pad.pose().rotation * Vector3(0, -1, 0)).x(), 0.1) << "its front goes to the right";
    pad.send(EV_ABS, ABS_RX, 0);
    pad.send(EV_KEY, BTN_TR, 1);
    EXPECT_GT(poseGap(rest, pad.pose())[4], 0.1) << "it rolls";
    EXPECT_EQ(pad.pose().position, rest.position);
    pad.device->write(pad.time, {Vector3(0, 0, 5), Vector3::Zero()});  // no motors: nothing happens
}

TEST(Gamepad, OneThatIsUnpluggedLetsGo) {
    Pad pad;
    pad.pose();
    pad.unplug();
    ToolPose pose;
    DeviceGuard guard(HandLimits{}, pose);
    for (int i = 0; i < 100; ++i) {
        const bool has = pad.device->read(pad.time += 0.01, pose);
        guard.step(has ? &pose : nullptr, 0.01);
    }
    EXPECT_EQ(guard.status(), DeviceStatus::Vanished);
    EXPECT_EQ(guard.hold(), 0.0);
}

template <class Make>
std::string problemOf(const Make& make) {
    try {
        make();
    } catch (const Error& problem) {
        return problem.what();
    }
    return "no error";
}

TEST(Gamepad, OneThatIsMissingIsTold) {
    EXPECT_EQ(problemOf([] { GamepadDevice({}, {}, 8.0, std::string("/dev/input/none")); }),
              "/dev/input/none: cannot read the gamepad: No such file or directory; give your user the right to read "
              "it, or name another file");
}

TEST(SpaceMouse, ItsCapMovesTheHand) {
    SpaceMouseDevice device({}, {}, PLIANT_MOCK_SPNAV);
    ToolPose pose;
    EXPECT_TRUE(device.read(0.0, pose));
    EXPECT_TRUE(device.read(0.1, pose));
    // To libspnav z is away from the user: its spnav_posrot_moveobj() takes z and rz off where OpenGL has them towards.
    EXPECT_TRUE(pose.position.isApprox(Vector3(0.03, -0.03, 0.03), 1e-12)) << pose.position.transpose();
    EXPECT_TRUE(poseGap({}, pose).tail<3>().isApprox(Vector3(0, 0.1 * kQuarter, 0), 1e-12));
    EXPECT_EQ(problemOf([] { SpaceMouseDevice({}, {}, PLIANT_MOCK_SPNAV); }),
              "SpaceMouse: the service spacenavd does not answer; start it, and close other users of the device");
}

// A service that ends while the cap is pushed does not leave the hand going on for ever.
TEST(SpaceMouse, VanishesWithItsService) {
    SpaceMouseDevice device({}, {}, PLIANT_MOCK_SPNAV);
    ToolPose pose;
    EXPECT_TRUE(device.read(0.0, pose));
    EXPECT_TRUE(device.read(0.1, pose));
    void* library = dlopen(PLIANT_MOCK_SPNAV, RTLD_NOW | RTLD_NOLOAD);
    ASSERT_NE(library, nullptr);
    const auto endService = reinterpret_cast<void (*)()>(dlsym(library, "mock_spnav_end_service"));
    ASSERT_NE(endService, nullptr);
    endService();
    dlclose(library);
    const Vector3 last = pose.position;
    EXPECT_FALSE(device.read(0.2, pose));
    EXPECT_EQ(pose.position, last);
}

TEST(SpaceMouse, WhatIsMissingIsTold) {
    EXPECT_EQ(problemOf([] { SpaceMouseDevice({}, {}, "libspnav_none.so"); }),
              "SpaceMouse: libspnav_none.so is not there; install libspnav (Debian: libspnav0) and spacenavd");
    EXPECT_EQ(problemOf([] { SpaceMouseDevice({}, {}, "libm.so.6"); }),
              "SpaceMouse: libm.so.6 is no libspnav; install libspnav (Debian: libspnav0)");
}

}  // namespace
}  // namespace pliant::test
