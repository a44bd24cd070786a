// SPDX-License-Identifier: Zlib
#include "models/SceneOfFile.h"

#include <fmt/format.h>

#include <filesystem>

#include "models/SingleFileText.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/FileExtension.h"
#include "pliant/mesh/FilesThere.h"
#include "pliant/mesh/ReadSurface.h"
#include "pliant/mesh/ReadVolume.h"
#include "pliant/model/CharacterModel.h"
#include "pliant/rig/gltf/ReadRig.h"

namespace pliant::program {
namespace {

namespace fs = std::filesystem;

bool mayHaveBones(const std::string& file) {
    return hasExtension(file, {".glb", ".gltf", ".fbx", ".dae", ".x"});
}

bool isCharacter(const std::string& file) {
    return isReducedModel(file) ? isCharacterFile(file) : mayHaveBones(file) && hasSkin(file);
}

/// A path as a quoted text of YAML.
std::string escaped(const std::string& path) {
    std::string text;
    for (const char c : path) {
        if (c == '"' || c == '\\') text += '\\';
        text += c;
    }
    return text;
}

/// A path as seen from a folder that need not be there yet.
std::string pathFrom(const std::string& file, const std::string& folder) {
    return files::absolute(file)
        .lexically_normal()
        .lexically_relative(files::absolute(folder).lexically_normal())
        .string();
}

}  // namespace

bool isReducedModel(const std::string& file) {
    return lowerExtension(file) == ".pliant";
}

std::string fallingBalls(const BoundingBox& below) {
    const Vector3 middle = 0.5 * (below.lower + below.upper);
    const double size = below.longestSide(), radius = 0.05 * size;
    const Vector3 target = middle + Vector3(0, 0, 0.15 * size), eye = middle + size * Vector3(1.5, -2.4, 0.9);
    return fmt::format(
        "ground: {{height: {:.6g}, colour: [0.2, 0.22, 0.2]}}\n"
        "rigid:\n"
        "  - {{shape: sphere, radius: {:.6g}, mass: {:.6g}, position: [{:.6g}, {:.6g}, {:.6g}], rolling_friction: "
        "{:.6g}, "
        "colour: [0.8, 0.35, 0.15],\n"
        "     grid: {{count: [3, 2, 4], spacing: [{:.6g}, {:.6g}, {:.6g}]}}, jitter: {{position: {:.6g}}}}}\n"
        "camera: {{from: [{:.6g}, {:.6g}, {:.6g}], to: [{:.6g}, {:.6g}, {:.6g}], field_of_view: 35}}\n",
        below.lower[2], radius, 4.0 / 3.0 * static_cast<double>(EIGEN_PI) * radius * radius * radius * 500.0, middle[0],
        middle[1], below.upper[2] + size, 0.2 * radius, 0.3 * size, 0.15 * size, 0.6 * size, 0.02 * size, eye[0],
        eye[1], eye[2], target[0], target[1], target[2]);
}

bool isSingleFile(const std::string& file) {
    return isReducedModel(file) || mayHaveBones(file) || isSurfaceFile(file) || isVolumeFile(file);
}

std::string sceneTextOf(const SingleFile& single, const std::string& folder) {
    if (!files::isFile(single.file))
        throw Error(single.file,
                    files::isFolder(single.file) ? "cannot be read: it is a folder" : "cannot be read: no such file",
                    "check the name and the path");
    const std::string name = escaped(pathFrom(single.file, folder));
    return (isCharacter(single.file) ? characterText(single, name) : bodyText(single, name)) +
           fmt::format("output: {{name: \"{}\"}}\n", escaped(fs::path(single.file).stem().string()));
}

}  // namespace pliant::program
