// SPDX-License-Identifier: Zlib
// When two things that move straight through a step first come near each other: conservative advancement.
#pragma once

namespace pliant {

/// First time in [0, 1] at which gap(t), metres, is at most `margin`; the gap must not shrink faster than by `fastest`
/// metres in the whole step. Comes from below and stops within a hundredth of `resolution` metres above the margin, or
/// where 32 steps have come no farther: what grazes is taken to touch.
/// @return whether there is one, in `time`
template <typename Gap>
bool timeOfImpact(double fastest, double margin, double resolution, const Gap& gap, double& time) {
    constexpr int kSteps = 32;
    time = 0.0;
    for (int i = 0; i < kSteps; ++i) {
        const double left = gap(time) - margin;
        if (left <= 0.01 * resolution) return true;
        if (!(left < (1.0 - time) * fastest)) return false;  // NaN included
        time += left / fastest;
    }
    return true;
}

}  // namespace pliant
