// SPDX-License-Identifier: Zlib
// Devices: files of paths, records and their replay, faults, datagrams.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <sstream>

#include "PointSetContact.h"
#include "pliant/hand/HandLoop.h"
#include "pliant/hand/UdpDevice.h"
#include "pliant/math/Error.h"

namespace pliant::test {
namespace {

const std::string header = "time [s],x [m],y [m],z [m],qw,qx,qy,qz\n";

HandPath pathOf(const std::string& text) {
    std::istringstream in(text);
    return readHandPath(in, "p.csv");
}

std::string messageOf(const std::string& text) {
    try {
        pathOf(text);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST(HandPath, GoesStraightAndTurnsTheShorterWayBetweenKeys) {
    const HandPath path = pathOf(header + "0,0,0,0,1,0,0,0\r\n\n2,0.2,0,0,-2,0,0,-2\n");
    EXPECT_NEAR(path.at(1.0).position.x(), 0.1, 1e-15);
    const Vector3 turn = poseGap(ToolPose(), path.at(1.0)).tail<3>();
    EXPECT_LT((turn - Vector3(0, 0, pi / 4)).norm(), 1e-14);
    EXPECT_EQ(path.at(-1.0).position.x(), 0.0);
    EXPECT_EQ(path.at(9.0).position.x(), 0.2);
}

TEST(HandPath, TellsLineCauseAndCure) {
    EXPECT_EQ(messageOf("t,x\n"), "p.csv:1: the header is 't,x'; write 'time [s],x [m],y [m],z [m],qw,qx,qy,qz'");
    EXPECT_EQ(messageOf(header), "p.csv: the path has no pose; give at least one line below the header");
    EXPECT_EQ(messageOf(header + "0,0,0,0,1,0,0,0\n1,0,zero,0,1,0,0,0\n"),
              "p.csv:3: number 3 of 8 is missing or no number; give 8");
    EXPECT_EQ(messageOf(header + "0,0,0,0,1,0,0\n"), "p.csv:2: number 7 of 8 is followed by ''; put a comma there");
    EXPECT_EQ(messageOf(header + "0,0,0,0,1,0,0,0,5\n"),
              "p.csv:2: number 8 of 8 is followed by ',5'; end the line there");
    EXPECT_EQ(messageOf(header + "0,nan,0,0,1,0,0,0\n"), "p.csv:2: number 2 of 8 is not finite; leave the line out");
    EXPECT_EQ(messageOf(header + "0,0,0,0,0,0,0,0\n"), "p.csv:2: the quaternion is zero; 1,0,0,0 is no rotation");
    EXPECT_EQ(messageOf(header + "1,0,0,0,1,0,0,0\n1,0,0,0,1,0,0,0\n"),
              "p.csv:3: the time is not after that of the line before; sort the lines by time");
}

TEST(RecordDevice, IsReplayedWithTheSameBits) {
    const HandPath path = pathOf(header + "0,0,0,0,1,0,0,0\n0.1,0.01,0.02,-0.03,0.9,0.1,0.3,0.2\n");
    RecordDevice device(std::make_unique<PathDevice>(path), 100);
    std::vector<ToolPose> poses;
    for (int i = 0; i < 101; ++i) {
        ToolPose pose;
        ASSERT_TRUE(device.read(1e-3 * i, pose));
        Wrench felt;
        felt.force.x() = i / 3.0;
        device.write(1e-3 * i, felt);
        poses.push_back(pose);
    }
    EXPECT_EQ(device.record().keys.size(), 100u);
    EXPECT_EQ(device.lost(), 1u);
    std::stringstream file;
    writeHandPath(file, device.record());
    PathDevice replay(readHandPath(file, "record"));
    for (int i = 0; i < 100; ++i) {
        ToolPose pose;
        replay.read(1e-3 * i, pose);
        ASSERT_EQ(pose.position, poses[static_cast<std::size_t>(i)].position) << i;
        ASSERT_EQ(pose.rotation.coeffs(), poses[static_cast<std::size_t>(i)].rotation.coeffs()) << i;
    }
    std::istringstream again(file.str());
    EXPECT_EQ(readHandPath(again, "record").keys[50].felt.force.x(), 50 / 3.0);
}

TEST(MockDevice, FailsWhenToldTo) {
    MockDevice device(std::make_unique<IdentityDevice>(), {{0.1, 0.2, false}, {0.3, 0.4, true}});
    HandLoop loop{HandSettings(), ToolPose()};
    int silent = 0, broken = 0;
    for (int i = 0; i < 500; ++i) {
        ToolPose pose;
        const bool read = device.read(1e-3 * i, pose);
        silent += !read;
        broken += read && !isFinite(pose);
        const HandCycle cycle = loop.step(read ? &pose : nullptr, {}, 1e-3);
        device.write(1e-3 * i, cycle.felt);
        if (i == 199) {
            EXPECT_EQ(cycle.status, DeviceStatus::Vanished);
        }
        if (i == 399) {
            EXPECT_EQ(cycle.status, DeviceStatus::NotFinite);
        }
        if (i == 499) {
            EXPECT_EQ(cycle.status, DeviceStatus::Ready);
        }
    }
    EXPECT_EQ(silent, 100);
    EXPECT_EQ(broken, 100);
    EXPECT_TRUE(device.lastWrench().vector().allFinite());
}

/// The other end of a UdpDevice.
class Peer {
public:
    explicit Peer(std::uint16_t port) : m_socket(socket(AF_INET, SOCK_DGRAM, 0)) {
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(port);
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (connect(m_socket, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) ADD_FAILURE();
    }
    ~Peer() { close(m_socket); }
    void send(const std::vector<double>& data) const {
        const std::size_t size = data.size() * sizeof(double);
        EXPECT_EQ(::send(m_socket, data.data(), size, 0), static_cast<ssize_t>(size));
    }
    /// Numbers of the next datagram; none when it does not come within a second.
    std::vector<double> receive() const {
        pollfd waiting{m_socket, POLLIN, 0};
        std::vector<double> data(16);
        if (poll(&waiting, 1, 1000) != 1) return {};
        const ssize_t size = recv(m_socket, data.data(), data.size() * sizeof(double), 0);
        data.resize(static_cast<std::size_t>(size) / sizeof(double));
        return data;
    }

private:
    int m_socket;
};

TEST(UdpDevice, TakesTheNewestPoseAndAnswersItsSender) {
    UdpDevice device(0);
    ToolPose pose;
    Wrench wrench;
    EXPECT_FALSE(device.read(0.0, pose));
    device.write(0.0, wrench);  // to nobody
    const Peer peer(device.port());
    peer.send({0.1, 9, 9, 9, 1, 0, 0, 0});
    peer.send({0.2, 1, 2, 3, 0, 0, 1, 0});
    peer.send({0.3, 4, 5, 6});                    // too short
    peer.send({0.4, 7, 7, 7, 1, 0, 0, 0, 8, 8});  // too long
    ASSERT_TRUE(device.read(0.0, pose));
    EXPECT_EQ(pose.position, Vector3(1, 2, 3));
    EXPECT_EQ(pose.rotation.y(), 1.0);
    EXPECT_FALSE(device.read(0.0, pose)) << "nothing new";
    wrench.force = Vector3(1, 2, 3);
    wrench.torque = Vector3(4, 5, 6);
    device.write(0.5, wrench);
    EXPECT_EQ(peer.receive(), (std::vector<double>{0.5, 1, 2, 3, 4, 5, 6}));
}

TEST(UdpDevice, TellsWhyItCannotListen) {
    const UdpDevice first(0);
    try {
        const UdpDevice second(first.port());
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("cannot listen: "), std::string::npos) << error.what();
    }
    try {
        const UdpDevice wrong(0, "localhost");
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "udp localhost:0: the address is no IPv4 address; write one like 127.0.0.1");
    }
}

}  // namespace
}  // namespace pliant::test
