// SPDX-License-Identifier: Zlib
// characters_generator FOLDER: writes the characters as .glb files.
#include <cstdio>
#include <exception>
#include <string>

#include "Characters.h"
#include "pliant/rig/gltf/WriteRig.h"

namespace {

void write(const pliant::Rig& rig, const std::string& path) {
    pliant::writeRig(rig, path);
    std::printf("%s: %d bones, %d vertices, %d triangles, %zu clips\n", path.c_str(), rig.skeleton.boneCount(),
                rig.surface.vertexCount(), rig.surface.triangleCount(), rig.clips.size());
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: characters_generator FOLDER\n");
        return 1;
    }
    try {
        const std::string folder = argv[1];
        write(characters::bar(), folder + "/bar.glb");
        write(characters::worm(), folder + "/worm.glb");
        write(characters::quadruped(), folder + "/quadruped.glb");
    } catch (const std::exception& error) {
        std::fprintf(stderr, "characters_generator: error: %s\n", error.what());
        return 1;
    }
    return 0;
}
