// SPDX-License-Identifier: Zlib
#include "pliant/view/BoneShapes.h"

#include <cmath>

namespace pliant {
namespace {

Vector3 at(const Matrix<double, 3, 4>& map, const Vector3& x) {
    return map.leftCols<3>() * x + map.col(3);
}

/// Twelve edges: widest at a tenth of the length from the head.
void addOctahedron(const Vector3& head, const Vector3& end, DebugLayer layer, const DebugColour& colour,
                   DebugShapes& shapes) {
    const Vector3 along = end - head;
    const double length = along.norm();
    if (!(length > 0.0)) return;
    const Vector3 far = std::abs(along.x()) < 0.6 * length ? Vector3::UnitX() : Vector3::UnitY();
    const Vector3 side = along.cross(far).normalized(), up = along.cross(side) / length;
    const Vector3 middle = head + 0.1 * along;
    const Vector3 ring[4] = {middle + 0.08 * length * side, middle + 0.08 * length * up, middle - 0.08 * length * side,
                             middle - 0.08 * length * up};
    for (int i = 0; i < 4; ++i) {
        shapes.addLine(layer, head, ring[i], colour);
        shapes.addLine(layer, ring[i], end, colour);
        shapes.addLine(layer, ring[i], ring[(i + 1) % 4], colour);
    }
}

}  // namespace

DebugColour boneColour(int bone) {
    const double golden = 0.6180339887498949;  // of a turn
    const double hue = 6.0 * std::fmod(0.05 + golden * bone, 1.0);
    const auto channel = [&](double from) {
        const double k = std::fmod(from + hue, 6.0);
        return static_cast<float>(0.9 - 0.75 * std::fmax(0.0, std::fmin(1.0, std::fmin(k, 4.0 - k))));
    };
    return {channel(5.0), channel(3.0), channel(1.0), 1.0f};
}

void addBones(const CharacterModel& character, const Matrix<double, 3, 4>* bones, DebugLayer layer,
              DebugShapes& shapes) {
    if (!shapes.wants(layer)) return;
    for (int b = 0; b < character.skeleton.boneCount(); ++b) {
        const Bone& bone = character.skeleton.bones[static_cast<std::size_t>(b)];
        const DebugColour colour = boneColour(b);
        const Vector3 head = at(bones[b], bone.head());
        for (const Vector3& end : bone.ends) {
            addOctahedron(head, at(bones[b], end), layer, colour, shapes);
            const double radius = b < character.coreRadii.size() ? character.coreRadii[b] : 0.0;
            if (!(radius > 0.0)) continue;
            const double scaled = radius * bones[b].col(0).norm();
            shapes.capsules.push_back(
                {layer, {head, at(bones[b], end)}, {scaled, scaled}, {colour.red, colour.green, colour.blue, 0.25f}});
        }
    }
}

std::shared_ptr<const ReducedModel> paintedByWeights(const CharacterModel& character) {
    auto painted = std::make_shared<ReducedModel>(*character.flesh);
    const SkinWeights& weights = character.skin.vertices;
    painted->surface.colours.resize(4, painted->surface.positions.cols());
    for (Eigen::Index v = 0; v < weights.bones.cols(); ++v) {
        Eigen::Vector4d sum = Eigen::Vector4d::Zero();
        for (Eigen::Index i = 0; i < 4; ++i) {
            const DebugColour colour = boneColour(weights.bones(i, v));
            sum += weights.weights(i, v) * Eigen::Vector4d(static_cast<double>(colour.red),
                                                           static_cast<double>(colour.green),
                                                           static_cast<double>(colour.blue), 1.0);
        }
        for (Eigen::Index c = 0; c < 4; ++c)
            painted->surface.colours(c, v) = static_cast<decltype(painted->surface.colours)::Scalar>(sum[c]);
    }
    for (SurfaceMaterial& material : painted->surface.materials) {
        material.diffuse = Vector3::Ones();
        material.diffuseTexture.clear();
    }
    return painted;
}

}  // namespace pliant
