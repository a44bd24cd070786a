// SPDX-License-Identifier: Zlib
/// @file
/// What the caps of 3Dconnexion say of themselves by USB or radio, without a driver.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "pliant/hand/ToolPose.h"

namespace pliant {

/// What a cap has said last.
struct CapState {
    /// Pushes to the right, towards the user and down, then turns about these by the right-hand rule. Units of the
    /// device: 350 is as far as most caps go, some say 500, and nothing keeps them from any other 16 bits.
    std::array<std::int16_t, 6> axes{};
    std::uint32_t buttons = 0;  ///< Bit i is set while button i is down; no more than 32 are kept.
};

/// What a report was.
enum class CapReport {
    Motion,   ///< It has set axes.
    Buttons,  ///< It has set the buttons.
    Other     ///< It was nothing of these, such as the charge of a battery, or has not the length that it should.
};

/// Takes a report as the system hands it over. Number 1 has three pushes, or all six axes of newer caps, 2 has three
/// turns, 3 a mask of buttons; axes are 16 bits, the lower byte first. A report that is taken is taken whole.
/// @param report its bytes, the number first  @param length of them, those alone that the device has sent
PLIANT_API CapReport takeCapReport(const unsigned char* report, std::size_t length, CapState& state);

/// How far a cap is pushed and turned: to the right, away from the user, up, and about these; 1 is as far as it goes.
/// Larger where the device says so.
PLIANT_API Vector6 deflectionsOf(const CapState& state);

}  // namespace pliant
