// SPDX-License-Identifier: Zlib
// A small reduced body made in memory: a square bar with lumped masses whose deformation is a few smooth fields of x.
// Its elasticity is linear, so that tests know the answers.
#pragma once

#include <memory>
#include <vector>

#include "pliant/model/ReducedModel.h"

namespace pliant::test {

struct BarOptions {
    double length = 1.0;                              ///< m, along x
    double halfThickness = 0.05;                      ///< m; also the radius of the swept segments
    int segments = 8;                                 ///< bricks, and skeleton segments
    double density = 400.0;                           ///< kg/m^3
    std::vector<double> frequencies = {60, 60, 200};  ///< rad/s: bending y, bending z, stretching, second bending y
    bool anchored = false;                            ///< held at its end x = -length / 2
    Vector3 meshOffset = Vector3(0.3, -0.2, 0.1);     ///< of the bar's centre in the mesh frame
    /// m; > 0: what collides are two segments along x this far apart in y, an eighth of it thick in radius, and the
    /// first field opens and closes them like tongs, from x = -length / 2 on.
    double tongs = 0;
};

/// Held at its end.
inline BarOptions anchoredBar(const std::vector<double>& frequencies = BarOptions().frequencies) {
    BarOptions options;
    options.anchored = true;
    options.frequencies = frequencies;
    return options;
}

/// Hardly bends.
inline BarOptions stiffBar() {
    BarOptions options;
    options.frequencies = {2000, 2000, 3000};
    return options;
}

std::shared_ptr<const ReducedModel> makeBar(const BarOptions& options = {});

}  // namespace pliant::test
