// SPDX-License-Identifier: Zlib
#pragma once

#include <algorithm>

namespace osgPliant {

/// Wall-clock time of drawing, milliseconds a frame.
struct FrameStatistics {
    int frames = 0;
    double last = 0.0;
    double total = 0.0;
    double worst = 0.0;

    double mean() const { return frames > 0 ? total / frames : 0.0; }
    void add(double milliseconds) {
        ++frames;
        last = milliseconds;
        total += milliseconds;
        worst = std::max(worst, milliseconds);
    }
};

}  // namespace osgPliant
