// SPDX-License-Identifier: Zlib
/// @file
/// A SpaceMouse as a device of six degrees of freedom, without a service between.
#pragma once

#include <string>

#include "pliant/hand/CapReports.h"
#include "pliant/hand/HandDevice.h"
#include "pliant/hand/RateHand.h"

namespace pliant {

/// The cap of a SpaceMouse as SpaceMouseDevice has it, read from the device itself. That is done by hidapi, which is
/// loaded when a device is made, and not before; no service has to run, and the user needs the right to read the
/// device. Any cap of 3Dconnexion's that the system has as a controller of several axes will do, with a cable or a
/// receiver.
class PLIANT_API SpaceMouseHidDevice : public HandDevice {
public:
    /// Opens the first cap that is plugged in. Throws Error when the library or a cap is not there, or the cap cannot
    /// be read.
    /// @param pose where the hand is  @param library file of hidapi: of its kind that reads Linux' hidraw, since the
    /// other one does not tell which devices are caps
    SpaceMouseHidDevice(const ToolPose& pose, const RateSettings& settings,
                        const std::string& library = "libhidapi-hidraw.so.0");
    ~SpaceMouseHidDevice() override;
    SpaceMouseHidDevice(const SpaceMouseHidDevice&) = delete;
    SpaceMouseHidDevice& operator=(const SpaceMouseHidDevice&) = delete;
    /// False once the cap is unplugged, and as long as one that was pushed says nothing, as out of the reach of its
    /// receiver: what it said last is no longer meant.
    bool read(double time, ToolPose& pose) override;
    void write(double time, const Wrench& wrench) override;
    /// Bit i is set while button i of the cap is down, as of the last reading.
    std::uint32_t buttons() const { return m_cap.buttons; }

private:
    void takeReports(double time);
    bool isPushed() const;

    RateHand m_hand;
    double m_deadZone;
    CapState m_cap;
    double m_heard = 0.0;  ///< When the cap said last how it is pushed, s.
    bool m_isThere = true;
    void* m_library = nullptr;
    void* m_device = nullptr;  ///< Of hidapi.
    int (*m_read)(void*, unsigned char*, std::size_t) = nullptr;
    void (*m_close)(void*) = nullptr;
};

}  // namespace pliant
