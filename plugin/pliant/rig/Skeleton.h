// SPDX-License-Identifier: Zlib
/// @file
/// The bones of a character, and where a pose puts them.
///
/// Three spaces: that of a bone, that of its parent, and the rest space of the character, in which its skin was bound.
/// A pose says where each bone stands in its parent; restToNow() makes of it the maps T_b that carry the skin
/// (docs/characters.md).
#pragma once

#include <string>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/rig/Similarity.h"

namespace pliant {

/// A bone: a frame that skin may follow.
struct Bone {
    std::string name;   ///< Not empty, different from those of all other bones.
    int parent = -1;    ///< Number of the bone that it hangs on, lower than its own; -1: it stands in the world.
    Similarity stance;  ///< Bone -> parent, in the pose that the file shows without any clip.
    Similarity bind;    ///< Bone -> rest space, when the skin was bound.
    /// Where the bone ends, rest space, m: the heads of its children, or the farthest of its own skin. None for a bone
    /// that carries no skin.
    std::vector<Vector3> ends;

    /// Where the bone begins, rest space, m.
    const Vector3& head() const { return bind.translation; }
};

/// Bones, parents before children.
struct Skeleton {
    std::vector<Bone> bones;  ///< At least one.

    /// The number of bones.
    int boneCount() const { return static_cast<int>(bones.size()); }
};

/// Bone -> parent for each bone.
using Pose = std::vector<Similarity>;

/// The pose that the file shows without any clip.
PLIANT_API Pose stance(const Skeleton& skeleton);

/// The pose in which the skin was bound; restToNow() of it is the identity.
PLIANT_API Pose bindPose(const Skeleton& skeleton);

/// Bone -> world. @param pose one frame a bone  @param world resized to the number of bones; allocates the first time
PLIANT_API void bonesInWorld(const Skeleton& skeleton, const Pose& pose, std::vector<Similarity>& world);

/// T_b: rest space -> now, in the pose's world, one a bone. Allocates the first time.
PLIANT_API void restToNow(const Skeleton& skeleton, const Pose& pose, std::vector<Similarity>& maps);

/// The number of the bone of that name, or -1.
PLIANT_API int findBone(const Skeleton& skeleton, const std::string& name);

/// @throws Error at `where`, for no bones, parents that do not come first, empty or doubled names, frames that are not
/// finite, rotations that are not unit quaternions, scales that are not above zero
PLIANT_API void checkSkeleton(const Skeleton& skeleton, const std::string& where);

}  // namespace pliant
