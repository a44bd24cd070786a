// SPDX-License-Identifier: Zlib
// A surface as most files have it: vertices with attributes, and polygons that name them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/mesh/SurfaceMesh.h"

namespace pliant {

struct PolygonSurface {
    std::vector<Vector3> positions;
    std::vector<Vector3> normals;  ///< Normals, one a vertex, or empty.
    /// Texture coordinates, one a vertex, or empty; v grows upwards, as in .obj.
    std::vector<std::array<double, 2>> texcoords;
    std::vector<std::array<float, 4>> colours;  ///< Colours, RGBA, one a vertex, or empty.
    /// Vertex numbers of each polygon, 0-based; polygons of fewer than three are left out.
    std::vector<std::vector<int>> polygons;
    std::vector<int> polygonMaterial;        ///< Material of each polygon; empty: all are of material 0.
    std::vector<SurfaceMaterial> materials;  ///< Materials of the polygons; empty: one by default.
};

/// Triangulated, otherwise unchanged: vertices keep their numbers. Normals stay empty where the file has none.
/// @throws Error(where, ...) for a vertex number out of range, or no polygon at all
PLIANT_INTERNAL_API SurfaceMesh triangulated(const PolygonSurface& surface, const std::string& where);

/// Path of a texture that opens: as named, relative to `folder`, or its bare name there (exporters write the paths of
/// their own machine). When none opens, the path relative to `folder`, and a warning.
PLIANT_INTERNAL_API std::string resolveTexture(std::string name, const std::string& folder,
                                               std::vector<std::string>& warnings);

}  // namespace pliant
