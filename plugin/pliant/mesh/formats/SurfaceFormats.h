// SPDX-License-Identifier: Zlib
// The readers behind readSurface(), one a format: what the file says, in its own units, before any repair.
#pragma once

#include <string>
#include <vector>

#include "pliant/mesh/PolygonSurface.h"

namespace pliant {

/// Geomview .off (ASCII; OFF with the prefixes ST, C, N). @throws Error with file:line
PolygonSurface readOff(const std::string& path);

/// Reads .stl, ASCII or binary: three vertices a facet; the facets' normals follow from them and are not kept.
/// @throws Error with file:line, or with the facet for binary files
PolygonSurface readStl(const std::string& path);

/// Stanford .ply 1.0, ASCII or binary of either byte order: x y z, nx ny nz, texture coordinates (s t, u v), colours,
/// vertex_indices. Other elements and properties are passed over. @throws Error with file:line, or element number
PolygonSurface readPly(const std::string& path, std::vector<std::string>& warnings);

/// Reads glTF 2.0 (.gltf with its .bin, .glb) through Assimp: all meshes of the default scene with their nodes'
/// transforms. Positions of the format are single precision. @throws Error
PolygonSurface readGltf(const std::string& path, std::vector<std::string>& warnings);
/// The same of a .glb in memory. @param path that it was made of, for errors
PolygonSurface readGlb(const std::string& bytes, const std::string& path, std::vector<std::string>& warnings);

}  // namespace pliant
