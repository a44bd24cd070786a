// SPDX-License-Identifier: Zlib
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "pliant/rig/gltf/LostLooks.h"
#include "pliant/rig/gltf/RigParts.h"

namespace pliant::gltf {

namespace {

/// Fills the texture of a material. @param info names a texture
void readTexture(const GltfFile& file, const JsonPlace& info, SurfaceMaterial& material, LostLooks& lost,
                 std::vector<std::string>& notes) {
    lost.addTexture(info);
    const JsonPlace texture = file.element("textures", info.at("index"));
    if (!texture.has("source")) return;
    const JsonPlace image = file.element("images", texture.at("source"));
    if (image.has("bufferView")) {
        const std::string_view bytes = file.bytesOf(file.element("bufferViews", image.at("bufferView")));
        const std::string kind = image.has("mimeType") ? image.at("mimeType").text() : "";
        file.take(bytes.size() / sizeof(double), image.where());
        if (kind == "image/png" || kind == "image/jpeg")
            material.embeddedTexture =
                std::make_shared<EmbeddedImage>(EmbeddedImage{std::string(bytes), kind == "image/png" ? "png" : "jpg"});
        else
            notes.push_back(image.where() + ": is neither PNG nor JPEG and is not kept; drawn with its colour");
        return;
    }
    const JsonPlace uri = image.at("uri");
    if (uri.text().compare(0, 5, "data:") == 0) {
        notes.push_back(image.where() + ": a picture as data: address is not kept; drawn with its colour");
        return;
    }
    std::optional<std::filesystem::path> picture;
    try {
        picture = file.fileNamed(uri);
    } catch (const Error& error) {  // outside of the folder: the character is whole without it
        notes.push_back(std::string(error.what()) + "; drawn with its colour");
        return;
    }
    if (picture)
        material.diffuseTexture = picture->string();
    else
        notes.push_back(uri.where() + ": there is no picture \"" + uri.text() + "\" beside it; drawn with its colour");
}

/// Metallic-roughness to the Phong-like material of a .obj: glossiness gives the exponent, metals tint their highlight.
SurfaceMaterial readMaterial(const GltfFile& file, const JsonPlace& place, LostLooks& lost,
                             std::vector<std::string>& notes) {
    lost.add(place);
    SurfaceMaterial material;
    if (place.has("name")) material.name = place.at("name").text();
    double metal = 1.0, rough = 1.0, alpha = 1.0;
    material.diffuse = Vector3::Ones();
    if (place.has("pbrMetallicRoughness")) {
        const JsonPlace looks = place.at("pbrMetallicRoughness");
        if (looks.has("baseColorFactor")) {
            const std::vector<double> c = looks.at("baseColorFactor").numbers(4);
            material.diffuse = Vector3(c[0], c[1], c[2]).cwiseMax(0.0).cwiseMin(1.0);
            alpha = std::clamp(c[3], 0.0, 1.0);
        }
        if (looks.has("metallicFactor")) metal = std::clamp(looks.at("metallicFactor").number(), 0.0, 1.0);
        if (looks.has("roughnessFactor")) rough = std::clamp(looks.at("roughnessFactor").number(), 0.0, 1.0);
        if (looks.has("baseColorTexture")) readTexture(file, looks.at("baseColorTexture"), material, lost, notes);
    }
    if (place.has("alphaMode") && place.at("alphaMode").text() != "OPAQUE") material.opacity = alpha;
    material.specular = (1.0 - metal) * Vector3::Constant(0.04) + metal * material.diffuse;
    material.shininess = std::clamp(2.0 / std::pow(std::max(0.05, rough), 4.0) - 2.0, 0.0, 1000.0);
    return material;
}

}  // namespace

std::vector<SurfaceMaterial> readMaterials(const GltfFile& file, std::vector<std::string>& notes) {
    std::vector<SurfaceMaterial> materials;
    LostLooks lost;
    for (std::size_t m = 0; m < file.root().sizeOf("materials"); ++m)
        materials.push_back(readMaterial(file, file.root().at("materials").at(m), lost, notes));
    lost.tell(file.path(), notes);
    return materials;
}

}  // namespace pliant::gltf
