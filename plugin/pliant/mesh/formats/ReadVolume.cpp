// SPDX-License-Identifier: Zlib
#include "pliant/mesh/ReadVolume.h"

#include <algorithm>
#include <cmath>

#include "pliant/math/Error.h"
#include "pliant/mesh/FileExtension.h"
#include "pliant/mesh/ReadVeg.h"
#include "pliant/mesh/formats/RepairVolume.h"
#include "pliant/mesh/formats/VolumeFormats.h"

namespace pliant {

namespace {

VolumeFile readByExtension(const std::string& path) {
    const std::string extension = lowerExtension(path);
    if (extension == ".vegb") return readVegb(path);
    if (extension == ".msh") return readGmsh(path);
    if (extension == ".vtk") return readVtk(path);
    if (extension == ".vtu") return readVtu(path);
    if (extension == ".veg") {
        VolumeFile file;
        file.mesh = readVeg(path);
        return file;
    }
    throw Error(path, "files that end in '" + extension + "' are no simulation meshes that can be read",
                "give one of " + listed(volumeExtensions()));
}

}  // namespace

VolumeFile readVolume(const std::string& path, double metresPerUnit) {
    if (!(std::isfinite(metresPerUnit) && metresPerUnit > 0.0))
        throw Error(path, "a unit of " + std::to_string(metresPerUnit) + " m", "give a positive length");
    VolumeFile file = readByExtension(path);
    repairVolume(file, path);
    if (metresPerUnit != 1.0) file.mesh.positions *= metresPerUnit;
    return file;
}

bool isVolumeFile(const std::string& path) {
    return hasExtension(path, volumeExtensions());
}

const std::vector<std::string>& volumeExtensions() {
    static const std::vector<std::string> all{".veg", ".vegb", ".msh", ".vtk", ".vtu"};
    return all;
}

std::vector<int> meshVertices(const VolumeFile& file, const std::vector<int>& fileVertices, const std::string& where) {
    std::vector<int> result;
    for (const int v : fileVertices) {
        if (v < 0 || static_cast<std::size_t>(v) >= file.vertexOf.size())
            throw Error(where,
                        "vertex " + std::to_string(v + 1) + " is outside 1.." + std::to_string(file.vertexOf.size()));
        const int inMesh = file.vertexOf[static_cast<std::size_t>(v)];
        if (inMesh < 0)
            throw Error(where, "vertex " + std::to_string(v + 1) + " belongs to no element of the mesh",
                        "name vertices of elements");
        result.push_back(inMesh);
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

}  // namespace pliant
