// SPDX-License-Identifier: Zlib
#include "pliant/model/EncodeCharacter.h"

#include "pliant/model/SectionWriter.h"

namespace pliant {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

Offset<schema::Doubles> putFrame(FlatBufferBuilder& b, const Similarity& frame) {
    VectorX numbers(8);
    numbers << frame.rotation.coeffs(), frame.translation, frame.scale;
    return put(b, numbers);
}

SectionBytes encodeRig(const CharacterModel& c) {
    FlatBufferBuilder b;
    std::vector<Offset<schema::RigBone>> bones;
    for (std::size_t i = 0; i < c.skeleton.bones.size(); ++i) {
        const Bone& bone = c.skeleton.bones[i];
        const auto name = b.CreateString(bone.name);
        const auto stance = putFrame(b, bone.stance), bind = putFrame(b, bone.bind);
        const auto ends = putColumns(b, bone.ends);
        bones.push_back(
            schema::CreateRigBone(b, name, bone.parent, stance, bind, ends, c.coreRadii[static_cast<Eigen::Index>(i)]));
    }
    const auto list = b.CreateVector(bones);
    const auto base = c.base == RestShape::Skin ? schema::RestShape::Skin : schema::RestShape::Flesh;
    return finish(b, "rig", schema::CreateRig(b, list, base, c.linear));
}

Offset<schema::PointWeights> putWeights(FlatBufferBuilder& b, const SkinWeights& skin) {
    const auto bones = put(b, skin.bones);
    const auto weights = put(b, skin.weights);
    return schema::CreatePointWeights(b, bones, weights);
}

Offset<schema::NodeBones> putLists(FlatBufferBuilder& b, const BoneLists& lists) {
    const auto first = put(b, lists.first), bones = put(b, lists.bones);
    return schema::CreateNodeBones(b, first, bones);
}

SectionBytes encodeSkin(const BodySkin& skin) {
    FlatBufferBuilder b;
    const auto vertices = putWeights(b, skin.vertices), spheres = putWeights(b, skin.spheres);
    const auto nodes = putWeights(b, skin.nodes);
    const auto segments = putLists(b, skin.segmentNodes), triangles = putLists(b, skin.triangleNodes);
    return finish(b, "skin", schema::CreateSkin(b, vertices, spheres, nodes, segments, triangles));
}

SectionBytes encodeForcing(const SkinForcing& forcing) {
    FlatBufferBuilder b;
    const auto pairs = put(b, forcing.pairs);
    const auto inertia = put(b, forcing.inertia), pose = put(b, forcing.pose);
    return finish(b, "forcing", schema::CreateForcing(b, pairs, inertia, pose));
}

/// Nothing for a track without keys.
Offset<schema::ClipTrack> putTrack(FlatBufferBuilder& b, const Track& track) {
    if (track.times.empty()) return {};
    const VectorX times = Eigen::Map<const VectorX>(track.times.data(), static_cast<Eigen::Index>(track.times.size()));
    const auto stored = put(b, times), values = put(b, track.values);
    Offset<schema::Doubles> arrivals, departures;
    if (!track.steps) {
        arrivals = put(b, track.arrivals);
        departures = put(b, track.departures);
    }
    return schema::CreateClipTrack(b, stored, values, arrivals, departures, track.steps);
}

SectionBytes encodeClips(const std::vector<Clip>& clips) {
    FlatBufferBuilder b;
    std::vector<Offset<schema::RigClip>> list;
    for (const Clip& clip : clips) {
        std::vector<Offset<schema::ClipMotion>> motions;
        for (const BoneMotion& motion : clip.motions) {
            const auto translation = putTrack(b, motion.translation), rotation = putTrack(b, motion.rotation);
            const auto scale = putTrack(b, motion.scale);
            motions.push_back(schema::CreateClipMotion(b, motion.bone, translation, rotation, scale));
        }
        const auto name = b.CreateString(clip.name);
        const auto all = b.CreateVector(motions);
        list.push_back(schema::CreateRigClip(b, name, clip.start, clip.end, all));
    }
    const auto all = b.CreateVector(list);
    return finish(b, "clips", schema::CreateClips(b, all));
}

}  // namespace

std::vector<SectionBytes> encodeCharacter(const CharacterModel& character) {
    return {encodeRig(character), encodeSkin(character.skin), encodeForcing(character.forcing),
            encodeClips(character.clips)};
}

}  // namespace pliant
