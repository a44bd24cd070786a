// SPDX-License-Identifier: Zlib
/// @file
/// Which level of detail bodies get: by their size on the screen and by how much they move.
#pragma once

#include <LinearMath/btVector3.h>

#include "pliant/math/Api.h"

class btPliantBody;
class btPliantSystem;

/// How many reduced coordinates a body keeps, by its size in the picture and by its energy of deformation.
struct btPliantDetailPolicy {
    /// Bodies that are this many pixels across, or more, have all coordinates; smaller ones have them in proportion.
    btScalar m_fullPixels = btScalar(150);
    int m_least = 6;  ///< Coordinates that every body keeps.
    /// Levels are m_least and this many more each time, so that batches stay few. A body goes down two levels at a time
    /// only, so that it does not flicker.
    int m_step = 4;
    /// A body whose deformation has less energy than this, of motion and strain, keeps m_least coordinates; J per kg of
    /// the body, 0 = off.
    double m_quietEnergy = 0;
};

/// The camera for which a level of detail is chosen.
struct btPliantViewer {
    btVector3 m_eye = btVector3(0, 0, 0);    ///< Position of the camera, world frame, m.
    btScalar m_fieldOfView = btScalar(0.6);  ///< Vertical field of view, rad.
    int m_imageHeight = 720;                 ///< Height of the picture, pixels.
};

/// The number of coordinates, 1 to r, that the policy gives a body.
PLIANT_API int btPliantChooseDetail(const btPliantBody& body, const btPliantViewer& viewer,
                                    const btPliantDetailPolicy& policy);

/// Calls btPliantBody::setDetail() with the policy's choice for every body of the system that is in the world. Meant to
/// be called once a frame.
PLIANT_API void btPliantSetLevelOfDetail(btPliantSystem& system, const btPliantViewer& viewer,
                                         const btPliantDetailPolicy& policy = btPliantDetailPolicy());
