// SPDX-License-Identifier: Zlib
// What materials of a glTF file say about looks and surfaces here do not have.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "pliant/rig/gltf/JsonPlace.h"

namespace pliant::gltf {

/// Counts what is lost of each kind, so that the user is told once a kind.
class LostLooks {
public:
    /// What a material has beside its base colour. @throws Error where it is no material
    void add(const JsonPlace& material);
    /// How the texture of the base colour is put on. @param info names a texture  @throws Error where it does not
    void addTexture(const JsonPlace& info);
    /// One note a kind. @param path of the file
    void tell(const std::string& path, std::vector<std::string>& notes) const;

private:
    std::map<std::string, int> m_lost;  ///< materials of each kind
};

}  // namespace pliant::gltf
