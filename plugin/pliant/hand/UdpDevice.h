// SPDX-License-Identifier: Zlib
/// @file
/// A device at the other end of a socket: any arm, simulator or script.
#pragma once

#include <cstdint>
#include <string>

#include "pliant/hand/HandDevice.h"

namespace pliant {

/// Poses in, wrenches out, as datagrams of UDP over IPv4. All numbers are 8 bytes of IEEE 754 in the machine's own
/// order. In, 64 bytes: the sender's time (s), position x, y, z (m), quaternion w, x, y, z. Out, 56 bytes, to whoever
/// sent the last pose: time of the cycle (s), force (N), torque (N m). Of several poses the newest is taken; datagrams
/// of another size are passed over.
class PLIANT_API UdpDevice : public HandDevice {
public:
    /// Listens. Throws Error when the address is none, or the port is taken.
    /// @param port 0: the system chooses one  @param address of this machine; "0.0.0.0": all of them
    explicit UdpDevice(std::uint16_t port, const std::string& address = "127.0.0.1");
    ~UdpDevice() override;
    UdpDevice(const UdpDevice&) = delete;
    UdpDevice& operator=(const UdpDevice&) = delete;
    bool read(double time, ToolPose& pose) override;
    void write(double time, const Wrench& wrench) override;
    /// The port that it listens at.
    std::uint16_t port() const { return m_port; }

private:
    int m_socket = -1;
    std::uint16_t m_port = 0;
    std::uint32_t m_peerAddress = 0;  ///< Of the last sender, in the order of the network; with port 0 there is none.
    std::uint16_t m_peerPort = 0;
};

}  // namespace pliant
