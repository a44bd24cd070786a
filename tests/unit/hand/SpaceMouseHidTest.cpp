// SPDX-License-Identifier: Zlib
// Caps that are read without a service: their reports, and a hidapi of the tests' own.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <memory>
#include <string>

#include "MockHidapi.h"
#include "pliant/hand/CapReports.h"
#include "pliant/hand/DeviceGuard.h"
#include "pliant/hand/SpaceMouseHidDevice.h"
#include "pliant/math/Error.h"

namespace pliant::test {
namespace {

constexpr double kQuarterTurn = 1.5707963267948966;  // A second, of a full deflection.

CapReport take(std::initializer_list<unsigned char> report, CapState& state) {
    return takeCapReport(report.begin(), report.size(), state);
}

// Axes are 16 bits of two's complement, the lower byte first: 350 = 0x015e, -350 = 0xfea2, 1 = 0x0001, -2 = 0xfffe.
TEST(CapReports, OfThreeAxesHavePushesAndTurns) {
    CapState cap;
    EXPECT_EQ(take({1, 0x5e, 0x01, 0xa2, 0xfe, 0x01, 0x00}, cap), CapReport::Motion);
    EXPECT_EQ(cap.axes, (std::array<std::int16_t, 6>{350, -350, 1, 0, 0, 0}));
    EXPECT_EQ(take({2, 0xfe, 0xff, 0x00, 0x01, 0xff, 0x00}, cap), CapReport::Motion);
    EXPECT_EQ(cap.axes, (std::array<std::int16_t, 6>{350, -350, 1, -2, 256, 255}));
    EXPECT_EQ(take({1, 0, 0, 0, 0, 0, 0}, cap), CapReport::Motion);
    EXPECT_EQ(cap.axes, (std::array<std::int16_t, 6>{0, 0, 0, -2, 256, 255})) << "pushes and turns come by turns";
}

TEST(CapReports, OfSixAxesHaveAll) {
    CapState cap;
    EXPECT_EQ(take({1, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 0xfa, 0xff}, cap), CapReport::Motion);
    EXPECT_EQ(cap.axes, (std::array<std::int16_t, 6>{1, 2, 3, 4, 5, -6}));
}

TEST(CapReports, HaveButtonsAsAMask) {
    CapState cap;
    EXPECT_EQ(take({3, 2, 0}, cap), CapReport::Buttons);
    EXPECT_EQ(cap.buttons, 2u);
    EXPECT_EQ(take({3, 1, 0, 0, 0x80, 0xff, 0xff}, cap), CapReport::Buttons);
    EXPECT_EQ(cap.buttons, 0x80000001u) << "32 of 48";
    EXPECT_EQ(take({3, 0}, cap), CapReport::Buttons);
    EXPECT_EQ(cap.buttons, 0u);
    EXPECT_EQ(cap.axes, (std::array<std::int16_t, 6>{}));
}

// Nothing of a report that is cut, too long, of another kind or empty is taken: half of a pair of bytes would be a
// push.
TEST(CapReports, ThatAreNoneChangeNothing) {
    CapState cap;
    take({1, 9, 0, 8, 0, 7, 0}, cap);
    take({3, 5}, cap);
    unsigned char report[65];
    std::fill(std::begin(report), std::end(report), static_cast<unsigned char>(0x7f));
    for (int number = 0; number < 256; ++number)
        for (std::size_t length = 0; length <= sizeof report; ++length) {
            report[0] = static_cast<unsigned char>(number);
            const bool isMotion = (number == 1 && (length == 7 || length == 13)) || (number == 2 && length == 7);
            if (isMotion || (number == 3 && length >= 2)) continue;
            EXPECT_EQ(takeCapReport(report, length, cap), CapReport::Other) << number << ", " << length;
        }
    EXPECT_EQ(cap.axes, (std::array<std::int16_t, 6>{9, 8, 7, 0, 0, 0}));
    EXPECT_EQ(cap.buttons, 5u);
}

// USB HID Usage Tables 4.2: caps have X to the right, Y to the user and Z down, which is right-handed, and so are
// turns.
TEST(CapReports, PointTheWayOfTheHand) {
    CapState cap;
    take({1, 0x5e, 0x01, 0x5e, 0x01, 0x5e, 0x01, 0x5e, 0x01, 0x5e, 0x01, 0x5e, 0x01}, cap);
    Vector6 expected;
    expected << 1, -1, -1, 1, -1, -1;
    EXPECT_EQ(deflectionsOf(cap), expected);
    take({1, 0, 0x80, 0, 0x80, 0xff, 0x7f}, cap);
    EXPECT_EQ(deflectionsOf(cap).head<3>(), Vector3(-32768, 32768, -32767) / 350.0) << "saturated axes keep their sign";
}

/// A cap at the other end of hidapi.
class SpaceMouseHid : public ::testing::Test {
protected:
    SpaceMouseHid() : m_library(dlopen(PLIANT_MOCK_HIDAPI, RTLD_NOW)) {
        if (!m_library) throw Error("MockHidapi", dlerror());
        state = reinterpret_cast<MockHidapiState>(dlsym(m_library, "mock_hidapi_state"))();
        m_send = reinterpret_cast<MockHidapiSend>(dlsym(m_library, "mock_hidapi_send"));
        *state = {};
    }
    ~SpaceMouseHid() override {
        device.reset();
        EXPECT_EQ(state->open, 0);
        EXPECT_EQ(state->listed, 0);
        dlclose(m_library);
    }
    void plugIn() { device = std::make_unique<SpaceMouseHidDevice>(ToolPose(), RateSettings(), PLIANT_MOCK_HIDAPI); }
    void send(std::initializer_list<unsigned char> report) const { m_send(report.begin(), report.size()); }
    /// What an error says of a cap that cannot be used.
    std::string problem(const std::string& library = PLIANT_MOCK_HIDAPI) {
        try {
            SpaceMouseHidDevice({}, {}, library);
        } catch (const Error& error) {
            return error.what();
        }
        return "no error";
    }
    /// Whether there is a pose after a tenth of a second more.
    bool read() { return device->read(time += 0.1, pose); }

    MockHidapi* state = nullptr;
    std::unique_ptr<SpaceMouseHidDevice> device;
    ToolPose pose;
    double time = 0.0;

private:
    void* m_library;
    MockHidapiSend m_send = nullptr;
};

TEST_F(SpaceMouseHid, ItsCapMovesTheHand) {
    plugIn();
    EXPECT_EQ(state->listed, 0);
    EXPECT_TRUE(read());
    EXPECT_EQ(pose.position.norm(), 0.0);
    send({1, 0x5e, 0x01, 0xa2, 0xfe, 0x5e, 0x01});
    EXPECT_TRUE(read());
    EXPECT_TRUE(pose.position.isApprox(Vector3(0.03, 0.03, -0.03), 1e-12)) << pose.position.transpose();
    send({1, 0, 0, 0, 0, 0, 0});
    send({2, 0, 0, 0, 0, 0xa2, 0xfe});
    EXPECT_TRUE(read());
    EXPECT_TRUE(poseGap({}, pose).tail<3>().isApprox(Vector3(0, 0, 0.1 * kQuarterTurn), 1e-12))
        << "counter-clockwise, seen from above";
    EXPECT_EQ(pose.position, Vector3(0.03, 0.03, -0.03)) << "it does not go on";
    send({3, 2, 0});
    EXPECT_TRUE(read());
    EXPECT_EQ(device->buttons(), 2u);
}

// No cap says more than its 16 bits have, and none makes the hand faster than a full push does.
TEST_F(SpaceMouseHid, SaturatedAxesAreFullPushes) {
    plugIn();
    EXPECT_TRUE(read());
    send({1, 0xff, 0x7f, 0, 0x80, 0, 0});
    EXPECT_TRUE(read());
    EXPECT_TRUE(pose.position.isApprox(Vector3(0.03, 0.03, 0), 1e-12)) << pose.position.transpose();
}

TEST_F(SpaceMouseHid, ItIsFoundAmongDevicesOfEitherMaker) {
    for (const int vendor : {0x256f, 0x046d}) {
        state->vendor = static_cast<unsigned short>(vendor);
        plugIn();
        EXPECT_EQ(state->open, 1) << vendor;
        device.reset();
    }
}

// A cap that is pushed says so all the time; when its receiver hears nothing of it, the hand is not to go on for ever.
TEST_F(SpaceMouseHid, OneThatFallsSilentWhilePushedLetsGo) {
    plugIn();
    DeviceGuard guard(HandLimits{}, pose);
    EXPECT_TRUE(read());
    send({1, 0x5e, 0x01, 0, 0, 0, 0});
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(read()) << "it stutters, for a quarter of a second at most";
    const Vector3 last = pose.position;
    EXPECT_NEAR(last.x(), 0.09, 1e-12);
    for (int i = 0; i < 20; ++i) guard.step(read() ? &pose : nullptr, 0.1);
    EXPECT_EQ(guard.status(), DeviceStatus::Vanished);
    EXPECT_EQ(guard.hold(), 0.0);
    EXPECT_EQ(pose.position, last);
    send({1, 0, 0, 0, 0, 0, 0});
    EXPECT_TRUE(read()) << "it is back";
    EXPECT_EQ(pose.position, last);
    for (int i = 0; i < 20; ++i) EXPECT_TRUE(read()) << "a cap that rests is silent, too";
}

TEST_F(SpaceMouseHid, OneThatIsUnpluggedHasVanished) {
    plugIn();
    EXPECT_TRUE(read());
    state->isPlugged = false;
    EXPECT_FALSE(read());
    state->isPlugged = true;
    EXPECT_FALSE(read()) << "what is plugged in later is another device";
}

// A flood of reports takes no cycle, and none is lost.
TEST_F(SpaceMouseHid, AFloodOfReportsIsReadBitByBit) {
    plugIn();
    EXPECT_TRUE(read());
    for (int i = 0; i < 100; ++i) send({1, 0, 0, 0, 0, 0, 0});
    send({1, 0x5e, 0x01, 0, 0, 0, 0});
    EXPECT_TRUE(read());
    EXPECT_EQ(pose.position.norm(), 0.0);
    EXPECT_TRUE(read());
    EXPECT_NEAR(pose.position.x(), 0.03, 1e-12);
}

TEST_F(SpaceMouseHid, WhatIsMissingIsTold) {
    EXPECT_EQ(problem("libhidapi_none.so"),
              "SpaceMouse: libhidapi_none.so is not there; install hidapi (Debian: libhidapi-hidraw0)");
    EXPECT_EQ(problem("libm.so.6"), "SpaceMouse: libm.so.6 is no hidapi; install hidapi (Debian: libhidapi-hidraw0)");
    state->vendor = 0;
    EXPECT_EQ(problem(), "SpaceMouse: there is none; plug one or its receiver in");
    state->vendor = 0x256f;
    state->mayBeRead = false;
    const std::string denied = "SpaceMouse: cap cannot be opened; give your user the right to read and write it";
    EXPECT_EQ(problem(), denied);
    state->mayBeRead = true;
    state->mayBeAsked = false;
    EXPECT_EQ(problem(), denied);
}

}  // namespace
}  // namespace pliant::test
