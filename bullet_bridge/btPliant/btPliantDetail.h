// SPDX-License-Identifier: Zlib
// Which level of detail bodies get: by their size on the screen and by how much they move.
#pragma once

#include <LinearMath/btVector3.h>

class btPliantBody;
class btPliantSystem;

struct btPliantDetailPolicy {
    btScalar m_fullPixels = btScalar(150);  ///< bodies this large across have all coordinates; in proportion below it
    int m_least = 6;                        ///< coordinates that every body keeps
    int m_step = 4;  ///< levels are m_least and this many more each time, so that batches stay few; a body goes down
                     ///< two at a time only, so that it does not flicker
    /// J/kg: a body whose deformation has less energy than this, of motion and strain, keeps the least. 0: off.
    double m_quietEnergy = 0;
};

struct btPliantViewer {
    btVector3 m_eye = btVector3(0, 0, 0);
    btScalar m_fieldOfView = btScalar(0.6);  ///< vertical, rad
    int m_imageHeight = 720;                 ///< pixels
};

/// Coordinates that the policy gives the body, 1 to r.
int btPliantChooseDetail(const btPliantBody& body, const btPliantViewer& viewer, const btPliantDetailPolicy& policy);

/// Does so for every body of the system that is in the world. Meant to be called once a frame.
void btPliantSetLevelOfDetail(btPliantSystem& system, const btPliantViewer& viewer,
                              const btPliantDetailPolicy& policy = btPliantDetailPolicy());
