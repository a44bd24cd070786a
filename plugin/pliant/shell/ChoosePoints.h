// SPDX-License-Identifier: Zlib
// Which points of a surface a shell has. Internal to makeShell.
#pragma once

#include <vector>

#include "pliant/shell/MakeShell.h"
#include "pliant/shell/SurfacePoints.h"

namespace pliant {

struct ChosenPoints {
    SurfacePoints points;
    std::vector<char> isSmooth;  ///< Whether each point lies on no sharp edge or corner.
    SurfacePoints samples;       ///< Samples of the whole surface, each for the same area.
    std::vector<int> nearest;    ///< Point that covers each sample.
    double spacing = 0.0;        ///< Largest distance of a sample from its point, m.
};

ChosenPoints choosePoints(const OrientedSurface& surface, const SmoothSurface& smooth, const ShellOptions& options);

}  // namespace pliant
