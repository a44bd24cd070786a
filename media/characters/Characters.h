// SPDX-License-Identifier: Zlib
// Generated characters: closed surfaces bound to bones, with clips.
#pragma once

#include "pliant/rig/Rig.h"

namespace characters {

/// 1 x 0.2 x 0.2 m along x, "upper" and "lower" of 0.5 m; smoothstep weights over 0.15 m to both sides of the joint.
/// Clip "bend": 45 degrees about y and back in 1 s.
pliant::Rig bar();

/// 0.9 m long along x, round, 0.12 m thick; "tail", "middle" and "head" of 0.3 m. Clip "crawl": a wave of 1 s.
pliant::Rig worm();

/// Looks along +x and stands on z = 0, 0.9 m long: four legs of two bones, neck, head, tail, soft ears and stiff horns
/// on bones of their own. Clips "walk" (1 s), "run" (0.5 s) and "shake" (the head, 1 s).
pliant::Rig quadruped();

}  // namespace characters
