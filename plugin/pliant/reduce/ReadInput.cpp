// SPDX-License-Identifier: Zlib
#include "pliant/reduce/ReadInput.h"

#include <numeric>
#include <utility>

#include "pliant/math/Error.h"
#include "pliant/mesh/CheckVolumeMesh.h"
#include "pliant/mesh/FileExtension.h"
#include "pliant/mesh/MeshSize.h"
#include "pliant/mesh/MeshTopology.h"
#include "pliant/mesh/ReadSurface.h"
#include "pliant/mesh/ReadVeg.h"
#include "pliant/mesh/ReadVolume.h"
#include "pliant/mesh/TextFile.h"
#include "pliant/mesh/voxels/Voxelise.h"

namespace pliant {
namespace {

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

void addNotes(const std::vector<std::string>& more, ReductionInput& result) {
    result.notes.insert(result.notes.end(), more.begin(), more.end());
}

SurfaceMesh readNotedSurface(const std::string& path, const ReduceOptions& options, ReductionInput& result) {
    SurfaceFile file = readSurface(path, options.metresPerUnit);
    addNotes(file.notes, result);
    return std::move(file.mesh);
}

VolumeFile readMesh(const std::string& input, const ReduceOptions& options) {
    VolumeFile file = readVolume(input, options.metresPerUnit);
    for (ElasticMaterial& material : file.mesh.materials) {
        overrideMaterial(options, material);
        checkMaterial(material, input);
    }
    const bool constantsGiven = options.youngsModulus && options.poissonRatio && options.density;
    if (!file.hasMaterials && !constantsGiven) {
        const ElasticMaterial& used = file.mesh.materials.front();
        file.notes.push_back(
            input + ": the file has no material constants; taken: E = " + numberText(used.youngsModulus) +
            " Pa, nu = " + numberText(used.poissonRatio) + ", density " + numberText(used.density) + " kg/m^3");
    }
    return file;
}

/// Fixed vertices count those of the input file; repair may have given them other numbers in the mesh.
std::vector<int> readFixed(const std::string& path, const VolumeFile& file) {
    const std::vector<int> fixed = meshVertices(file, readBou(path, static_cast<int>(file.vertexOf.size())), path);
    if (fixed.size() == static_cast<std::size_t>(file.mesh.vertexCount()))
        throw Error(path, "holds every one of the " + std::to_string(fixed.size()) + " vertices",
                    "leave some of them free");
    return fixed;
}

/// Bricks of a surface: nobody else has numbered their vertices.
VolumeFile bricksOf(const SurfaceMesh& outline, const ReduceOptions& options, const std::string& input) {
    VolumeFile file;
    file.mesh = voxelised(outline, options, input);
    file.vertexOf.resize(static_cast<std::size_t>(file.mesh.vertexCount()));
    std::iota(file.vertexOf.begin(), file.vertexOf.end(), 0);
    return file;
}

}  // namespace

ReductionInput readInput(const std::string& input, const ReduceOptions& options) {
    ReductionInput result;
    VolumeFile file;
    if (isSurfaceFile(input)) {
        result.surface = readNotedSurface(input, options, result);
        file = bricksOf(result.surface, options, input);
    } else if (isVolumeFile(input)) {
        file = readMesh(input, options);
        result.surface = boundarySurface(file.mesh);
    } else {
        throw Error(input, "files that end in '" + lowerExtension(input) + "' cannot be reduced",
                    "give a surface (" + listed(surfaceExtensions()) +
                        ") or a simulation mesh of tetrahedra or bricks (" + listed(volumeExtensions()) + ")");
    }
    addNotes(file.notes, result);
    if (!options.surface.empty()) result.surface = readNotedSurface(options.surface, options, result);
    if (!options.fixedVertices.empty())
        result.fixedVertices = readFixed(options.fixedVertices, file);
    else
        checkOneComponent(file.mesh, input);
    result.mesh = std::move(file.mesh);
    result.vertexOf = std::move(file.vertexOf);
    if (const std::string warning = sizeWarning(result.mesh.positions, input); !warning.empty())
        result.notes.push_back(warning);
    return result;
}

}  // namespace pliant
