// SPDX-License-Identifier: Zlib
// The rest shape of a reduced model and all its elastic shapes side by side, each with its frequency.
#pragma once

#include <osg/Image>
#include <osg/ref_ptr>

#include "pliant/model/ReducedModel.h"

namespace pliant::program {

struct ModeSheetOptions {
    int columns = 6;
    int tileSize = 220;       ///< Width and height of a tile, pixels.
    double amplitude = 0.15;  ///< Largest displacement of a shape, in radii of the body.
    int up = 2;               ///< Axis of the mesh that points up: 0, 1, 2.
};

/// A shape of the sheet: an eigenvector of the reduced rest stiffness.
struct ModeShape {
    VectorX q;               ///< Reduced coordinates, r, scaled for the picture.
    double frequency = 0.0;  ///< Frequency, Hz.
    int linearMode = -1;     ///< 0-based number of the linear mode that it is (to 1 % in frequency); -1: none.
};

/// Ascending by frequency, r of them. @param amplitude as in ModeSheetOptions
std::vector<ModeShape> modeShapes(const ReducedModel& model, double amplitude);

/// The rest shape first, then the shapes; held vertices carry red markers. All of them lie within their tiles.
/// @throws Error without an OpenGL context
osg::ref_ptr<osg::Image> drawModeSheet(const std::shared_ptr<const ReducedModel>& model,
                                       const ModeSheetOptions& options);

}  // namespace pliant::program
