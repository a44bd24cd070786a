// SPDX-License-Identifier: Zlib
#include "pliant/reduce/ReadInput.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "pliant/field/OffsetSurface.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/CheckVolumeMesh.h"
#include "pliant/mesh/FileExtension.h"
#include "pliant/mesh/MeshSize.h"
#include "pliant/mesh/MeshTopology.h"
#include "pliant/mesh/ReadSurface.h"
#include "pliant/mesh/ReadVeg.h"
#include "pliant/mesh/ReadVolume.h"
#include "pliant/mesh/SurfaceClosure.h"
#include "pliant/mesh/TextFile.h"
#include "pliant/mesh/formats/Creases.h"
#include "pliant/reduce/RegionMembers.h"
#include "pliant/reduce/SurfaceBricks.h"
#include "pliant/reduce/UpAxis.h"

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

VolumeMesh voxelised(const SurfaceMesh& surface, const ReduceOptions& options, const std::string& input,
                     std::vector<std::string>& notes) {
    ElasticMaterial material;
    overrideMaterial(options, material);
    checkMaterial(material, input);
    return surfaceBricks(surface, options, material, notes);
}

void addNotes(const std::vector<std::string>& more, ReductionInput& result) {
    result.notes.insert(result.notes.end(), more.begin(), more.end());
}

SurfaceMesh readNotedSurface(const std::string& path, const ReduceOptions& options, ReductionInput& result,
                             bool& hasNormals) {
    SurfaceFile file = readSurface(path, options.metresPerUnit);
    addNotes(file.notes, result);
    turn(zUpFrom(options.up.value_or(UpAxis::Z)), file.mesh);
    hasNormals = file.hasNormals;
    return std::move(file.mesh);
}

VolumeFile readMesh(const std::string& input, const ReduceOptions& options) {
    VolumeFile file = readVolume(input, options.metresPerUnit);
    turn(zUpFrom(options.up.value_or(UpAxis::Z)), file.mesh);
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

/// One message in place of whatever follows from it.
void refuseOpen(const SurfaceClosure& closure, const ReduceOptions& options, const std::string& input) {
    if (!options.solid.value_or(false) || closure.closed()) return;
    throw Error(
        input, "cannot be filled (--solid): the surface is not closed, " + openEdgesText(closure),
        closure.openEdges == closure.crowdedEdges
            ? "leave out the walls inside of it; or leave --solid out: bricks along the surface, --thickness says how "
              "thick"
            : "fill its holes and weld its vertices; or leave --solid out: bricks along the surface, --thickness says "
              "how thick");
}

void refuseBricksNumbers(const std::string& path) {
    throw Error(path,
                "its numbers would be those of corners of bricks, which are made of the surface and shown to nobody",
                "hold by place or name: --hold box=x0,y0,z0,x1,y1,z1, sphere=x,y,z,radius, halfspace=nx,ny,nz,d, "
                "material=NAME or group=NAME (in a scene: fixed: {box: [x0, y0, z0, x1, y1, z1]})");
}

/// Vertices to hold by number, place and name, ascending.
std::vector<int> allHeld(const ReduceOptions& options, const VolumeFile& file, const RegionSpace& space) {
    std::vector<int> numbered, placed, all;
    if (!options.fixedVertices.empty()) numbered = readFixed(options.fixedVertices, file);
    if (!options.hold.empty()) placed = heldVertices(space, options.hold);
    std::set_union(numbered.begin(), numbered.end(), placed.begin(), placed.end(), std::back_inserter(all));
    if (all.size() == static_cast<std::size_t>(file.mesh.vertexCount()))
        throw Error(options.fixedVertices, "holds every vertex that the regions leave free", "leave some of them free");
    return all;
}

void refuseMeshRegions(const std::string& input) {
    throw Error(input, "regions are for surfaces: a simulation mesh says itself which element has which material",
                "change the materials in the file, or leave the regions out");
}

/// Takes the closed surface around the triangles in their place.
void encloseSurface(const ReduceOptions& options, const std::string& input, ReductionInput& result) {
    constexpr double kSpacings = 1.4;  // in the offset
    const Points& x = result.surface.positions;
    const double longest = (x.rowwise().maxCoeff() - x.rowwise().minCoeff()).maxCoeff();
    const double offset = options.offset * longest;
    result.surface = offsetSurface(result.surface, offset, offset / kSpacings);
    result.notes.push_back(input + ": the surface of the body lies " + numberText(offset) +
                           " m outside of the file's triangles");
}

/// Bricks of a surface: nobody else has numbered their vertices.
VolumeFile bricksOf(const SurfaceMesh& outline, const ReduceOptions& options, const std::string& input) {
    VolumeFile file;
    file.mesh = voxelised(outline, options, input, file.notes);
    for (std::string& note : file.notes) note = input + ": " + note;
    file.vertexOf.resize(static_cast<std::size_t>(file.mesh.vertexCount()));
    std::iota(file.vertexOf.begin(), file.vertexOf.end(), 0);
    return file;
}

}  // namespace

ReductionInput readInput(const std::string& input, const ReduceOptions& options) {
    ReductionInput result;
    VolumeFile file;
    SurfaceClosure closure;
    bool hasNormals = false;  // of the surface's own
    if (isSurfaceFile(input)) {
        if (!options.fixedVertices.empty()) refuseBricksNumbers(options.fixedVertices);
        result.surface = readNotedSurface(input, options, result, hasNormals);
        if (options.offset > 0.0) {
            encloseSurface(options, input, result);
            hasNormals = true;
        }
        closure = examineClosure(result.surface);
        refuseOpen(closure, options, input);
        file = bricksOf(result.surface, options, input);
    } else if (isVolumeFile(input)) {
        if (!options.regions.empty()) refuseMeshRegions(input);
        if (options.offset > 0.0)
            throw Error(input, "an offset is for surfaces: a simulation mesh has a boundary", "leave the offset out");
        result.surface = boundarySurface((file = readMesh(input, options)).mesh);
    } else {
        throw Error(input, "files that end in '" + lowerExtension(input) + "' cannot be reduced",
                    "give a surface (" + listed(surfaceExtensions()) +
                        ") or a simulation mesh of tetrahedra or bricks (" + listed(volumeExtensions()) + ")");
    }
    addNotes(file.notes, result);
    const SurfaceMesh* outline = isSurfaceFile(input) ? &result.surface : nullptr;
    const RegionSpace space{file.mesh, outline, options.metresPerUnit, input, options.thickness};
    setRegionMaterials(space, options.regions, file.mesh);
    if (options.holdsVertices())
        result.fixedVertices = allHeld(options, file, space);
    else
        checkOneComponent(file.mesh, input);
    if (!options.surface.empty()) result.surface = readNotedSurface(options.surface, options, result, hasNormals);
    result.surface.triangleGroup.clear();
    result.surface.groupNames.clear();
    result.drawn = result.surface;
    if (!hasNormals) splitCreases(result.drawn, options.creaseAngle);
    result.mesh = std::move(file.mesh);
    result.vertexOf = std::move(file.vertexOf);
    if (isSurfaceFile(input))
        result.mass = bodyMass(result.mesh, closure, options);
    else
        result.mass.body = massOf(result.mesh);
    for (const std::string& note : {result.mass.warning, upNote(input, options)})
        if (!note.empty()) result.notes.push_back(note);
    if (const std::string warning = sizeWarning(result.mesh.positions, input); !warning.empty())
        result.notes.push_back(warning);
    return result;
}

}  // namespace pliant
