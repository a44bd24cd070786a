// SPDX-License-Identifier: Zlib
/// @file
/// How long frames take.
#pragma once

#include <algorithm>

namespace osgPliant {

/// Wall-clock time of drawing, milliseconds a frame.
struct FrameStatistics {
    int frames = 0;      ///< Frames so far.
    double last = 0.0;   ///< Time of the last frame, ms.
    double total = 0.0;  ///< Time of all frames, ms.
    double worst = 0.0;  ///< Time of the slowest frame, ms.

    /// Mean time of a frame, ms; 0 before the first.
    double mean() const { return frames > 0 ? total / frames : 0.0; }
    /// Adds a frame.
    void add(double milliseconds) {
        ++frames;
        last = milliseconds;
        total += milliseconds;
        worst = std::max(worst, milliseconds);
    }
};

}  // namespace osgPliant
