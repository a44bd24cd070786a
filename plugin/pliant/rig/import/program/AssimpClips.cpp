// SPDX-License-Identifier: Zlib
#include <algorithm>
#include <cmath>

#include "pliant/math/Error.h"
#include "pliant/rig/gltf/GltfNodes.h"
#include "pliant/rig/import/program/AssimpParts.h"

namespace pliant::import {

namespace {

/// Times and values of keys. Two keys of the same time are one, of the later's value.
struct Keys {
    std::vector<double> times;
    std::vector<VectorX> values;

    void add(double time, const VectorX& value) {
        if (!times.empty() && times.back() == time)
            values.back() = value;
        else
            times.push_back(time), values.push_back(value);
    }
    MatrixX matrix() const {
        MatrixX all(values.empty() ? 0 : values.front().size(), static_cast<Eigen::Index>(values.size()));
        for (std::size_t k = 0; k < values.size(); ++k) all.col(static_cast<Eigen::Index>(k)) = values[k];
        return all;
    }
    /// Whether they never leave what holds without them.
    bool isStill(const VectorX& stance) const {
        return std::all_of(values.begin(), values.end(), [&](const VectorX& value) {
            return (value - stance).norm() <= 1e-6 * (1.0 + stance.norm());
        });
    }
};

Vector3 vectorOf(const aiVector3D& v) {
    return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

BoneMotion motionOf(const aiNodeAnim& channel, double ticks, int bone, const Similarity& stance,
                    const std::string& where) {
    Keys places, turns, scales;
    for (unsigned k = 0; k < channel.mNumPositionKeys; ++k)
        places.add(channel.mPositionKeys[k].mTime / ticks, vectorOf(channel.mPositionKeys[k].mValue));
    for (unsigned k = 0; k < channel.mNumRotationKeys; ++k) {
        const aiQuaternion& q = channel.mRotationKeys[k].mValue;
        Eigen::Vector4d turn(q.x, q.y, q.z, q.w);
        if (turn.norm() > 0.5) turn.normalize();
        turns.add(channel.mRotationKeys[k].mTime / ticks, turn);
    }
    for (unsigned k = 0; k < channel.mNumScalingKeys; ++k) {
        const Vector3 three = vectorOf(channel.mScalingKeys[k].mValue);
        const double one = gltf::uniformScale(three, where + ", scale, key " + std::to_string(k) + ",");
        scales.add(channel.mScalingKeys[k].mTime / ticks, VectorX::Constant(1, one));
    }
    BoneMotion motion;
    motion.bone = bone;
    if (!places.isStill(stance.translation)) motion.translation = smoothTrack(places.times, places.matrix(), false);
    if (!turns.times.empty()) motion.rotation = smoothTrack(turns.times, turns.matrix(), true);
    if (!scales.isStill(VectorX::Constant(1, stance.scale)))
        motion.scale = smoothTrack(scales.times, scales.matrix(), false);
    return motion;
}

/// Clips begin at zero or later.
void findTimes(Clip& clip, const std::string& path, std::vector<std::string>& notes) {
    double start = 1e300, end = -1e300;
    const auto each = [&](const auto& what) {
        for (BoneMotion& motion : clip.motions)
            for (Track* track : {&motion.translation, &motion.rotation, &motion.scale})
                if (!track->times.empty()) what(*track);
    };
    each([&](Track& track) {
        start = std::min(start, track.times.front());
        end = std::max(end, track.times.back());
    });
    const double shift = start < 0.0 ? -start : 0.0;
    if (shift > 0.0) {
        each([&](Track& track) {
            for (double& time : track.times) time += shift;
        });
        notes.push_back(path + ": clip \"" + clip.name + "\" began at " + std::to_string(start) +
                        " s, and begins at 0 here");
    }
    clip.start = start + shift;
    clip.end = end + shift;
}

}  // namespace

std::vector<Clip> clipsOf(const aiScene& scene, const SceneNodes& nodes, const std::vector<int>& boneOfNode,
                          const Skeleton& skeleton, const std::string& path, std::vector<std::string>& notes) {
    std::vector<Clip> clips;
    for (unsigned a = 0; a < scene.mNumAnimations; ++a) {
        const aiAnimation& animation = *scene.mAnimations[a];
        Clip clip;
        clip.name = animation.mName.length > 0 ? animation.mName.C_Str() : "clip " + std::to_string(a);
        const bool hasTicks = std::isfinite(animation.mTicksPerSecond) && animation.mTicksPerSecond > 0.0;
        if (!hasTicks)
            notes.push_back(path + ": clip \"" + clip.name + "\" has no unit of time; 25 ticks are taken for a second");
        int others = 0;
        for (unsigned c = 0; c < animation.mNumChannels; ++c) {
            const auto node = nodes.byName.find(animation.mChannels[c]->mNodeName.C_Str());
            const int bone = node == nodes.byName.end() ? -1 : boneOfNode[static_cast<std::size_t>(node->second)];
            if (bone < 0) {
                ++others;
                continue;
            }
            const Bone& moved = skeleton.bones[static_cast<std::size_t>(bone)];
            const BoneMotion motion =
                motionOf(*animation.mChannels[c], hasTicks ? animation.mTicksPerSecond : 25.0, bone, moved.stance,
                         path + ": clip \"" + clip.name + "\", bone \"" + moved.name + "\"");
            if (!motion.translation.times.empty() || !motion.rotation.times.empty() || !motion.scale.times.empty())
                clip.motions.push_back(motion);
        }
        if (others > 0)
            notes.push_back(path + ": clip \"" + clip.name + "\": " + std::to_string(others) +
                            " channels that move no bone are left out");
        if (clip.motions.empty()) continue;
        findTimes(clip, path, notes);
        checkClip(skeleton, clip, path);
        clips.push_back(clip);
    }
    return clips;
}

}  // namespace pliant::import
