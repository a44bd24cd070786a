// SPDX-License-Identifier: Zlib
#include "osgPliantScene/SceneLooks.h"

#include <algorithm>

#include "osgPliantScene/SceneNode.h"

namespace osgPliant {
namespace {

namespace scene = pliant::scene;
using pliant::Vector3;

/// Roughness 0 to 1 as an exponent of Blinn's highlight (2 / r^4 - 2) [W07], within OpenGL's range.
double exponentOf(double roughness) {
    const double r = std::max(roughness, 0.2);
    return std::clamp(2.0 / (r * r * r * r) - 2.0, 1.0, 128.0);
}

/// How much a material reflects as a mirror does: metals in their colour, others a twentieth of white.
Vector3 mirrored(const scene::Material& material, const Vector3& colour) {
    return material.metal * colour + (1.0 - material.metal) * Vector3::Constant(0.05);
}

/// The model with materials of the scene in place of its own, for the picture only.
std::shared_ptr<const pliant::ReducedModel> dressed(const std::shared_ptr<const pliant::ReducedModel>& model,
                                                    const scene::MaterialPairs& materials,
                                                    const scene::SceneDescription& scene) {
    const auto copy = std::make_shared<pliant::ReducedModel>(*model);
    for (pliant::SurfaceMaterial& target : copy->surface.materials)
        for (const auto& [ofMesh, own] : materials) {
            const scene::Material* material = scene.material(own);
            if (target.name != ofMesh || !material) continue;
            if (material->colour)
                target.diffuse = Vector3((*material->colour)[0], (*material->colour)[1], (*material->colour)[2]);
            else if (!material->texture.empty())
                target.diffuse = Vector3::Ones();
            if (material->colour && material->texture.empty()) target.diffuseTexture.clear();
            if (!material->texture.empty()) target.diffuseTexture = material->texture;
            target.specular = mirrored(*material, target.diffuse);
            target.shininess = exponentOf(material->roughness);
            target.opacity = material->opacity;
        }
    return copy;
}

/// The model with one colour in place of its own, for the picture only.
std::shared_ptr<const pliant::ReducedModel> painted(const std::shared_ptr<const pliant::ReducedModel>& model,
                                                    const scene::Colour& colour) {
    const auto copy = std::make_shared<pliant::ReducedModel>(*model);
    copy->surface.colours.resize(4, 0);
    for (pliant::SurfaceMaterial& material : copy->surface.materials) {
        material.diffuse = Vector3(colour[0], colour[1], colour[2]);
        material.diffuseTexture.clear();
    }
    return copy;
}

}  // namespace

PrimitiveLook lookOf(const scene::Colour& colour, double grid) {
    PrimitiveLook look;
    look.colour.set(static_cast<float>(colour[0]), static_cast<float>(colour[1]), static_cast<float>(colour[2]), 1.0f);
    look.grid = static_cast<float>(grid);
    return look;
}

PrimitiveLook lookOf(const scene::Material& material, const scene::Colour& plain) {
    PrimitiveLook look = lookOf(material.colour.value_or(plain));
    look.colour.a() = static_cast<float>(material.opacity);
    const Vector3 mirror = mirrored(material, Vector3(look.colour.r(), look.colour.g(), look.colour.b()));
    const double most = mirror.maxCoeff();
    look.specular = static_cast<float>(most);
    if (most > 0.0)
        for (int c = 0; c < 3; ++c) look.mirrorColour[c] = static_cast<float>(mirror[c] / most);
    look.shininess = static_cast<float>(exponentOf(material.roughness));
    return look;
}

std::shared_ptr<const pliant::ReducedModel> dressedModel(const scene::SceneDescription& scene, int model,
                                                         const std::shared_ptr<const pliant::ReducedModel>& original,
                                                         const scene::MaterialPairs& materials) {
    const scene::ModelEntry& entry = scene.models[static_cast<std::size_t>(model)];
    const auto base = entry.colour ? painted(original, *entry.colour) : original;
    return materials.empty() ? base : dressed(base, materials, scene);
}

void dress(const scene::SceneDescription& scene, const scene::MaterialPairs& pairs, ModelGeometry& geometry) {
    const std::vector<pliant::SurfaceMaterial>& materials = geometry.getModel()->surface.materials;
    for (const auto& [ofMesh, own] : pairs)
        for (std::size_t m = 0; m < materials.size(); ++m) {
            const scene::Material* material = scene.material(own);
            if (!material || materials[m].name != ofMesh) continue;
            const bool hasTexcoords = geometry.getModel()->surface.texcoords.cols() > 0;
            geometry.dressMaterial(static_cast<int>(m), hasTexcoords ? material->normalMap : "", material->twoSided);
        }
}

}  // namespace osgPliant
