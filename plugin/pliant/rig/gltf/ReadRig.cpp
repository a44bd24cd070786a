// SPDX-License-Identifier: Zlib
#include "pliant/rig/gltf/ReadRig.h"

#include "pliant/mesh/SurfaceNormals.h"
#include "pliant/rig/gltf/RigParts.h"

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

}  // namespace

RigFile readRig(const std::string& path) {
    const gltf::GltfFile file(path);
    refuseExtensions(file);
    RigFile result;
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

}  // namespace pliant
