// SPDX-License-Identifier: Zlib
#include "pliant/rig/Skeleton.h"

#include <cmath>
#include <set>

#include "pliant/math/Error.h"

namespace pliant {

namespace {

void checkFrame(const Similarity& frame, const std::string& where, const std::string& what) {
    if (!frame.translation.allFinite() || !frame.rotation.coeffs().allFinite() || !std::isfinite(frame.scale))
        throw Error(where, what + " is not a finite frame");
    if (std::abs(frame.rotation.norm() - 1.0) > 1e-6)
        throw Error(where, what + " has a rotation of another length than 1");
    if (frame.scale <= 0.0) throw Error(where, what + " has the scale " + std::to_string(frame.scale));
}

}  // namespace

Pose stance(const Skeleton& skeleton) {
    Pose pose;
    for (const Bone& bone : skeleton.bones) pose.push_back(bone.stance);
    return pose;
}

Pose bindPose(const Skeleton& skeleton) {
    Pose pose;
    for (const Bone& bone : skeleton.bones)
        pose.push_back(bone.parent < 0
                           ? bone.bind
                           : skeleton.bones[static_cast<std::size_t>(bone.parent)].bind.inverse() * bone.bind);
    return pose;
}

void bonesInWorld(const Skeleton& skeleton, const Pose& pose, std::vector<Similarity>& world) {
    world.resize(skeleton.bones.size());
    for (std::size_t b = 0; b < world.size(); ++b) {
        const int parent = skeleton.bones[b].parent;
        world[b] = parent < 0 ? pose[b] : world[static_cast<std::size_t>(parent)] * pose[b];
    }
}

void restToNow(const Skeleton& skeleton, const Pose& pose, std::vector<Similarity>& maps) {
    bonesInWorld(skeleton, pose, maps);
    for (std::size_t b = 0; b < maps.size(); ++b) maps[b] = maps[b] * skeleton.bones[b].bind.inverse();
}

int findBone(const Skeleton& skeleton, const std::string& name) {
    for (std::size_t b = 0; b < skeleton.bones.size(); ++b)
        if (skeleton.bones[b].name == name) return static_cast<int>(b);
    return -1;
}

void checkSkeleton(const Skeleton& skeleton, const std::string& where) {
    if (skeleton.bones.empty()) throw Error(where, "a skeleton without bones");
    std::set<std::string> names;
    for (std::size_t b = 0; b < skeleton.bones.size(); ++b) {
        const Bone& bone = skeleton.bones[b];
        if (bone.name.empty()) throw Error(where, "bone " + std::to_string(b) + " has no name");
        if (!names.insert(bone.name).second) throw Error(where, "two bones are called \"" + bone.name + "\"");
        if (bone.parent < -1 || bone.parent >= static_cast<int>(b))
            throw Error(where, "bone \"" + bone.name + "\" hangs on bone " + std::to_string(bone.parent) +
                                   ", which does not come before it");
        checkFrame(bone.stance, where, "the stance of bone \"" + bone.name + "\"");
        checkFrame(bone.bind, where, "the bind frame of bone \"" + bone.name + "\"");
    }
}

}  // namespace pliant
