// SPDX-License-Identifier: Zlib
#include <assimp/material.h>

#include <algorithm>

#include "pliant/rig/import/program/AssimpParts.h"

namespace pliant::import {

std::vector<SurfaceMaterial> materialsOf(const aiScene& scene, const std::string& path,
                                         std::vector<std::string>& notes) {
    std::vector<SurfaceMaterial> all;
    int pictures = 0;
    for (unsigned m = 0; m < scene.mNumMaterials; ++m) {
        const aiMaterial& given = *scene.mMaterials[m];
        SurfaceMaterial material;
        aiString name;
        aiColor3D colour(0.8F, 0.8F, 0.8F);
        float opacity = 1.0F, shininess = 0.0F;
        if (given.Get(AI_MATKEY_NAME, name) == aiReturn_SUCCESS) material.name = name.C_Str();
        given.Get(AI_MATKEY_COLOR_DIFFUSE, colour);
        given.Get(AI_MATKEY_OPACITY, opacity);
        given.Get(AI_MATKEY_SHININESS, shininess);
        material.diffuse = Vector3(colour.r, colour.g, colour.b).cwiseMax(0.0).cwiseMin(1.0);
        material.opacity = std::clamp(static_cast<double>(opacity), 0.0, 1.0);
        material.shininess = std::clamp(static_cast<double>(shininess), 0.0, 1000.0);
        for (int type = 1; type < AI_TEXTURE_TYPE_MAX; ++type)
            pictures += given.GetTextureCount(static_cast<aiTextureType>(type)) > 0;
        all.push_back(material);
    }
    if (pictures > 0) notes.push_back(path + ": pictures of materials are left out; drawn with their colours");
    return all;
}

}  // namespace pliant::import
