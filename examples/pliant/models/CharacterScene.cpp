// SPDX-License-Identifier: Zlib
#include "models/CharacterScene.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <filesystem>

#include "pliant/math/Error.h"
#include "pliant/model/CharacterModel.h"
#include "pliant/rig/gltf/ReadRig.h"

namespace pliant::program {
namespace {

constexpr double pi = static_cast<double>(EIGEN_PI), radian = pi / 180.0;

bool isReduced(const std::string& file) {
    return std::filesystem::path(file).extension() == ".pliant";
}

/// As bound, space of the file, m.
Points surfaceOf(const std::string& file) {
    if (!isReduced(file)) return readRig(file).rig.surface.positions;
    if (!isCharacterFile(file))
        throw Error(file, "is a reduced model without bones", "write a scene in which it stands (docs/scene.md)");
    const auto flesh = loadCharacter(file)->flesh;
    return (flesh->meshFromBody.rotation * flesh->surface.positions).colwise() + flesh->meshFromBody.translation;
}

/// Degrees about x, y, z that take an axis to z.
Vector3 turnFor(char up) {
    return up == 'y' ? Vector3(90, 0, 0) : up == 'x' ? Vector3(0, -90, 0) : Vector3(Vector3::Zero());
}

Matrix3 rotationOf(const Vector3& degrees) {
    return (Eigen::AngleAxisd(degrees[1] * radian, Vector3::UnitY()) *
            Eigen::AngleAxisd(degrees[0] * radian, Vector3::UnitX()))
        .toRotationMatrix();
}

}  // namespace

bool isCharacterName(const std::string& file) {
    const std::string ending = std::filesystem::path(file).extension().string();
    return ending == ".glb" || ending == ".gltf" || ending == ".pliant";
}

scene::SceneDescription sceneOfCharacter(const std::string& file, char up, const scene::SceneOptions& options) {
    if (!std::filesystem::is_regular_file(file)) throw Error(file, "cannot read this file");
    const Vector3 turn = turnFor(up);
    const Points stands = rotationOf(turn) * surfaceOf(file);
    const Vector3 lower = stands.rowwise().minCoeff(), upper = stands.rowwise().maxCoeff();
    const Vector3 middle = 0.5 * (lower + upper);
    const double size = (upper - lower).maxCoeff(), radius = 0.05 * size;
    const Vector3 target = middle + Vector3(0, 0, 0.15 * size), eye = middle + size * Vector3(1.5, -2.4, 0.9);
    const std::string name = std::filesystem::path(file).filename().string();
    const std::string text = fmt::format(
        "time: {{duration: 6, frames_per_second: 30, substeps: 4}}\n"
        "models: {{character: {{file: \"{}\"{}}}}}\n"
        "bodies: [{{model: character, name: character, rotation: [{}, {}, {}]}}]\n"
        "ground: {{height: {}}}\n"
        "rigid:\n"
        "  - {{shape: sphere, radius: {}, mass: {}, position: [{}, {}, {}], colour: [0.8, 0.35, 0.15],\n"
        "     grid: {{count: [3, 2, 4], spacing: [{}, {}, {}]}}, jitter: {{position: {}}}}}\n"
        "camera: {{from: [{}, {}, {}], to: [{}, {}, {}], field_of_view: 35}}\n"
        "output: {{name: \"{}\"}}\n",
        name, isReduced(file) ? "" : ", rig: {}", turn[0], turn[1], turn[2], lower[2], radius,
        4.0 / 3.0 * pi * radius * radius * radius * 500.0, middle[0], middle[1], upper[2] + size, 0.3 * size,
        0.15 * size, 0.6 * size, 0.02 * size, eye[0], eye[1], eye[2], target[0], target[1], target[2],
        std::filesystem::path(file).stem().string());
    return scene::parseScene(text, file, options);
}

}  // namespace pliant::program
