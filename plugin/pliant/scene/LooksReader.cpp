// SPDX-License-Identifier: Zlib
// Materials and layers of a scene file.
#include <algorithm>

#include "pliant/math/Error.h"
#include "pliant/scene/NearestWord.h"
#include "pliant/scene/SceneParts.h"

namespace pliant::scene {
namespace {

constexpr std::size_t kMostLayers = 24;  // bits of Bullet's filter words beside its own

void expectName(const std::string& what, const std::string& name, const std::string& where,
                const std::vector<std::string>& known) {
    if (name.empty() || std::find(known.begin(), known.end(), name) != known.end()) return;
    const std::string near = nearestWord(name, known);
    throw UnknownName(what, name, where, "no " + what + " is called \"" + name + "\"",
                      near.empty() ? "add it under " + what + "s" : "did you mean \"" + near + "\"?");
}

}  // namespace

Material readMaterial(const std::string& name, const CheckedYaml& block) {
    block.expectBlock("material");
    Material material;
    material.name = name;
    if (const auto value = block.find("colour")) material.colour = readColour(*value);
    if (const auto value = block.find("texture")) material.texture = existingFile(*value, block.file());
    if (const auto value = block.find("normal_map")) material.normalMap = existingFile(*value, block.file());
    if (const auto value = block.find("two_sided")) material.twoSided = value->boolean();
    if (const auto value = block.find("roughness")) material.roughness = value->number();
    if (const auto value = block.find("metal")) material.metal = value->number();
    if (const auto value = block.find("opacity")) material.opacity = value->number();
    return material;
}

std::vector<Layer> readLayers(const CheckedYaml& block, Mistakes& mistakes) {
    std::vector<Layer> layers;
    const auto entries = block.entries();
    if (entries.size() > kMostLayers) block.fail("there are more than " + std::to_string(kMostLayers) + " layers");
    std::vector<std::string> names = {"rest"};
    for (const auto& [name, value] : entries) {
        if (name == "rest") mistakes.tryPart([&v = value] { v.fail("\"rest\" are the bodies in no layer"); });
        names.push_back(name);
    }
    for (const auto& [name, value] : entries) {
        Layer layer{name, value.where(), {}};
        mistakes.tryPart([&, &list = value] {
            for (const CheckedYaml& item : list.items())
                mistakes.tryPart([&] {
                    expectName("layer", item.text(), item.where(), names);
                    layer.meets.push_back(item.text());
                });
        });
        layers.push_back(std::move(layer));
    }
    return layers;
}

void checkLooks(const SceneDescription& scene, const std::map<std::string, std::string>& users, Mistakes& mistakes) {
    std::vector<std::string> materials, layers;
    for (const Material& material : scene.materials) materials.push_back(material.name);
    for (const Layer& layer : scene.layers) layers.push_back(layer.name);
    const auto check = [&](const std::string& what, const std::string& name, const std::string& where,
                           const std::vector<std::string>& known) {
        const auto user = users.find(where);
        return mistakes.tryPart(
            [&] { tellUser(user == users.end() ? "" : user->second, [&] { expectName(what, name, where, known); }); });
    };
    // Whoever names a layer that is not there means the bodies in it: that is told once.
    const auto checkLayer = [&](const auto& group) {
        if (!check("layer", group.layer, group.where, layers)) mistakes.lose("body", group.layer);
    };
    for (const ModelEntry& model : scene.models)
        for (const auto& [ofMesh, own] : model.materials) check("material", own, model.where, materials);
    for (const BodyGroup& group : scene.bodies) {
        checkLayer(group);
        for (const auto& [ofMesh, own] : group.materials) check("material", own, group.where, materials);
    }
    for (const RigidGroup& group : scene.rigid) {
        checkLayer(group);
        check("material", group.material, group.where, materials);
        const Material* material = scene.material(group.material);
        if (material && (!material->texture.empty() || !material->normalMap.empty()))
            mistakes.tryPart([&] {
                throw Error(
                    group.where,
                    "\"" + group.material + "\" has a texture or a normal map, and rigid bodies nothing to lay it on",
                    "make a material without one");
            });
    }
    if (scene.ground) check("material", scene.ground->material, scene.ground->where, materials);
    for (const Layer& layer : scene.layers) {
        const auto sameName = [&](const auto& group) { return group.name == layer.name; };
        if (std::any_of(scene.bodies.begin(), scene.bodies.end(), sameName) ||
            std::any_of(scene.rigid.begin(), scene.rigid.end(), sameName))
            mistakes.tryPart([&] {
                throw Error(layer.where, "a body is called \"" + layer.name + "\", too", "give one another name");
            });
    }
}

}  // namespace pliant::scene
