// SPDX-License-Identifier: Zlib
/// @file
/// A rigged character as its file tells it: surface, skeleton, weights, clips.
#pragma once

#include <string>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/mesh/SurfaceMesh.h"
#include "pliant/rig/Clip.h"
#include "pliant/rig/SkinWeights.h"

namespace pliant {

/// A character before it has flesh.
struct Rig {
    Skeleton skeleton;        ///< Bones, with those that only hold others.
    SurfaceMesh surface;      ///< Rest space, m.
    SkinWeights weights;      ///< One column a vertex of the surface.
    std::vector<Clip> clips;  ///< May be empty.
};

/// The clip of that name. @throws Error at `where`, with the names that there are
PLIANT_API const Clip& findClip(const Rig& rig, const std::string& name, const std::string& where);

/// Gives bones that carry skin their ends: the heads of their children, or for a last bone the farthest point that
/// follows it most, along the direction from its parent, or that of its skin where the two are 45 degrees apart.
/// @throws Error at `where`, naming a bone that carries skin and has no length
PLIANT_API void findBoneEnds(Rig& rig, const std::string& where);

/// The least scale of T_b of a bone that carries skin.
constexpr double leastBoneScale = 0.5;
/// The largest one.
constexpr double mostBoneScale = 2.0;

/// Clips count at their keys and between them. Takes about as long as there are keys, but where bones one below another
/// are all scaled to and fro.
/// @param rig with clips that checkClip() takes
/// @throws Error at `where`, with file, clip, time and bone, for bones that carry skin and are scaled out of these
/// bounds in the stance or in a clip, and for chains of changing scales that cannot be bounded
PLIANT_API void checkBoneScales(const Rig& rig, const std::string& where);

}  // namespace pliant
