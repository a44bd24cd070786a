// SPDX-License-Identifier: Zlib
#include "pliant/hand/UdpDevice.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "pliant/math/Error.h"

namespace pliant {

UdpDevice::UdpDevice(std::uint16_t port, const std::string& address) {
    const std::string where = "udp " + address + ":" + std::to_string(port);
    sockaddr_in own{};
    own.sin_family = AF_INET;
    own.sin_port = htons(port);
    if (inet_pton(AF_INET, address.c_str(), &own.sin_addr) != 1)
        throw Error(where, "the address is no IPv4 address", "write one like 127.0.0.1");
    m_socket = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    socklen_t size = sizeof own;
    if (m_socket < 0 || bind(m_socket, reinterpret_cast<const sockaddr*>(&own), size) != 0 ||
        getsockname(m_socket, reinterpret_cast<sockaddr*>(&own), &size) != 0) {
        const std::string cause = std::strerror(errno);
        if (m_socket >= 0) close(m_socket);
        throw Error(where, "cannot listen: " + cause, "choose another port or address");
    }
    m_port = ntohs(own.sin_port);
}

UdpDevice::~UdpDevice() {
    close(m_socket);
}

bool UdpDevice::read(double, ToolPose& pose) {
    std::array<double, 9> data;  // One number longer than a pose, to see what is too long.
    bool found = false;
    // Bounded, so that a flood of datagrams cannot hold the cycle.
    for (int i = 0; i < 64; ++i) {
        sockaddr_in peer{};
        socklen_t size = sizeof peer;
        const ssize_t length =
            recvfrom(m_socket, data.data(), sizeof data, 0, reinterpret_cast<sockaddr*>(&peer), &size);
        if (length < 0) break;
        if (length != 8 * static_cast<ssize_t>(sizeof(double))) continue;
        pose.position = Vector3(data[1], data[2], data[3]);
        pose.rotation = Rotation(data[4], data[5], data[6], data[7]);
        m_peerAddress = peer.sin_addr.s_addr;
        m_peerPort = peer.sin_port;
        found = true;
    }
    return found;
}

void UdpDevice::write(double time, const Wrench& wrench) {
    if (m_peerPort == 0) return;
    std::array<double, 7> data{time};
    for (int i = 0; i < 6; ++i) data[static_cast<std::size_t>(i) + 1] = wrench.vector()[i];
    sockaddr_in peer{};
    peer.sin_family = AF_INET;
    peer.sin_addr.s_addr = m_peerAddress;
    peer.sin_port = m_peerPort;
    // Datagrams may be lost anyway: one that cannot be sent is no failure of the cycle.
    (void)sendto(m_socket, data.data(), sizeof data, 0, reinterpret_cast<const sockaddr*>(&peer), sizeof peer);
}

}  // namespace pliant
