// SPDX-License-Identifier: Zlib
#include "pliant/reduce/ReadInput.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "pliant/math/Error.h"
#include "pliant/mesh/CheckVolumeMesh.h"
#include "pliant/mesh/MeshTopology.h"
#include "pliant/mesh/ReadObj.h"
#include "pliant/mesh/ReadVeg.h"
#include "pliant/mesh/Voxelise.h"

namespace pliant {
namespace {

std::string lowerExtension(const std::string& path) {
    std::string extension = std::filesystem::path(path).extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return extension;
}

void overrideMaterial(const ReduceOptions& options, ElasticMaterial& material) {
    if (!material.isotropic() && (options.youngsModulus || options.poissonRatio))
        throw Error("material \"" + material.name + "\"",
                    "it is not isotropic, so one Young's modulus or Poisson ratio cannot replace its constants",
                    "leave these options out, or change the material in the input");
    material.youngsModulus = options.youngsModulus.value_or(material.youngsModulus);
    material.poissonRatio = options.poissonRatio.value_or(material.poissonRatio);
    material.density = options.density.value_or(material.density);
}

VolumeMesh voxelised(const SurfaceMesh& surface, const ReduceOptions& options, const std::string& input) {
    VoxeliseOptions voxels;
    voxels.resolution = options.voxels;
    voxels.solid = options.solid;
    overrideMaterial(options, voxels.material);
    checkMaterial(voxels.material, input);
    return voxelise(surface, voxels);
}

VolumeMesh readMesh(const std::string& input, const ReduceOptions& options) {
    VolumeMesh mesh = readVeg(input);
    for (ElasticMaterial& material : mesh.materials) {
        overrideMaterial(options, material);
        checkMaterial(material, input);
    }
    return mesh;
}

std::vector<int> readFixed(const std::string& path, int vertexCount) {
    std::vector<int> fixed = readBou(path, vertexCount);
    if (fixed.size() == static_cast<std::size_t>(vertexCount))
        throw Error(path, "holds every one of the " + std::to_string(vertexCount) + " vertices",
                    "leave some of them free");
    return fixed;
}

}  // namespace

ReductionInput readInput(const std::string& input, const ReduceOptions& options) {
    ReductionInput result;
    const std::string extension = lowerExtension(input);
    if (extension == ".obj") {
        const SurfaceMesh outline = readObj(input);
        result.mesh = voxelised(outline, options, input);
        result.surface = options.surface.empty() ? outline : readObj(options.surface);
    } else if (extension == ".veg") {
        result.mesh = readMesh(input, options);
        result.surface = options.surface.empty() ? boundarySurface(result.mesh) : readObj(options.surface);
    } else {
        throw Error(input, "files that end in '" + extension + "' cannot be reduced",
                    "give a surface (.obj) or a simulation mesh of tetrahedra or bricks (.veg)");
    }
    if (!options.fixedVertices.empty())
        result.fixedVertices = readFixed(options.fixedVertices, result.mesh.vertexCount());
    else
        checkOneComponent(result.mesh, input);
    return result;
}

}  // namespace pliant
