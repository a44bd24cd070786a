// SPDX-License-Identifier: Zlib
#include "pliant/model/EmbeddedImages.h"

#include <algorithm>
#include <filesystem>

namespace pliant {

std::vector<std::pair<std::string, std::shared_ptr<const EmbeddedImage>>> embeddedImages(const ReducedModel& model,
                                                                                         const std::string& path) {
    std::vector<std::pair<std::string, std::shared_ptr<const EmbeddedImage>>> images;
    for (const SurfaceMaterial& material : model.surface.materials) {
        const auto& image = material.embeddedTexture;
        const auto same = [&](const auto& known) { return known.second == image; };
        if (!image || std::any_of(images.begin(), images.end(), same)) continue;
        images.emplace_back(std::filesystem::path(path).stem().string() + "_texture_" +
                                std::to_string(images.size() + 1) + "." + image->extension,
                            image);
    }
    return images;
}

}  // namespace pliant
