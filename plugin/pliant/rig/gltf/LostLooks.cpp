// SPDX-License-Identifier: Zlib
#include "pliant/rig/gltf/LostLooks.h"

namespace pliant::gltf {

namespace {

bool shines(const JsonPlace& material) {
    if (material.has("emissiveTexture")) return true;
    if (!material.has("emissiveFactor")) return false;
    for (const double part : material.at("emissiveFactor").numbers(3))
        if (part != 0.0) return true;
    return false;
}

}  // namespace

void LostLooks::add(const JsonPlace& material) {
    if (material.has("normalTexture")) ++m_lost["normal maps"];
    if (material.has("occlusionTexture")) ++m_lost["maps of occlusion"];
    if (shines(material)) ++m_lost["light of their own (emissive)"];
    if (material.has("doubleSided") && material.at("doubleSided").truth()) ++m_lost["two sides (doubleSided)"];
    if (material.has("alphaMode")) {
        const JsonPlace mode = material.at("alphaMode");
        const std::string name = mode.text();
        if (name != "OPAQUE" && name != "BLEND" && name != "MASK")
            mode.fail("\"" + name + "\" is unknown", "OPAQUE, MASK and BLEND are possible");
        if (name == "MASK") ++m_lost["cut-out by a threshold (alphaMode MASK), which is drawn as blended"];
    }
    if (material.has("pbrMetallicRoughness") && material.at("pbrMetallicRoughness").has("metallicRoughnessTexture"))
        ++m_lost["maps of metal and roughness"];
    if (!material.has("extensions")) return;
    for (const std::string& name : material.at("extensions").keys()) ++m_lost["the extension " + name];
}

void LostLooks::addTexture(const JsonPlace& info) {
    const bool hasExtensions = info.has("extensions");
    const bool isMoved = hasExtensions && info.at("extensions").has("KHR_texture_transform");
    if (isMoved) ++m_lost["textures that are moved, turned or scaled (KHR_texture_transform)"];
    const bool moves = isMoved && info.at("extensions").at("KHR_texture_transform").has("texCoord");
    const JsonPlace set = moves ? info.at("extensions").at("KHR_texture_transform") : info;
    if (set.has("texCoord") && set.at("texCoord").integer(0, 1 << 20) != 0)
        ++m_lost["textures with coordinates of another set than the first, whose coordinates are taken"];
}

void LostLooks::tell(const std::string& path, std::vector<std::string>& notes) const {
    for (const auto& [kind, materials] : m_lost)
        notes.push_back(path + ": of " + std::to_string(materials) + " materials, left out: " + kind);
}

}  // namespace pliant::gltf
