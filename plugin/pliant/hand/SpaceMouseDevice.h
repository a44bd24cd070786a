// SPDX-License-Identifier: Zlib
/// @file
/// A SpaceMouse as a device of six degrees of freedom.
#pragma once

#include <string>

#include "pliant/hand/HandDevice.h"
#include "pliant/hand/RateHand.h"

namespace pliant {

/// The cap of a SpaceMouse: pushes and turns of it move and turn the hand. It is read through libspnav and its service
/// spacenavd, which are loaded when a device is made, and not before.
class PLIANT_API SpaceMouseDevice : public HandDevice {
public:
    /// Throws Error when the library or the service is not there, or another device of this process has it.
    /// @param pose where the hand is  @param library file of libspnav
    SpaceMouseDevice(const ToolPose& pose, const RateSettings& settings, const std::string& library = "libspnav.so.0");
    ~SpaceMouseDevice() override;
    SpaceMouseDevice(const SpaceMouseDevice&) = delete;
    SpaceMouseDevice& operator=(const SpaceMouseDevice&) = delete;
    /// False once the service is gone: what its cap said last is no longer meant.
    bool read(double time, ToolPose& pose) override;
    void write(double time, const Wrench& wrench) override;

private:
    RateHand m_hand;
    void* m_library = nullptr;
    int m_socket = -1;  ///< of the service; libspnav closes it
    int (*m_poll)(void*) = nullptr;
    int (*m_close)() = nullptr;
};

}  // namespace pliant
