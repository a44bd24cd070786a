// SPDX-License-Identifier: Zlib
#include "pliant/hand/CapReports.h"

#include <algorithm>

namespace pliant {

namespace {

constexpr std::size_t kThreeAxes = 7, kSixAxes = 13;  // Bytes, with the number of the report.
constexpr double kFullPush = 350.0;

std::int16_t axisAt(const unsigned char* bytes) {
    const int value = bytes[0] | bytes[1] << 8;
    return static_cast<std::int16_t>(value < 0x8000 ? value : value - 0x10000);
}

void takeAxes(const unsigned char* report, std::size_t first, std::size_t count, CapState& state) {
    for (std::size_t i = 0; i < count; ++i) state.axes[first + i] = axisAt(report + 1 + 2 * i);
}

}  // namespace

CapReport takeCapReport(const unsigned char* report, std::size_t length, CapState& state) {
    if (length < 2) return CapReport::Other;
    if (report[0] == 1 && (length == kThreeAxes || length == kSixAxes)) {
        takeAxes(report, 0, (length - 1) / 2, state);
        return CapReport::Motion;
    }
    if (report[0] == 2 && length == kThreeAxes) {
        takeAxes(report, 3, 3, state);
        return CapReport::Motion;
    }
    if (report[0] != 3) return CapReport::Other;
    state.buttons = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(length - 1, 4); ++i)
        state.buttons |= static_cast<std::uint32_t>(report[1 + i]) << (8 * i);
    return CapReport::Buttons;
}

Vector6 deflectionsOf(const CapState& state) {
    Vector6 deflections;
    for (int i = 0; i < 6; ++i) {
        const bool isToTheRight = i == 0 || i == 3;
        deflections[i] = (isToTheRight ? 1.0 : -1.0) * state.axes[static_cast<std::size_t>(i)] / kFullPush;
    }
    return deflections;
}

}  // namespace pliant
