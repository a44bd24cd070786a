// SPDX-License-Identifier: Zlib
#include "pliant/reduce/SurfaceBricks.h"

#include "pliant/math/Error.h"
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
    return thinBricks(surface, voxels, notes);
}

}  // namespace pliant
