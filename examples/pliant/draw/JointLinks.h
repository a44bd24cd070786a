// SPDX-License-Identifier: Zlib
#pragma once

#include "osgPliant/Links.h"
#include "world/SceneWorld.h"

namespace pliant::program {

/// Shows the joints of a world as they stand: a pin at each end, a rod between ends that are apart and to a body that
/// is away from its end, a hook where the world holds, an axle for hinges and a rail for sliders. Broken joints vanish.
void showJoints(const SceneWorld& world, osgPliant::Links& links);

}  // namespace pliant::program
