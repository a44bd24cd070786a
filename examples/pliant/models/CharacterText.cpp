// SPDX-License-Identifier: Zlib
#include <fmt/format.h>

#include <Eigen/Geometry>

#include "models/SingleFileText.h"
#include "pliant/math/Error.h"
#include "pliant/model/CharacterModel.h"
#include "pliant/rig/gltf/ReadRig.h"

namespace pliant::program {
namespace {

constexpr double radian = static_cast<double>(EIGEN_PI) / 180.0;

/// As bound, space of the file, m.
Points surfaceOf(const std::string& file) {
    if (!isReducedModel(file)) return readRig(file).rig.surface.positions;
    const auto flesh = loadCharacter(file)->flesh;
    return (flesh->meshFromBody.rotation * flesh->surface.positions).colwise() + flesh->meshFromBody.translation;
}

/// Degrees about x, y, z that take an axis to z.
Vector3 turnFor(const std::string& up) {
    return up == "y" ? Vector3(90, 0, 0) : up == "x" ? Vector3(0, -90, 0) : Vector3(Vector3::Zero());
}

Matrix3 rotationOf(const Vector3& degrees) {
    return (Eigen::AngleAxisd(degrees[1] * radian, Vector3::UnitY()) *
            Eigen::AngleAxisd(degrees[0] * radian, Vector3::UnitX()))
        .toRotationMatrix();
}

}  // namespace

std::string characterText(const SingleFile& single, const std::string& name) {
    if (!single.units.empty())
        throw Error(single.file, "--units is for meshes: the lengths of rigged characters are metres",
                    "scale the character where it was made, or leave --units out");
    const Vector3 turn = turnFor(single.up);
    const BoundingBox box = boundingBox(rotationOf(turn) * surfaceOf(single.file));
    return fmt::format(
               "time: {{duration: 6, frames_per_second: 30, substeps: 4}}\n"
               "models: {{character: {{file: \"{}\"{}}}}}\n"
               "bodies: [{{model: character, name: character, rotation: [{}, {}, {}]}}]\n",
               name, isReducedModel(single.file) ? "" : ", rig: {}", turn[0], turn[1], turn[2]) +
           fallingBalls(box);
}

}  // namespace pliant::program
