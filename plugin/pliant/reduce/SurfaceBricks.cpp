// SPDX-License-Identifier: Zlib
#include "pliant/reduce/SurfaceBricks.h"

#include <algorithm>
#include <utility>

#include "pliant/field/OffsetSurface.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/ElementShape.h"
#include "pliant/mesh/Quadrature.h"
#include "pliant/mesh/SurfaceClosure.h"
#include "pliant/mesh/voxels/ThinBodyAxes.h"
#include "pliant/mesh/voxels/Voxelise.h"
#include "pliant/reduce/UpAxis.h"

namespace pliant {
namespace {

/// Bricks of a surface with filled shares, along the axes of a thin body.
VolumeMesh thinBricks(const SurfaceMesh& surface, const VoxeliseOptions& options, std::vector<std::string>& notes) {
    const Matrix3 axes = thinBodyAxes(surface);
    if (axes.isIdentity(0.0)) return voxelise(surface, options);
    SurfaceMesh along = surface;
    turn(axes.transpose(), along);
    try {
        VolumeMesh mesh = voxelise(along, options);
        mesh.positions = (axes * mesh.positions).eval();
        return mesh;
    } catch (const Error&) {
        VolumeMesh mesh = voxelise(surface, options);  // whose messages name places in the file's own axes
        notes.push_back(
            "the body is thin and stands at an angle in its file, but its bricks fall apart along its own axes: "
            "they are cut along the file's, and bend too stiffly");
        return mesh;
    }
}

double volumeOf(const VolumeMesh& mesh) {
    double volume = 0.0;
    for (int e = 0; e < mesh.elementCount(); ++e) volume += elementVolume(mesh, e);
    return volume;
}

bool isNamed(const BodyRegion& region) {
    return region.kind == RegionKind::Group || region.kind == RegionKind::Material;
}

/// Whether parts of the body are said by the names of triangles, which stand for the bricks that they touch.
bool namesParts(const ReduceOptions& options) {
    return std::any_of(options.hold.begin(), options.hold.end(), isNamed) ||
           std::any_of(options.regions.begin(), options.regions.end(),
                       [](const MaterialRegion& region) { return isNamed(region.where); });
}

/// Bricks of an open sheet's wall. Those that the sheet touches have no room for a wall thicker than they are; then
/// they fill the closed surface at half of the thickness from the sheet, and all of them pay by their shares for its
/// rims, which reach by that half beyond the sheet's own.
/// @param bricks that the sheet touches: taken where they have room, where parts are named, and where the filled wall
/// would be further off
VolumeMesh withRoomForWall(const SurfaceMesh& sheet, const ReduceOptions& reduce, VoxeliseOptions options,
                           VolumeMesh bricks, std::vector<std::string>& notes) {
    constexpr double leastRoom = 0.98, finer = 1.4, mostOfRims = 1.15;
    const SurfaceClosure closure = examineClosure(sheet);
    const double wanted = closure.area * options.thickness, touched = volumeOf(bricks);
    const bool isThick = options.thickness > fitBrick(elementCorners(bricks, 0)).sides.minCoeff();
    if (closure.closed() || !isThick || touched > leastRoom * wanted || namesParts(reduce)) return bricks;
    options.solid = true;
    VolumeMesh wall;
    try {
        const double offset = 0.5 * options.thickness;
        wall = thinBricks(offsetSurface(sheet, offset, offset / finer), options, notes);
    } catch (const Error&) {
        return bricks;  // they are told to weigh too little
    }
    const double volume = volumeOf(wall);
    if (volume < touched || volume > mostOfRims * wanted) return bricks;
    if (wall.elementShare.size() == 0) wall.elementShare = VectorX::Ones(wall.elementCount());
    wall.elementShare *= std::min(1.0, wanted / volume);
    notes.push_back(
        "the wall is thicker than the bricks along its surface: bricks fill what is within half of the "
        "thickness from it; slits narrower than the wall are closed, and rims reach by that half further");
    return wall;
}

}  // namespace

VolumeMesh surfaceBricks(const SurfaceMesh& surface, const ReduceOptions& options, const ElasticMaterial& material,
                         std::vector<std::string>& notes) {
    VoxeliseOptions voxels;
    voxels.resolution = options.voxels;
    voxels.solid = options.solid.value_or(false);
    voxels.thickness = options.thickness;
    voxels.filledShares = voxels.solid || options.thickness > 0.0;
    voxels.material = material;
    if (!voxels.filledShares) return voxelise(surface, voxels);
    VolumeMesh bricks = thinBricks(surface, voxels, notes);
    return voxels.solid ? bricks : withRoomForWall(surface, options, voxels, std::move(bricks), notes);
}

}  // namespace pliant
