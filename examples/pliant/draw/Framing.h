// SPDX-License-Identifier: Zlib
// Where one looks from when a scene does not say.
#pragma once

#include <osg/Vec3d>

#include "draw/Bounds.h"

namespace pliant::program {

/// Where one looks from.
struct ViewPoint {
    osg::Vec3d eye, centre, up;
    double fieldOfView = 35.0;  ///< vertical, degrees
};

/// What a picture of the whole run has to hold: all bodies as they stand, and where those that fall come to, alone
/// (along their parabolas) and as a heap.
Bounds boundsOfRun(const SceneWorld& world);

/// The scene's camera, or one for boundsOfRun() that leaves no more room around it than it must.
ViewPoint viewPoint(const SceneWorld& world);

}  // namespace pliant::program
