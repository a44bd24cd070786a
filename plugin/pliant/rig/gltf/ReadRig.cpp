// SPDX-License-Identifier: Zlib
#include "pliant/rig/gltf/ReadRig.h"

#include <map>
#include <optional>

#include "pliant/mesh/CheckSurfaceMesh.h"
#include "pliant/rig/gltf/RigParts.h"
#include "pliant/rig/import/ImportFile.h"

namespace pliant {

namespace {

/// Extensions that change how a surface looks alone may be passed over.
void refuseExtensions(const gltf::GltfFile& file) {
    for (std::size_t e = 0; e < file.root().sizeOf("extensionsRequired"); ++e) {
        const gltf::JsonPlace place = file.root().at("extensionsRequired").at(e);
        const std::string name = place.text();
        if (name.compare(0, 14, "KHR_materials_") != 0 && name != "KHR_texture_transform" &&
            name != "KHR_lights_punctual")
            place.fail("\"" + name + "\" is not read here", "export without it (no compression, no quantisation)");
    }
}

RigFile rigOf(const gltf::GltfFile& file, std::vector<std::string> notes) {
    const std::string& path = file.path();
    refuseExtensions(file);
    RigFile result;
    result.notes = std::move(notes);
    const gltf::Nodes nodes = gltf::readNodes(file);
    const std::vector<gltf::SkinnedNode> skinned = gltf::findSkinnedNodes(file, result.notes);
    const gltf::BoneNumbers bones = gltf::readBones(file, nodes, skinned);
    result.rig.skeleton = bones.skeleton;
    checkSkeleton(result.rig.skeleton, path);
    gltf::readSkin(file, skinned, bones, result.rig, result.notes);
    checkSurfaceMesh(result.rig.surface, path);
    result.rig.clips = gltf::readClips(file, bones, result.notes);
    for (const Clip& clip : result.rig.clips) checkClip(result.rig.skeleton, clip, path);
    findBoneEnds(result.rig, path);
    checkBoneScales(result.rig, path);
    return result;
}

/// What a file has above one of its nodes, at rest: frames of nodes that no bone is found for. Nothing where one is.
std::optional<Similarity> frameAbove(const gltf::GltfFile& file, const gltf::Nodes& nodes,
                                     const std::vector<int>& boneOfNode, std::size_t node) {
    Similarity above;
    for (int n = nodes.parents[node]; n >= 0; n = nodes.parents[static_cast<std::size_t>(n)]) {
        const auto parent = static_cast<std::size_t>(n);
        if (boneOfNode[parent] >= 0) return std::nullopt;
        above = gltf::frameOf(file.root().at("nodes").at(parent), nodes.names[parent]) * above;
    }
    return above;
}

/// The stance of what a bone hangs on, in the world.
Similarity stanceAbove(const Skeleton& skeleton, int bone) {
    Similarity above;
    for (int b = skeleton.bones[static_cast<std::size_t>(bone)].parent; b >= 0;
         b = skeleton.bones[static_cast<std::size_t>(b)].parent)
        above = skeleton.bones[static_cast<std::size_t>(b)].stance * above;
    return above;
}

/// Places and turns, and their derivatives, of a curve in one frame as seen from another. Scales are the skeleton's
/// own.
void carry(const Similarity& map, BoneMotion& motion) {
    Track& places = motion.translation;
    const Matrix3 linear = map.scale * map.rotation.toRotationMatrix();
    for (MatrixX* all : {&places.values, &places.arrivals, &places.departures})
        if (all->size() > 0) *all = (linear * *all).eval();
    if (places.values.size() > 0) places.values.colwise() += map.translation;
    for (MatrixX* all : {&motion.rotation.values, &motion.rotation.arrivals, &motion.rotation.departures})
        for (Eigen::Index k = 0; k < all->cols(); ++k) {
            const Eigen::Quaterniond turn(Eigen::Vector4d(all->col(k)));
            all->col(k) = (Eigen::Quaterniond(map.rotation) * turn).coeffs();
        }
}

/// The first bones of a chain stand in what each file has above them: axes, and the unit of lengths.
void carryRoots(const gltf::GltfFile& file, const gltf::Nodes& nodes, const gltf::BoneNumbers& bones,
                ClipsFile& result) {
    for (std::size_t n = 0; n < bones.boneOfNode.size(); ++n) {
        const int bone = bones.boneOfNode[n];
        const std::optional<Similarity> theirs = bone < 0 ? std::nullopt : frameAbove(file, nodes, bones.boneOfNode, n);
        if (!theirs) continue;
        const Similarity map = stanceAbove(bones.skeleton, bone).inverse() * *theirs;
        if (!gltf::differ(map, Similarity())) continue;
        const std::string& name = bones.skeleton.bones[static_cast<std::size_t>(bone)].name;
        result.notes.push_back(file.path() + ": motions of bone \"" + name +
                               "\" are carried over from other axes or another unit above it");
        for (Clip& clip : result.clips)
            for (BoneMotion& motion : clip.motions)
                if (motion.bone == bone) carry(map, motion);
    }
}

/// The channels that move bones of that skeleton.
ClipsFile clipsOf(const gltf::GltfFile& file, const Skeleton& skeleton, std::vector<std::string> notes) {
    refuseExtensions(file);
    ClipsFile result;
    result.notes = std::move(notes);
    std::map<std::string, int> numbers;
    for (int b = 0; b < skeleton.boneCount(); ++b) numbers[skeleton.bones[static_cast<std::size_t>(b)].name] = b;
    const gltf::Nodes nodes = gltf::readNodes(file);
    gltf::BoneNumbers bones;
    bones.skeleton = skeleton;
    for (const std::string& name : nodes.names) {
        const auto found = numbers.find(name);
        bones.boneOfNode.push_back(found == numbers.end() ? -1 : found->second);
    }
    result.clips = gltf::readClips(file, bones, result.notes);
    if (result.clips.empty())
        throw Error(file.path(), "has no clip that moves a bone of this skeleton",
                    "bones are found by their names; the first one here is \"" + skeleton.bones.front().name + "\"");
    carryRoots(file, nodes, bones, result);
    return result;
}

/// Other characters have other bones: a place that never changes is the length of a bone, not a motion.
void dropLengths(const Skeleton& skeleton, Clip& clip) {
    for (BoneMotion& motion : clip.motions) {
        Track& places = motion.translation;
        if (places.times.empty() || skeleton.bones[static_cast<std::size_t>(motion.bone)].parent < 0) continue;
        const MatrixX offsets = places.values.colwise() - VectorX(places.values.col(0));
        if (offsets.cwiseAbs().maxCoeff() <= 1e-6 * places.values.cwiseAbs().maxCoeff()) places = Track();
    }
}

}  // namespace

bool hasSkin(const std::string& path) {
    if (import::isImported(path)) try {
            import::importFile(path, import::Wanted::Rig);
            return true;
        } catch (const Error& problem) {
            if (std::string(problem.what()).find(import::kNoSkin) != std::string::npos) return false;
            throw;
        }
    const gltf::GltfFile file(path);
    const gltf::JsonPlace nodes = file.root().at("nodes");
    for (std::size_t n = 0; n < nodes.size(); ++n)
        if (nodes.at(n).has("mesh") && nodes.at(n).has("skin")) return true;
    return false;
}

RigFile readRig(const std::string& path) {
    if (!import::isImported(path)) return rigOf(gltf::GltfFile(path), {});
    const import::Imported imported = import::importFile(path, import::Wanted::Rig);
    return rigOf(gltf::GltfFile(path, imported.glb), imported.notes);
}

ClipsFile readClips(const std::string& path, const Skeleton& skeleton) {
    checkSkeleton(skeleton, path);
    ClipsFile result;
    if (import::isImported(path)) {
        const import::Imported imported = import::importFile(path, import::Wanted::Motion);
        result = clipsOf(gltf::GltfFile(path, imported.glb), skeleton, imported.notes);
    } else {
        result = clipsOf(gltf::GltfFile(path), skeleton, {});
    }
    for (Clip& clip : result.clips) {
        dropLengths(skeleton, clip);
        checkClip(skeleton, clip, path);
    }
    return result;
}

}  // namespace pliant
