// SPDX-License-Identifier: Zlib
#pragma once

#include <string>
#include <vector>

#include "world/SceneWorld.h"

namespace pliant::program {

/// Whether a scene's deformable bodies are where bodies can be.
struct BodyCheck {
    int bodies = 0;
    int lost = 0;       ///< Bodies whose centre of mass is below the ground, or not a number.
    int notFinite = 0;  ///< Bodies whose state is not a number.
    std::vector<std::string> lostNames;
};
BodyCheck checkBodies(const SceneWorld& world);

/// Potential energy of everything that has weight at the ground's height, J; 0 where there is no ground.
double groundEnergy(const SceneWorld& world);

}  // namespace pliant::program
