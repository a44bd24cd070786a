// SPDX-License-Identifier: Zlib
#include "pliant/mesh/CheckSurfaceMesh.h"

#include <algorithm>
#include <string>

#include "pliant/math/Error.h"

namespace pliant {

void checkSurfaceMesh(const SurfaceMesh& mesh, const std::string& where) {
    if (mesh.vertexCount() == 0 || mesh.triangleCount() == 0)
        throw Error(where, "the surface is empty: no triangle", "give a surface with at least one face");
    for (int v = 0; v < mesh.vertexCount(); ++v)
        if (!mesh.positions.col(v).allFinite())
            throw Error(where, "surface vertex " + std::to_string(v) + " is NaN or infinite", "repair the surface");
    for (int t = 0; t < mesh.triangleCount(); ++t)
        for (int c = 0; c < 3; ++c)
            if (mesh.triangles(c, t) < 0 || mesh.triangles(c, t) >= mesh.vertexCount())
                throw Error(where, "triangle " + std::to_string(t) + " names vertex " +
                                       std::to_string(mesh.triangles(c, t)) + " of 0.." +
                                       std::to_string(mesh.vertexCount() - 1));
    const auto fits = [&](Eigen::Index columns, bool mayMiss) {
        return columns == mesh.positions.cols() || (mayMiss && columns == 0);
    };
    if (!fits(mesh.normals.cols(), true) || !fits(mesh.texcoords.cols(), true) || !fits(mesh.colours.cols(), true))
        throw Error(where, "normals, texture coordinates or colours are not one per vertex");
    const bool materialsFit = mesh.triangleMaterial.size() == static_cast<std::size_t>(mesh.triangleCount()) &&
                              std::all_of(mesh.triangleMaterial.begin(), mesh.triangleMaterial.end(),
                                          [&](int m) { return m >= 0 && m < static_cast<int>(mesh.materials.size()); });
    if (!materialsFit && !(mesh.triangleMaterial.empty() && mesh.materials.empty()))
        throw Error(where, "a triangle's material is not one of the surface's materials");
    const bool groupsFit = mesh.triangleGroup.size() == static_cast<std::size_t>(mesh.triangleCount()) &&
                           std::all_of(mesh.triangleGroup.begin(), mesh.triangleGroup.end(),
                                       [&](int g) { return g >= 0 && g < static_cast<int>(mesh.groupNames.size()); });
    if (!groupsFit && !mesh.triangleGroup.empty())
        throw Error(where, "a triangle's group is not one of the surface's groups");
}

}  // namespace pliant
